#include "cli/match/match_run.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/replaced_file.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/parser.h"
#include "cli/match/match_lines.h"
#include "cli/match/runner_log.h"
#include "cli/match/screen_settings.h"
#include "cli/match/stored_seed.h"
#include "cli/match/temporary_store.h"
#include "configs/dropin/result_file.h"
#include "configs/dropin/runner_plan.h"
#include "harness/program/program_file.h"
#include "harness/run/run.h"
#include "harness/store/store.h"
#include "reports/dropin/runner_screen.h"
#include "reports/files/events.h"

namespace assay::cli {

namespace {

using configs::dropin::ParsedCommand;
using configs::dropin::Runner;
using configs::dropin::RunnerSettings;
using harness::MatchEnd;

constexpr int kFailed = 1;
constexpr int kOfSignal = 128;

/// With the word that the runner puts before its errors, once.
std::string error_line(Runner runner, const Error& error) {
    const std::string_view lead = runner == Runner::Fastchess ? "Error: " : "Warning: ";
    std::string what = error.what();
    constexpr std::string_view kOwn = "error: ";
    const std::size_t at = what.find(kOwn);
    const bool is_said = at == 0 || (at != std::string::npos &&
                                     std::string_view(what).substr(0, at).ends_with(": "));
    if (is_said) what.erase(at, kOwn.size());
    return std::string(lead) + what;
}

/// Why the format of cutechess-cli's results cannot be shown; nullopt: it can. Help is printed, and
/// ends it too.
std::optional<std::string> bad_result_format(const std::string& format, LineOutput& out) {
    if (format == "help") {
        out.line(reports::dropin::result_format_help());
        return "";
    }
    if (reports::dropin::result_fields(format)) return std::nullopt;
    return fmt::format(
        "Warning: -resultformat {} is not available in assay: '-resultformat help' lists the "
        "fields that are",
        printable_utf8(format));
}

std::uint64_t drawn_seed() {
    std::random_device device;
    return std::uint64_t{device()} << 32U | device();
}

std::int64_t games_of(const harness::Store& store, const harness::RunRecord& run) {
    std::int64_t games = 0;
    for (const std::size_t match : store.begun_matches(run.id)) {
        for (const harness::PairDigest& pair : store.pairs(run.id, match))
            if (!harness::is_replaced(pair.state)) games += std::ssize(pair.played());
        games += std::ssize(store.half_pairs(run.id, match));
    }
    return games;
}

/// How many games the store's unfinished run of exactly this plan has; nullopt: there is none.
std::optional<std::int64_t> games_of_open_run(const std::string& store,
                                              const harness::RunPlan& plan) {
    std::error_code error;
    if (store.empty() || !std::filesystem::is_regular_file(store, error)) return std::nullopt;
    try {
        const harness::Store opened(store, harness::Store::Access::Read);
        const std::string hash = harness::plan_hash(plan);
        for (const harness::RunRecord& run : opened.runs())
            if (run.plan_hash == hash && run.state != harness::RunState::Finished)
                return games_of(opened, run);
    } catch (const Error&) {
        return std::nullopt;
    }
    return std::nullopt;
}

/// One match from its settings to its exit code.
class MatchRun {
public:
    MatchRun(RunnerSettings settings, const configs::dropin::Surroundings& surroundings,
             const MatchOptions& options, LineOutput& out)
        : settings_(std::move(settings)),
          surroundings_(surroundings),
          options_(options),
          out_(out),
          folder_(std::filesystem::current_path().string()) {
        if (!settings_.seed && options.resume)
            settings_.seed = stored_seed(
                options.store, configs::dropin::runner_plan(settings_, surroundings, folder_));
        if (!settings_.seed) settings_.seed = drawn_seed();
    }

    ~MatchRun() { out_.log_to(nullptr); }

    MatchRun(const MatchRun&) = delete;
    MatchRun& operator=(const MatchRun&) = delete;

    int play() {
        if (!settings_.log.file.empty())
            out_.log_to(&log_.emplace(settings_.log, [this](const std::string& reason) {
                out_.line(fmt::format("Warning: -log ends here, the match goes on: {}", reason));
            }));
        open_store();
        tell_of_files();
        screen_.emplace(
            screen_settings(), [this](const std::string& line) { print(line); },
            [this](const reports::dropin::Scoreboard& board) { save(board); },
            [this] { on_warned(); });
        if (is_fastchess() && settings_.openings.is_random) out_.line("Indexing opening suite...");
        const int code = play_games();
        screen_->print_end();
        if (is_fastchess()) save(screen_->board());
        if (is_fastchess() && code != 0)
            out_.line(reports::dropin::interrupted_line(options_.called_as, settings_.config_name));
        out_.line("Finished match");
        if (is_fastchess())
            out_.line(reports::dropin::total_time_line(micros_between(started_, clock_.now())) +
                      "\n");
        const bool has_games = screen_->games_over() > 0;
        if (temporary_ && code == 0) temporary_->discard();
        // Nothing but fastchess's file of results names the store of a match that is to go on.
        if (temporary_ && code != 0 && has_games && is_fastchess()) temporary_->keep();
        return is_fastchess() || code > kOfSignal ? code : 0;
    }

private:
    [[nodiscard]] bool is_fastchess() const { return settings_.runner == Runner::Fastchess; }

    /// Continues the run that a file of results names, if its store still exists; else begins a run
    /// of the games that are left.
    void open_store() {
        store_ = options_.store;
        is_resumed_ = options_.resume;
        if (settings_.earlier.games() > 0 || !settings_.earlier_store.empty()) {
            RunnerSettings whole = settings_;
            whole.earlier = {};
            const auto plan = configs::dropin::runner_plan(whole, surroundings_, folder_);
            if (const auto games = games_of_open_run(settings_.earlier_store, plan)) {
                earlier_games_ = *games;
                settings_.earlier = {};
                store_ = settings_.earlier_store;
                is_resumed_ = true;
                if (TemporaryStore::is_one(store_)) temporary_.emplace(store_);
            } else if (settings_.engines.size() > 2) {
                std::fprintf(stderr, "%s\n", std::string(configs::dropin::kStatsDropped).c_str());
            }
        }
        earlier_games_ = std::max(earlier_games_, settings_.earlier.games());
        if (options_.resume) {
            const auto plan = configs::dropin::runner_plan(settings_, surroundings_, folder_);
            earlier_games_ = std::max(earlier_games_, games_of_open_run(store_, plan).value_or(0));
        }
        if (!store_.empty()) return;
        temporary_.emplace();
        store_ = temporary_->path();
    }

    void tell_of_files() {
        const auto tell = [&](bool& appends, bool is_written, std::string_view flag) {
            if (appends || !is_written || earlier_games_ == 0) return;
            out_.line(fmt::format("Resuming from {} games, ignoring {} append=false.",
                                  earlier_games_, flag));
            appends = true;
        };
        tell(settings_.pgn.appends, !settings_.pgn.file.empty(), "-pgnout");
        tell(settings_.epd.appends, !settings_.epd.file.empty(), "-epdout");
    }

    [[nodiscard]] reports::dropin::ScreenSettings screen_settings() const {
        reports::dropin::ScreenSettings screen = screen_of(settings_);
        screen.stored_games = [store = store_](
                                  const harness::RunRecord& run,
                                  const std::function<void(const harness::GameRecord&)>& visit) {
            const harness::Store opened(store, harness::Store::Access::Read);
            for (const std::size_t match : opened.begun_matches(run.id))
                opened.for_each_game(run.id, match, visit);
        };
        screen.next_begin_in = [store = store_](const harness::RunRecord& run,
                                                const std::string& file, std::uint64_t from) {
            std::optional<std::uint64_t> next;
            const harness::Store opened(store, harness::Store::Access::Read);
            for (const harness::RunRecord& other : opened.runs()) {
                const auto begin = other.findings.begin_in(file);
                if (!begin || *begin < from || other.started_us <= run.started_us) continue;
                next = std::min(next.value_or(*begin), *begin);
            }
            return next;
        };
        return screen;
    }

    int play_games() {
        const auto plan = configs::dropin::runner_plan(settings_, surroundings_, folder_);
        std::vector<harness::Listener*> listeners{&*screen_};
        if (!can_start(plan)) return kFailed;
        std::vector<std::string> programs;
        for (const harness::ProgramPlan& program : plan.programs) programs.push_back(program.name);
        engine_lines_.expect(programs);
        std::optional<File> events_file;
        std::unique_ptr<reports::EventWriter> events;
        try {
            if (!options_.events.empty()) {
                events_file.emplace(File::append(options_.events));
                events = std::make_unique<reports::EventWriter>(
                    [&events_file](const std::string& line) { events_file->write(line); },
                    wall_clock_us);
                listeners.push_back(events.get());
            }
            return code_of(harness::execute(plan, run_options(), listeners, clock_));
        } catch (const SyntaxError& error) {
            const Diagnostic& first = error.diagnostics().front();
            out_.line(
                "Error while creating match: Failed to set position from opening book, "
                "invalid FEN or EPD: " +
                (first.source_line.empty() ? first.message : first.source_line));
        } catch (const Error& error) {
            if (!is_fastchess()) throw;
            out_.line(error_line(Runner::Fastchess, error));
        }
        return kFailed;
    }

    [[nodiscard]] harness::RunOptions run_options() {
        harness::RunOptions options;
        options.store = store_;
        options.resume = is_resumed_;
        options.log_dir = options_.log_dir;
        options.assay_version = ASSAY_VERSION;
        options.command_line = options_.command_line;
        options.stop = stop_.get_token();
        if (log_) options.line_observer = &*log_;
        if (settings_.shows_engine_lines) options.line_observer = &engine_lines_;
        options.wishes.lines_of_moves = settings_.pgn.pv;
        options.wishes.lines = settings_.pgn.match_lines;
        if (!settings_.pgn.file.empty()) options.games_files.push_back(settings_.pgn.file);
        if (!settings_.epd.file.empty()) options.games_files.push_back(settings_.epd.file);
        options.outputs = options.games_files;
        return options;
    }

    int code_of(const harness::RunOutcome& outcome) {
        if (outcome.signal != 0)
            return outcome.signal == SIGINT ? kFailed : kOfSignal + outcome.signal;
        if (outcome.ends.empty()) return kFailed;
        const MatchEnd& end = outcome.ends.back();
        switch (end.cause) {
            case MatchEnd::Cause::Played:
            case MatchEnd::Cause::Decided:
            case MatchEnd::Cause::BookExhausted:
            case MatchEnd::Cause::OutOfTime:
                return 0;
            case MatchEnd::Cause::CannotStart:
                tell_start_failure(
                    settings_.engines.at(static_cast<std::size_t>(std::max(0, end.program))),
                    end.is_silent ? "Engine didn't respond to uciok after startup"
                                  : first_line(end.message));
                return kFailed;
            case MatchEnd::Cause::MachineFailed:
            case MatchEnd::Cause::StoreFailed:
            case MatchEnd::Cause::NotPlayed:
                out_.line("Match failed with exception: " + first_line(end.message));
                return kFailed;
            case MatchEnd::Cause::KeepsFailing:
            case MatchEnd::Cause::Interrupted:
                break;
        }
        return kFailed;
    }

    static std::string first_line(const std::string& text) {
        return text.substr(0, text.find('\n'));
    }

    bool can_start(const harness::RunPlan& plan) {
        for (std::size_t i = 0; i < plan.programs.size(); ++i) {
            try {
                (void)harness::resolve_executable(plan.programs[i]);
            } catch (const Error& error) {
                tell_start_failure(settings_.engines.at(i), first_line(error.what()), true);
                return false;
            }
        }
        return true;
    }

    /// `is_file_bad`: it cannot be executed, so that nothing was started.
    void tell_start_failure(const configs::dropin::EngineSettings& engine, const std::string& why,
                            bool is_file_bad = false) {
        if (is_fastchess()) {
            out_.line(fmt::format("Fatal; {} engine startup failure: \"{}\"", engine.name, why));
            return;
        }
        const std::string text =
            is_file_bad ? fmt::format("Cannot start engine {}:\nCannot execute command: {}",
                                      engine.name, engine.command)
                        : fmt::format("Could not initialize player {}: {}", engine.name, why);
        std::fprintf(stderr, "Warning: %s\n", text.c_str());
    }

    /// Where nothing reads the output any more the match ends, as the other runner's does by
    /// SIGPIPE.
    void print(const std::string& line) {
        out_.line(line);
        if (out_.is_broken()) stop_.request_stop();
    }

    /// The run ends then, and nothing of it is told any more.
    void on_warned() {
        if (settings_.is_strict) stop_.request_stop();
    }

    /// The file of results, by which -config goes on.
    void save(const reports::dropin::Scoreboard& board) {
        std::vector<configs::dropin::CoupleResults> results;
        for (const auto& [couple, counts] : board.couples())
            results.push_back({couple.first, couple.second, counts});
        if (results.empty() && settings_.engines.size() == 2) results.push_back({0, 1, {}});
        try {
            ReplacedFile file(settings_.config_name);
            std::error_code error;
            const auto place = std::filesystem::absolute(store_, error);
            file.write(configs::dropin::result_file_text(settings_, results,
                                                         {place.string(), options_.command_line}));
            file.commit();
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
    }

    RunnerSettings settings_;
    const configs::dropin::Surroundings& surroundings_;
    const MatchOptions& options_;
    LineOutput& out_;
    std::string folder_;
    std::string store_;
    bool is_resumed_ = false;
    std::int64_t earlier_games_ = 0;
    std::stop_source stop_;
    std::optional<RunnerLog> log_;
    EngineLines engine_lines_{[this](const std::string& line) { print(line); }};
    std::optional<TemporaryStore> temporary_;
    std::optional<reports::dropin::RunnerScreen> screen_;
    SteadyClock clock_;
    TimePoint started_ = clock_.now();
};

int check_engine(const std::vector<std::string>& command) {
    Command app("assay", "");
    Exit exit;
    app.require_subcommand(1);
    add_check(app, exit);
    std::vector<std::string> words{"check", command.front()};
    if (command.size() > 1) words.emplace_back("--");  // what follows is the engine's
    words.insert(words.end(), std::next(command.begin()), command.end());
    run_command_line(app, words);
    return exit.code == 0 ? 0 : kFailed;
}

}  // namespace

int run_match(Runner runner, const ParsedCommand& command,
              const configs::dropin::Surroundings& surroundings, const MatchOptions& options) {
    LineOutput out;
    const auto print_error = [&](const std::string& text) {
        if (runner == Runner::Fastchess)
            out.line(text);
        else
            std::fprintf(stderr, "%s\n", text.c_str());
    };
    for (const configs::dropin::Message& message : command.messages) {
        if (message.is_error)
            std::fprintf(stderr, "%s\n", message.text.c_str());
        else
            out.line(message.text);
    }
    int code = 0;
    try {
        switch (command.kind) {
            case ParsedCommand::Kind::Print:
                if (!command.text.empty()) out.line(command.text);
                break;
            case ParsedCommand::Kind::Refuse:
                print_error(command.text);
                code = kFailed;
                break;
            case ParsedCommand::Kind::Compliance:
                code = check_engine(command.compliance);
                break;
            case ParsedCommand::Kind::Play:
                if (const auto refused = bad_result_format(command.settings.result_format, out)) {
                    if (!refused->empty()) print_error(*refused);
                    code = kFailed;
                    break;
                }
                code = MatchRun(command.settings, surroundings, options, out).play();
                break;
        }
    } catch (const Error& error) {
        print_error(error_line(runner, error));
        code = kFailed;
    }
    out.finish();
    return code;
}

}  // namespace assay::cli
