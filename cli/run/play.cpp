#include "cli/run/play.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/packing.h"
#include "base/replaced_file.h"
#include "base/text.h"
#include "cli/frame/values.h"
#include "harness/run/at_end.h"
#include "reports/files/events.h"
#include "reports/files/run_json.h"
#include "reports/text/terminal.h"
#include "reports/view/verdict_text.h"

namespace assay::cli {

namespace {

// Headings of flags in --help.
constexpr const char* kPrograms = "programs";
constexpr const char* kMatch = "match";
constexpr const char* kStop = "stop";
constexpr const char* kStore = "store";

/// Writes lines to a file or to standard output ("-"), and flushes each.
reports::EventWriter::Write line_sink(const std::string& path) {
    if (path == "-") {
        return [](const std::string& line) {
            (void)std::fwrite(line.data(), 1, line.size(), stdout);
            (void)std::fflush(stdout);
        };
    }
    const auto file = std::make_shared<const File>(File::append(path));
    return [file, has_failed = false](const std::string& line) mutable {
        try {
            file->write(line);
        } catch (const Error& error) {
            if (std::exchange(has_failed, true)) return;
            std::fprintf(stderr, "warning: %s; events are missing from here on\n", error.what());
        }
    };
}

std::string figure_text(const std::optional<double>& value) {
    return value ? fmt::format("{:+.1f}", *value) : "unknown";
}

/// The figures are those of the match that decided the outcome.
harness::AtEndValues at_end_values(const harness::RunOutcome& outcome, const PlayFlags& flags,
                                   int code) {
    harness::AtEndValues values{{"run", std::to_string(outcome.run.id)},
                                {"name", outcome.run.name},
                                {"state", std::string(name_of(outcome.run.state))},
                                {"exit", std::to_string(code)},
                                {"db", flags.options.store}};
    const auto deciding = harness::outcome_of(outcome, flags.options.inconclusive).match;
    const harness::MatchTally* const tally = deciding ? &outcome.matches.at(*deciding) : nullptr;
    const std::string_view verdict = tally == nullptr ? "" : reports::verdict_word(*tally);
    values.emplace_back("verdict", verdict.empty() ? "none" : std::string(verdict));
    if (tally == nullptr) return values;
    const reports::Figures figures = reports::figures_of(*tally);
    values.emplace_back("elo", figure_text(figures.strength.elo.value));
    values.emplace_back("nelo", figure_text(figures.strength.nelo.value));
    values.emplace_back("games", std::to_string(tally->games()));
    values.emplace_back("pairs", std::to_string(tally->pairs()));
    return values;
}

std::string_view group_of(const configs::Shorthand& shorthand) {
    if (shorthand.path.starts_with("match.")) return kMatch;
    return shorthand.path.starts_with("stop.") ? kStop : kStore;
}

/// Throws where neither a config nor a flag gives a time control.
void check_time(const std::string& command, const configs::RunFlags& flags) {
    const auto is_match = [](const std::string& set) { return set.starts_with("match"); };
    const bool is_set = std::any_of(flags.sets.begin(), flags.sets.end(), is_match) ||
                        std::any_of(flags.values.begin(), flags.values.end(),
                                    [](const auto& value) { return value.first == "time"; });
    if (is_set) return;
    throw Error(command +
                ": there is no time control; add --time 10+0.1 (seconds and increment), or "
                "--time '{nodes: 20000}', '{depth: 8}', '{move: 100ms}'");
}

}  // namespace

void add_play_flags(Command& command, PlayFlags& flags) {
    command.add_option("config", flags.plan.files, "config files, merged from left to right")
        ->type_name("CONFIG.yaml");
    command
        .add_option("--program", flags.plan.programs,
                    "an engine; give it twice, first the one to test")
        ->type_name("PROGRAM")
        ->allow_extra_args(false)
        ->group(kPrograms);
    command.add_option("--option", flags.plan.options, "an option of every program")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false)
        ->group(kPrograms);
    command.add_option("--set", flags.plan.sets, "sets one key of the config: match.pairs=20")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->group(kPrograms);
    const auto shorthands = configs::shorthands();
    flags.shorthands.resize(shorthands.size());
    for (const std::string_view group : {kMatch, kStop, kStore}) {
        for (std::size_t i = 0; i < shorthands.size(); ++i) {
            const configs::Shorthand& known = shorthands[i];
            if (group_of(known) != group) continue;
            command
                .add_option("--" + std::string(known.flag), flags.shorthands[i],
                            fmt::format("{} ({})", known.help, known.path))
                ->type_name("VALUE")
                ->group(std::string(group));
        }
    }
    command
        .add_option("--extend", flags.options.extend, "play this many more pairs of the newest run")
        ->type_name("PAIRS")
        ->transform(number(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->group(kStop);
    command.add_option("--db", flags.options.store, "the store")
        ->type_name("FILE")
        ->capture_default_str()
        ->group(kStore);
    command
        .add_flag("--resume", flags.options.resume,
                  "continue this config's unfinished run, or start one")
        ->group(kStore);
    command
        .add_flag("--explain", flags.explain, "print the plan and how long it takes; play nothing")
        ->group(kOutput);
    command.add_option("--log", flags.options.log_dir, "write every protocol line to files in DIR")
        ->type_name("DIR")
        ->group(kOutput);
    command.add_option("--events", flags.events, "write events as JSON lines; -: standard output")
        ->type_name("FILE")
        ->group(kOutput);
    command.add_flag("--json", flags.json, "the result as JSON on standard output")->group(kOutput);
    command.get_option("--help")->group(kOutput);
}

harness::RunPlan plan_of(const Command& command, PlayFlags& flags) {
    const auto shorthands = configs::shorthands();
    for (std::size_t i = 0; i < shorthands.size(); ++i) {
        if (flags.shorthands[i])
            flags.plan.values.emplace_back(std::string(shorthands[i].flag), *flags.shorthands[i]);
    }
    if (flags.plan.files.empty() && flags.plan.programs.empty()) {
        throw Error(
            command.name() +
            ": name a config, or two programs with --program; 'assay init' writes a config");
    }
    if (flags.plan.files.empty()) check_time(command.name(), flags.plan);
    flags.options.assay_version = ASSAY_VERSION;
    flags.plan.checks_files = !flags.explain;
    return configs::plan_from_flags(flags.plan);
}

void check_targets(const PlayFlags& flags) {
    check_writable(flags.events);
    if (flags.options.log_dir.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(flags.options.log_dir, error);
    if (error) throw Error(flags.options.log_dir + ": cannot make the folder: " + error.message());
    check_writable(flags.options.log_dir + "/x");
}

harness::RunOutcome play(const harness::RunPlan& plan, const PlayFlags& flags) {
    // Several threads read the trees of a suite.
    const bool is_stdout_taken = flags.json || flags.events == "-";
    const SteadyClock clock;
    reports::Terminal terminal(is_stdout_taken ? std::cerr : std::cout,
                               reports::terminal_style(is_stdout_taken ? 2 : 1), clock,
                               flags.options.store);
    std::vector<harness::Listener*> listeners{&terminal};
    std::optional<reports::Terminal> log;
    if (flags.log != nullptr) {
        log.emplace(*flags.log, reports::TerminalStyle{}, clock, flags.options.store);
        listeners.push_back(&*log);
    }
    std::unique_ptr<reports::EventWriter> events;
    if (!flags.events.empty()) {
        events = std::make_unique<reports::EventWriter>(line_sink(flags.events), wall_clock_us);
        listeners.push_back(events.get());
    }
    return harness::execute(plan, flags.options, listeners, clock);
}

void run_at_end(const harness::RunOutcome& outcome, const PlayFlags& flags, int code) {
    const std::vector<std::string>& words = outcome.run.plan.at_end;
    if (words.empty() || outcome.signal != 0) return;
    const auto argv = harness::with_values(words, at_end_values(outcome, flags, code));
    const auto failure = harness::run_at_end(argv, [](std::string_view bytes) {
        (void)std::fwrite(bytes.data(), 1, bytes.size(), stderr);
    });
    if (failure) {
        std::fprintf(stderr, "warning: at_end: %s\n", printable_utf8(*failure).c_str());
    }
}

void store_exit_code(harness::RunOutcome& outcome, const PlayFlags& flags, int code) {
    if (outcome.run.id <= 0 || outcome.signal != 0) return;
    if (outcome.run.findings.exit_code == code) return;  // it went with the run's end
    outcome.run.findings.exit_code = code;
    std::error_code ignored;
    if (!std::filesystem::exists(flags.options.store, ignored)) return;  // not to make an empty one
    try {
        harness::Store store(flags.options.store, harness::Store::Access::Write);
        store.set_exit_code(outcome.run.id, code);
    } catch (const Error& error) {
        std::fprintf(stderr, "warning: the exit code is not stored: %s\n", error.what());
    }
}

bool is_github_action() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const value = std::getenv("GITHUB_ACTIONS");
    return value != nullptr && std::string_view(value) == "true";
}

int exit_code_of(const harness::RunOutcome& outcome, const PlayFlags& flags) {
    return harness::outcome_of(outcome, flags.options.inconclusive).exit_code.value();
}

bool was_skipped(const harness::RunOutcome& outcome, const PlayFlags& flags) {
    if (outcome.before != harness::RunOutcome::Before::Skipped) return false;
    const std::string text = "skipped: " + outcome.before_reason + "\n";
    std::fputs(text.c_str(), flags.json || flags.events == "-" ? stderr : stdout);
    if (flags.log != nullptr) *flags.log << text;
    if (flags.json) {
        std::fputs(reports::skipped_json(outcome.before_reason).c_str(), stdout);
    }
    return true;
}

void print_games(const reports::StoredRun& stored, const std::string& path,
                 reports::GameFormat format) {
    ReplacedFile file(path);
    Packer packer(packing_of_name(path));
    reports::write_games(stored, format,
                         [&](std::string_view text) { file.write(packer.add(text)); });
    file.write(packer.finish());
    file.commit();
}

}  // namespace assay::cli
