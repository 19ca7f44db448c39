#include "cli/frame/usage_error.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/command_tree.h"

namespace assay::cli {

namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t kFewestOfPrefix = 3;  // letters by which a flag's beginning is known

/// The command that words name, with its words, and those behind it.
struct Typed {
    const CLI::App* command = nullptr;
    std::string path = "assay";
    Words rest;
};

const CLI::App* subcommand(const CLI::App& command, std::string_view name) {
    for (const CLI::App* const sub : command.get_subcommands([](const CLI::App*) { return true; }))
        if (sub->get_name() == name) return sub;
    return nullptr;
}

/// The option that is written so, "--db" or "-o"; null where there is none.
const CLI::Option* option_of(const CLI::App& command, std::string_view flag) {
    for (const CLI::Option* const option : options_of(command)) {
        const std::vector<std::string> flags = flags_of(*option);
        if (std::find(flags.begin(), flags.end(), flag) != flags.end()) return option;
    }
    return nullptr;
}

bool is_flag(std::string_view word) {
    return word.size() > 1 && word.front() == '-';
}

/// The part before '=' of a long flag, the first letter of a short one: "-ofile".
std::string_view name_in(std::string_view word) {
    return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

/// True where the flag's value is in the same word.
bool has_value(std::string_view word) {
    return word.size() > name_in(word).size();
}

/// What a walk over the words behind a command finds wrong with its flags.
struct Fault {
    std::string_view unknown;               // a flag that the command does not have
    const CLI::Option* unvalued = nullptr;  // a flag that ends the line without its value
    const CLI::Option* valued = nullptr;    // a flag without a value that was given one
};

std::optional<Fault> fault_in(const Typed& typed) {
    for (std::size_t i = 0; i < typed.rest.size(); ++i) {
        const std::string_view word = typed.rest[i];
        if (word == "--") return std::nullopt;
        if (!is_flag(word)) continue;
        const CLI::Option* const option = option_of(*typed.command, name_in(word));
        if (option == nullptr) return Fault{word, nullptr, nullptr};
        if (!takes_value(*option)) {
            if (word.starts_with("--") && has_value(word)) return Fault{{}, nullptr, option};
            continue;
        }
        if (has_value(word)) continue;
        // The first value is taken whatever it looks like.
        if (++i == typed.rest.size()) return Fault{{}, option, nullptr};
    }
    return std::nullopt;
}

Typed typed_of(const CLI::App& app, const Words& words) {
    Typed typed{&app, "assay", words};
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view word = words[at];
        if (is_flag(word)) {
            const CLI::Option* const option = option_of(*typed.command, name_in(word));
            if (option == nullptr) break;
            if (takes_value(*option) && !has_value(word)) ++at;
            continue;
        }
        const CLI::App* const next = subcommand(*typed.command, word);
        if (next == nullptr) break;
        typed.command = next;
        typed.path += " " + std::string(word);
        typed.rest.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
    }
    return typed;
}

/// The flag of `command` that the word probably means, or empty.
std::string meant_by(const CLI::App& command, std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    const std::string_view bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    std::vector<std::string> names;
    for (const CLI::Option* const option : options_of(command))
        names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    const Words views(names.begin(), names.end());
    std::string nearest = nearest_name(bare, views);
    if (nearest.empty() && bare.size() >= kFewestOfPrefix) {
        const auto begins = [bare](const std::string& each) { return each.starts_with(bare); };
        if (std::count_if(names.begin(), names.end(), begins) == 1)
            nearest = *std::find_if(names.begin(), names.end(), begins);
    }
    return nearest.empty() ? "" : "--" + nearest;
}

/// The first command below that has the flag, "assay rules perft"; empty where none has.
std::string home_below(const Typed& typed, std::string_view flag) {
    for (const Entry& entry : entries_of(*typed.command))
        if (option_of(*entry.app, flag) != nullptr) return typed.path + " " + entry.path;
    return "";
}

std::string help_of(const Typed& typed) {
    return "'" + typed.path + " --help'";
}

std::string unknown_flag(const Typed& typed, std::string_view word) {
    const std::string flag = printable_utf8(word.substr(0, word.find('=')));
    const std::string home = home_below(typed, name_in(word));
    if (!home.empty()) {
        return typed.path + ": the flag '" + flag + "' stands behind its command, as in '" + home +
               " " + flag + "'";
    }
    const std::string meant = meant_by(*typed.command, word);
    return typed.path + ": there is no flag '" + flag + "'" +
           (meant.empty() ? ";" : "; did you mean '" + meant + "'?") + " " + help_of(typed) +
           " lists them";
}

/// Of the flag of several values that has too few or too many of them.
std::string wrong_count(const CLI::App& command) {
    for (const CLI::Option* const option : options_of(command)) {
        const auto wanted = static_cast<std::size_t>(option->get_items_expected_min());
        if (is_positional(*option) || wanted < 2 || option->count() == 0) continue;
        if (option->count() == wanted) continue;
        return flags_of(*option).back() + ": expected " + std::to_string(wanted) + " values, " +
               value_of(*option) + ", found " + std::to_string(option->count());
    }
    return "";
}

/// CLI11's own sentence, which begins with a capital where it names no flag.
std::string sentence_of(const CLI::ParseError& error) {
    std::string text = error.what();
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0)
        text[0] = to_lower(text[0]);
    return text;
}

}  // namespace

void check_commands(const CLI::App& app, const Words& words) {
    const CLI::App* command = &app;
    std::string named = "assay";
    for (const std::string_view word : words) {
        const bool must_name_one = command->get_require_subcommand_min() > 0;
        const bool takes_words =
            !command
                 ->get_options([](const CLI::Option* option) { return option->get_positional(); })
                 .empty();
        if ((!must_name_one && takes_words) || word.empty() || word.front() == '-') return;
        std::vector<std::string_view> names;
        const auto all = command->get_subcommands([](const CLI::App*) { return true; });
        for (const CLI::App* const one : all)
            if (!one->get_group().empty()) names.push_back(one->get_name());
        if (names.empty()) return;
        const CLI::App* const found = subcommand(*command, word);
        if (found == nullptr) {
            const std::string advice = did_you_mean(word, names);
            throw Error(fmt::format("{}: there is no command '{}'{} '{} --help' lists them", named,
                                    printable_utf8(word), advice.empty() ? ";" : advice, named));
        }
        named += " " + std::string(word);
        command = found;
    }
}

std::string usage_error(const CLI::App& app, const Words& words, const CLI::ParseError& error) {
    const Typed typed = typed_of(app, words);
    if (const std::optional<Fault> fault = fault_in(typed)) {
        if (!fault->unknown.empty()) return unknown_flag(typed, fault->unknown);
        const CLI::Option& option = fault->valued != nullptr ? *fault->valued : *fault->unvalued;
        const std::string flag = flags_of(option).back();
        if (fault->valued != nullptr)
            return flag + ": takes no value; " + help_of(typed) + " says more";
        return flag + ": expected " + value_of(option) + " behind it; " + help_of(typed) +
               " says more";
    }
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        if (std::string text = wrong_count(*typed.command); !text.empty()) return text;
    }
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        const std::vector<std::string> over = app.remaining(true);
        return typed.path + ": there is no place for the word '" +
               printable_utf8(over.empty() ? "" : over.front()) + "'; " + help_of(typed) +
               " shows what it takes";
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
        typed.command->get_require_subcommand_min() > 0)
        return typed.path + ": expected a command; " + help_of(typed) + " lists them";
    return typed.path + ": " + sentence_of(error) + "; " + help_of(typed) + " shows what it takes";
}

}  // namespace assay::cli
