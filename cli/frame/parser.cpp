// The one source that includes CLI11, whose header takes seconds to compile. CLI11 splits the words
// into flags and values; what they mean, help and messages are ours.
#include "cli/frame/parser.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/help_text.h"
#include "cli/frame/usage_error.h"

namespace assay::cli {

namespace {

/// Whether its value names a file, a folder or a run: an empty one, as of a variable of a script
/// that is not set, would mean another one.
bool names_something(const Option& option) {
    constexpr std::array<std::string_view, 9> kNames{
        "BATCH", "CONFIG.yaml", "DIR", "FILE", "FILE.epd", "FOLDER", "PROGRAM", "RUN", "STORE"};
    return std::ranges::find(kNames, option.value()) != kNames.end();
}

class Parser {
public:
    explicit Parser(Command& app) : root_(app.help(), app.name()) { describe(app, root_); }

    void run(Command& app, const std::vector<std::string>& words) {
        check_commands(app, words);
        // CLI11 takes its words from the back.
        std::vector<std::string> reversed(words.rbegin(), words.rend());
        try {
            root_.parse(std::move(reversed));
        } catch (const CLI::CallForHelp&) {
            const Named named = last_named(app);
            std::fputs(help_text(*named.command, named.path).c_str(), stdout);
            return;
        } catch (const CLI::CallForVersion&) {
            std::printf("%s\n", app.version().c_str());
            return;
        } catch (const CLI::ParseError& error) {
            for (auto& [option, parsed] : options_) option->typed = parsed->count();
            throw Error(usage_error(app, words, refusal_of(error)));
        }
        const Named named = last_named(app);
        if (!named.command->handed_on().empty()) named.command->rest = named.parsed->remaining();
        if (named.command->action()) named.command->action()();
    }

private:
    /// A command that was typed, with all words that lead to it.
    struct Named {
        Command* command = nullptr;
        const CLI::App* parsed = nullptr;
        std::string path;
    };

    void describe(Command& command, CLI::App& parsed) {
        parsed.set_help_flag("");
        for (Option* const option : command.all_options()) add(command, *option, parsed);
        for (Command* const sub : command.commands())
            describe(*sub, *parsed.add_subcommand(sub->name(), sub->help()));
        if (command.most_commands() > 0)
            parsed.require_subcommand(command.least_commands(), command.most_commands());
        if (!command.handed_on().empty()) parsed.prefix_command();
    }

    void add(const Command& command, Option& option, CLI::App& parsed) {
        const std::string names =
            option.is_positional() ? option.name() : joined(option.flags(), ",");
        if (!option.has_set()) {
            if (names == "--version")
                parsed.set_version_flag(names, command.version());
            else
                parsed.set_help_flag(names);
            return;
        }
        if (!option.takes_value()) {
            parsed.add_flag_callback(names, [&option] { (void)option.set({}); });
            return;
        }
        CLI::Option* const added = parsed.add_option(
            names,
            [&option](const std::vector<std::string>& values) { return option.set(values); });
        if (option.count())
            added->expected(static_cast<int>(*option.count()));
        else if (option.is_list())
            added->expected(CLI::detail::expected_max_vector_size);
        if (option.is_list()) added->allow_extra_args(option.allows_extra());
        if (option.delimiter() != '\0') added->delimiter(option.delimiter());
        if (option.is_required()) added->required();
        if (option.check().correct)
            added->transform(CLI::Validator(option.check().correct, option.check().asked));
        else if (names_something(option))
            added->check([asked = option.value()](const std::string& value) {
                return value.empty() ? fmt::format("expected {}, found ''", asked) : "";
            });
        options_.emplace(&option, added);
    }

    [[nodiscard]] Named last_named(Command& app) const {
        Named named{&app, &root_, app.name()};
        for (auto below = named.parsed->get_subcommands(); !below.empty();
             below = named.parsed->get_subcommands()) {
            named.parsed = below.back();
            named.command = named.command->find(named.parsed->get_name());
            named.path += " " + named.command->name();
        }
        return named;
    }

    [[nodiscard]] Refusal refusal_of(const CLI::ParseError& error) const {
        if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr)
            return {Refusal::Kind::Value, error.what()};
        if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
            return {Refusal::Kind::Count, error.what()};
        if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
            return {Refusal::Kind::Missing, error.what()};
        if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr)
            return {Refusal::Kind::Other, error.what()};
        const std::vector<std::string> extra = root_.remaining(true);
        return {Refusal::Kind::Extra, extra.empty() ? "" : extra.front()};
    }

    CLI::App root_;
    std::map<Option*, CLI::Option*> options_;
};

}  // namespace

void run_command_line(Command& app, const std::vector<std::string>& words) {
    Parser(app).run(app, words);
}

}  // namespace assay::cli
