#include "cli/run/play.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <ostream>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/credentials.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/output_queue.h"
#include "base/packing.h"
#include "base/replaced_file.h"
#include "base/text.h"
#include "cli/frame/queued_output.h"
#include "cli/frame/rules_mode.h"
#include "cli/frame/target.h"
#include "cli/frame/values.h"
#include "harness/plan/tournament_plan.h"
#include "harness/program/line_log.h"
#include "harness/run/at_end.h"
#include "harness/store/store.h"
#include "reports/files/events.h"
#include "reports/files/run_json.h"
#include "reports/text/terminal.h"
#include "reports/view/estimates.h"
#include "reports/view/verdict_text.h"

namespace assay::cli {

namespace {

// Headings of flags in --help.
constexpr const char* kPrograms = "programs";
constexpr const char* kMatch = "match";
constexpr const char* kTournament = "tournament";
constexpr const char* kStop = "stop";
constexpr const char* kStore = "store";

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
    const harness::Outcome ended = harness::outcome_of(outcome, flags.options.inconclusive);
    const harness::MatchTally* const tally =
        ended.match ? &outcome.matches.at(*ended.match) : nullptr;
    // Of a tournament its conditions give it.
    const std::string_view verdict = tally != nullptr ? reports::verdict_word(*tally)
                                     : outcome.judged ? harness::name_of(ended.word)
                                                      : std::string_view();
    values.emplace_back("verdict", verdict.empty() ? "none" : std::string(verdict));
    if (tally == nullptr) return values;
    const reports::KindOfEstimate quoted = reports::estimates_of(*tally).quoted;
    values.emplace_back("elo", figure_text(quoted.elo.value));
    values.emplace_back("nelo", figure_text(quoted.nelo.value));
    values.emplace_back("games", std::to_string(tally->games()));
    values.emplace_back("pairs", std::to_string(tally->pairs()));
    return values;
}

/// What `report --format json` prints of the run; empty where it cannot be read again.
std::string json_for_notice(const harness::RunOutcome& outcome, const PlayFlags& flags) {
    try {
        const auto stored =
            reports::StoredRun::load(flags.options.store, std::to_string(outcome.run.id));
        return reports::run_json(stored->view());
    } catch (const Error& error) {
        std::fprintf(stderr, "warning: at_end: it gets no JSON: %s\n", error.what());
        return "";
    }
}

/// With the files that the flags have written.
harness::RunOptions options_of(const PlayFlags& flags, const harness::RunPlan& plan) {
    harness::RunOptions options = flags.options;
    if (!flags.events.empty() && flags.events != "-") options.outputs.push_back(flags.events);
    if (options.log_dir.empty()) return options;
    for (const harness::ProgramPlan& program : plan.programs) {
        options.outputs.push_back(harness::LineLog::path_in(options.log_dir, program.name));
    }
    return options;
}

std::string_view group_of(const configs::Shorthand& shorthand) {
    if (shorthand.path.starts_with("match.")) return kMatch;
    if (shorthand.path.starts_with("tournament.")) return kTournament;
    return shorthand.path.starts_with("stop.") ? kStop : kStore;
}

/// Throws where --shard, --shard-key and --no-play do not fit together.
void read_shard(const std::string& command, PlayFlags& flags) {
    harness::RunOptions& options = flags.options;
    options.plays = !flags.no_play;
    if (flags.no_play && (!options.resume || flags.shard || options.add || options.extend > 0))
        throw Error(command +
                    ": --no-play judges a stored run by its games: give --resume, and neither "
                    "--shard, --add nor --extend");
    if (!flags.shard) {
        if (options.shard_key.empty()) return;
        throw Error(command + ": --shard-key is the key of shards; give --shard I/N too");
    }
    options.shard = harness::shard_of(*flags.shard);
    if (options.shard && !options.shard->window) return;
    throw Error(
        fmt::format("{}: --shard: '{}' is not one of 1/N to N/N with N at most {}; for "
                    "example --shard 3/8",
                    command, printable_utf8(*flags.shard), harness::kMostShards));
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

void add_program_flags(Command& command, PlayFlags& flags, const std::string& what) {
    command.add_option("--program", flags.plan.programs, what)
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
}

void add_store_flags(Command& command, PlayFlags& flags) {
    command.add_option("--db", flags.options.store, "the store")
        ->type_name("FILE")
        ->capture_default_str()
        ->group(kStore);
    command
        .add_flag("--resume", flags.options.resume,
                  "continue this config's unfinished run, or start one")
        ->group(kStore);
    command
        .add_flag(
            "--explain", flags.explain,
            "print the plan and how long it takes; play nothing. With --json: as the store keeps "
            "the plan, which is not a config")
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

void add_play_flags(Command& command, PlayFlags& flags) {
    command.add_option("config", flags.plan.files, "config files, merged from left to right")
        ->type_name("CONFIG.yaml");
    add_program_flags(
        command, flags,
        "an engine; give it twice, first the one to test, or once for each of a tournament");
    const auto shorthands = configs::shorthands();
    flags.shorthands.resize(shorthands.size());
    for (const std::string_view group : {kMatch, kTournament, kStop, kStore}) {
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
    add_rules_mode(command, flags.rules)->group(kMatch);
    command
        .add_option("--extend", flags.options.extend, "play this many more pairs of the newest run")
        ->type_name("PAIRS")
        ->transform(number(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->group(kStop);
    command
        .add_option("--shard", flags.shard,
                    "play only the I-th of N parts, on one of N machines; 'assay merge' joins them")
        ->type_name("I/N")
        ->group(kStore);
    command
        .add_option("--shard-key", flags.options.shard_key,
                    "a word that only the shards of one run share, as the number of a CI run")
        ->type_name("KEY")
        ->group(kStore);
    command
        .add_flag("--no-play", flags.no_play,
                  "with --resume: judge by the games that are there; without what a suite or a "
                  "requirement of speed needs there is no verdict")
        ->group(kStore);
    command
        .add_flag("--add", flags.options.add,
                  "play what the newest run of this tournament lacks with the programs named now")
        ->group(kTournament);
    add_store_flags(command, flags);
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
    read_shard(command.name(), flags);
    if (flags.options.add && flags.options.extend > 0)
        throw Error(command.name() +
                    ": --add plays a tournament on, and --extend a match: give one of them");
    return resolved_plan(flags);
}

/// The texts of rules that the runs of the store have; none where it cannot be read, which is told
/// when the run is opened.
std::vector<rules::GameSource> stored_games(const std::string& store) {
    std::vector<rules::GameSource> games;
    std::error_code error;
    if (!std::filesystem::is_regular_file(store, error)) return games;
    try {
        for (const harness::RunRecord& run :
             harness::Store(store, harness::Store::Access::Read).runs())
            for (const harness::MatchPlan& match : harness::distinct_matches(run.plan))
                if (!match.game.text.empty()) games.push_back(match.game);
    } catch (const Error&) {
        games.clear();
    }
    return games;
}

harness::RunPlan resolved_plan(PlayFlags& flags) {
    flags.options.assay_version = ASSAY_VERSION;
    flags.plan.checks_files = !flags.explain && !flags.no_play;
    const harness::RunOptions& options = flags.options;
    if (options.resume || options.add || options.extend > 0)
        flags.plan.known_games = stored_games(options.store);
    return configs::plan_from_flags(flags.plan);
}

std::vector<std::string> files_of(const PlayFlags& flags, const harness::RunPlan& plan) {
    std::vector<std::string> files = flags.plan.files;
    files.push_back(flags.options.store);
    const auto add = [&files](const harness::ProgramPlan& program, const std::string& word) {
        const bool is_placed = program.dir.empty() || word.starts_with('/');
        files.push_back(is_placed ? word : program.dir + "/" + word);
    };
    for (const harness::ProgramPlan& program : plan.programs) {
        for (const std::string& word : program.command) add(program, word);
        for (const auto& [option, value] : program.options) add(program, value);
    }
    for (const harness::MatchPlan& match : harness::distinct_matches(plan))
        files.push_back(match.openings.book);
    std::erase(files, "");
    return files;
}

void check_targets(const PlayFlags& flags, const harness::RunPlan& plan) {
    check_target(flags.events, files_of(flags, plan));
    if (flags.options.log_dir.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(flags.options.log_dir, error);
    if (error) throw Error(flags.options.log_dir + ": cannot make the folder: " + error.message());
    check_writable(flags.options.log_dir + "/x");
}

harness::RunOutcome play(const harness::RunPlan& plan, const PlayFlags& flags) {
    use_rules_mode(flags.rules);
    const bool is_stdout_taken = flags.json || flags.events == "-";
    const SteadyClock clock;
    std::ostream& people = is_stdout_taken ? std::cerr : std::cout;
    people.flush();
    OutputQueue queue(is_stdout_taken ? STDERR_FILENO : STDOUT_FILENO);
    QueuedStream stream(queue);
    reports::Terminal terminal(stream, reports::terminal_style(is_stdout_taken ? 2 : 1), clock,
                               flags.options.store);
    std::vector<harness::Listener*> listeners{&terminal};
    std::optional<reports::Terminal> log;
    if (flags.log != nullptr) {
        log.emplace(*flags.log, reports::TerminalStyle{}, clock, flags.options.store);
        listeners.push_back(&*log);
    }
    std::optional<EventOutput> output;
    std::unique_ptr<reports::EventWriter> events;
    if (!flags.events.empty()) {
        output.emplace(flags.events);
        events = std::make_unique<reports::EventWriter>(
            [&output](const std::string& line) { output->put(line); }, wall_clock_us);
        listeners.push_back(events.get());
    }
    const auto finish = [&](bool is_stopped) {
        stream.flush();
        (void)drained(queue, is_stopped);
        // As if it had been written to the stream itself.
        if (queue.error() != 0) people.setstate(std::ios::badbit);
        if (output) output->finish(is_stopped);
    };
    try {
        harness::RunOutcome outcome =
            harness::execute(plan, options_of(flags, plan), listeners, clock);
        finish(outcome.signal != 0);
        return outcome;
    } catch (...) {
        finish(true);
        throw;
    }
}

void run_at_end(const harness::RunOutcome& outcome, const PlayFlags& flags, int code) {
    const std::vector<std::string>& words = outcome.run.plan.at_end;
    if (words.empty() || outcome.signal != 0) return;
    const auto argv = harness::with_values(words, at_end_values(outcome, flags, code));
    ForeignText said(stderr);
    const auto failure = harness::run_at_end(argv, json_for_notice(outcome, flags),
                                             [&said](std::string_view bytes) { said.put(bytes); });
    said.finish();
    if (failure) {
        std::fprintf(stderr, "warning: at_end: %s\n",
                     printable_utf8(without_credentials(*failure)).c_str());
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
