#include <array>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "adapters/check/compliance.h"
#include "adapters/protocols.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace {

using adapters::ComplianceReport;
using adapters::ComplianceStep;
using adapters::StepState;

constexpr int kCheckFailed = 1;
constexpr int kNotStarted = 4;

constexpr const char* kCheckExamples =
    R"(Words after PROGRAM that are no flags of check are the program's own; after -- all of
them are.

examples:
  assay check ./engine
  assay check gnuchess --uci
  assay check --option Hash=64 --option EvalFile=net.bin ./engine
  assay check ./engine --json -- --protocol uci

exit codes: 0 no step fails · 1 a step fails · 2 wrong flags · 4 the program cannot be started)";

struct CheckFlags {
    std::string protocol{adapters::kDefaultProtocol};
    std::vector<std::string> options;
    std::string game = "chess";
    bool is_chess960 = false;
    bool json = false;
};

std::pair<std::string, std::string> option_of(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name(trim(text.substr(0, equals)));
    if (name.empty()) throw Error("check: --option needs NAME=VALUE, found '" + text + "'");
    if (equals == std::string::npos) return {name, ""};
    return {name, text.substr(equals + 1)};
}

/// Everything from PROGRAM on is handed over in the order written, so that a program's own flags
/// keep their places; ours among them are taken out here, up to "--".
std::vector<std::string> take_own_flags(const std::vector<std::string>& words, CheckFlags& flags) {
    std::vector<std::string> result;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (*word == "--") {
            result.insert(result.end(), std::next(word), words.end());
            break;
        }
        const bool wants_value = *word == "--protocol" || *word == "--option" || *word == "--game";
        if (wants_value && std::next(word) == words.end()) {
            throw Error("check: " + *word + " wants a value");
        }
        if (*word == "--json") {
            flags.json = true;
        } else if (*word == "--chess960") {
            flags.is_chess960 = true;
        } else if (*word == "--game") {
            flags.game = *++word;
        } else if (*word == "--protocol") {
            flags.protocol = *++word;
        } else if (*word == "--option") {
            flags.options.push_back(*++word);
        } else {
            result.push_back(*word);
        }
    }
    return result;
}

/// Throws Error for an unknown game, or one with chance.
std::unique_ptr<rules::Game> game_of(const CheckFlags& flags) {
    const std::string name = flags.is_chess960 ? "chess960" : flags.game;
    auto game = rules::make_game(rules::find_game(name));
    if (!game->info().has_chance) return game;
    throw Error("--game: '" + printable_utf8(name) +
                "' is a game of chance; a program is checked in a game without chance");
}

adapters::ProgramSpec spec_of(const CheckFlags& flags, const rules::Game& game,
                              std::vector<std::string> words) {
    if (words.empty()) throw Error("check: name the program to check; see 'assay check --help'");
    if (words.front().starts_with('-')) {
        constexpr std::array<std::string_view, 6> kFlags{"--json", "--protocol", "--option",
                                                         "--game", "--chess960", "--help"};
        const std::string flag = words.front().substr(0, words.front().find('='));
        throw Error("assay check: there is no flag '" + printable_utf8(flag) + "'" +
                    did_you_mean(flag, kFlags) + "; the program's own flags stand after its name");
    }
    (void)adapters::protocol_named(flags.protocol, " of --protocol");
    adapters::ProgramSpec spec;
    spec.name = words.front();
    spec.argv = std::move(words);
    spec.protocol = flags.protocol;
    spec.game = game.name();
    for (const std::string& option : flags.options) spec.options.push_back(option_of(option));
    return spec;
}

std::string_view word_of(StepState state) {
    return state == StepState::Fail ? "FAIL" : adapters::name_of(state);
}

/// Prints each step as it ends, on one line; steps skipped for the same failure share a line.
class StepPrinter {
public:
    void add(const ComplianceStep& step) {
        const bool is_unreached =
            step.state == StepState::Skipped && step.text.starts_with("not reached: ");
        if (!is_unreached || step.text != reason_) flush();
        if (is_unreached) {
            if (skipped_++ == 0) first_ = step.name;
            reason_ = step.text;
            return;
        }
        print(word_of(step.state), step.name, step.text);
    }

    void flush() {
        if (skipped_ == 0) return;
        const bool is_one = skipped_ == 1;
        print(word_of(StepState::Skipped), is_one ? first_ : std::to_string(skipped_) + " steps",
              reason_);
        skipped_ = 0;
    }

private:
    static void print(std::string_view word, const std::string& name, const std::string& text) {
        std::printf("%-8s %-18s %s\n", std::string(word).c_str(), name.c_str(), text.c_str());
        std::fflush(stdout);
    }

    int skipped_ = 0;
    std::string first_;
    std::string reason_;
};

void print_summary(const ComplianceReport& report, const std::string& program) {
    const std::string& said = report.identity.name;
    const std::size_t warnings = report.count(StepState::Warning);
    std::printf("%s: %zu ok, %s, %zu failed, %zu skipped\n",
                (said.empty() ? program : said).c_str(),
                report.count(StepState::Ok) + report.count(StepState::Note),
                counted(warnings, "warning").c_str(), report.count(StepState::Fail),
                report.count(StepState::Skipped));
}

void print_json(const ComplianceReport& report, const adapters::ProgramSpec& spec) {
    namespace json = boost::json;
    json::array command;
    for (const std::string& word : spec.argv) command.emplace_back(printable_utf8(word));
    json::array steps;
    for (const ComplianceStep& step : report.steps) {
        steps.push_back(
            {{"step", step.name}, {"state", adapters::name_of(step.state)}, {"text", step.text}});
    }
    const json::object document{
        {"schema", 1},
        {"command", std::move(command)},
        {"name", report.identity.name},
        {"author", report.identity.author},
        {"passed", report.passed()},
        {"ok", report.count(StepState::Ok) + report.count(StepState::Note)},
        {"warnings", report.count(StepState::Warning)},
        {"failed", report.count(StepState::Fail)},
        {"skipped", report.count(StepState::Skipped)},
        {"steps", std::move(steps)},
    };
    std::printf("%s\n", json::serialize(document).c_str());
}

int check(const CheckFlags& flags, std::vector<std::string> words) {
    const auto game = game_of(flags);
    const adapters::ProgramSpec spec = spec_of(flags, *game, std::move(words));
    const SteadyClock clock;
    std::function<void(const ComplianceStep&)> on_step;
    StepPrinter printer;
    if (!flags.json) on_step = [&printer](const ComplianceStep& step) { printer.add(step); };
    const ComplianceReport report = adapters::check_program(spec, *game, {}, clock, on_step);
    printer.flush();
    if (!report.start_failure.empty()) {
        throw Error("check: cannot start the program: " + report.start_failure, kNotStarted);
    }
    if (flags.json) {
        print_json(report, spec);
    } else {
        print_summary(report, spec.name);
    }
    return report.passed() ? 0 : kCheckFailed;
}

}  // namespace

void add_check(Command& app, Exit& exit) {
    const auto flags = std::make_shared<CheckFlags>();
    Command* const command = app.add_subcommand(
        "check", "check how a program speaks its protocol, one line for each step");
    command->add_flag("--json", flags->json, "the steps as JSON on standard output");
    command->add_option("--protocol", flags->protocol, "what the program speaks")
        ->type_name("NAME")
        ->capture_default_str();
    command
        ->add_option("--option", flags->options,
                     "an option of the program, set before the checks; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option("--game", flags->game,
                     "the game that it plays, by name or file of rules; a game other than chess is "
                     "checked by the steps that all protocols share")
        ->type_name("GAME")
        ->capture_default_str();
    command->add_flag("--chess960", flags->is_chess960, "the same as --game chess960");
    command->hand_on("PROGRAM [ARG...]");
    command->footer(kCheckExamples);
    command->callback([command, flags, &exit] {
        std::vector<std::string> words = take_own_flags(command->rest, *flags);
        exit.code = check(*flags, std::move(words));
    });
}

}  // namespace assay::cli
