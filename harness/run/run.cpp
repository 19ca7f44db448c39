#include "harness/run/run.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/stop_signals.h"
#include "harness/build/build_versions.h"
#include "harness/executor/local_executor.h"
#include "harness/executor/program_pool.h"
#include "harness/machine/machine.h"
#include "harness/match/budget.h"
#include "harness/match/match_setting.h"
#include "harness/plan/protocol_fit.h"
#include "harness/program/program_loop.h"
#include "harness/run/build_stage.h"
#include "harness/run/run_end.h"
#include "harness/run/run_opener.h"
#include "harness/store/live_file.h"
#include "harness/store/new_store.h"
#include "harness/store/store_lock.h"
#include "harness/store/store_writer.h"
#include "openings/book.h"

namespace assay::harness {

namespace {

constexpr Micros kInterruptGrace{500'000};
constexpr Micros kMetersEvery{2'000'000};
constexpr Micros kShownEvery{500'000};  // the games in play
constexpr std::size_t kMostGamesShown = 256;

/// While it lives, stop signals are blocked on this thread and those it starts; the event loop
/// reads them. Before that they end the process at once: nothing is lost while a run is being
/// opened, and reading a large book can take long.
class StopSignalsHeld {
public:
    StopSignalsHeld() { (void)::pthread_sigmask(SIG_BLOCK, &set_, &before_); }

    StopSignalsHeld(const StopSignalsHeld&) = delete;
    StopSignalsHeld& operator=(const StopSignalsHeld&) = delete;

    ~StopSignalsHeld() {
        // What came after the last match was over has nothing left to stop; it must not end the
        // process before the results are written.
        while (take() != 0) continue;
        (void)::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    /// A signal that waits, taken; 0 where there is none.
    [[nodiscard]] int take() const {
        const timespec at_once{};
        const int signal = ::sigtimedwait(&set_, nullptr, &at_once);
        return signal > 0 ? signal : 0;
    }

private:
    sigset_t set_ = stop_signal_set();
    sigset_t before_{};
};

RunningProgram::Limits limits_of(const RunPlan& plan) {
    RunningProgram::Limits limits;
    limits.start = plan.start_limit;
    limits.ready = plan.ready_limit.value_or(plan.start_limit);
    return limits;
}

/// One session: an event loop, a store writer, and the matches one after the other.
class MatchSession {
public:
    MatchSession(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                 const RunOptions& options, Store& store, LiveFile& live,
                 const std::vector<Listener*>& listeners, const Clock& clock)
        : outcome_(outcome),
          settings_(settings),
          options_(options),
          store_(store),
          live_(live),
          listeners_(listeners),
          clock_(clock),
          epoch_us_(wall_clock_us() - micros_between(TimePoint{}, clock.now()).count()),
          loop_(clock, options.log_dir),
          pool_(loop_.players(), clock, limits_of(outcome.run.plan)),
          writer_(
              Store(options.store, Store::Access::Write),
              [this](const Written& written) {
                  loop_.post([this, written] { on_written(written); });
              },
              [this](const std::string& error) {
                  loop_.post([this, error] { on_store_error(error); });
              }) {}

    void play(std::size_t match) {
        pool_.tell([this](const std::string& text) {
            for (Listener* listener : listeners_) listener->on_warning("process", text);
        });
        match_ = match;
        const RunRecord& run = outcome_.run;
        const MatchPlan& plan = run.plan.matches[match];
        const MatchSetting& setting = settings_[match];
        pool_.keep(needed_after(match));
        executor_ = std::make_unique<LocalExecutor>(executor_setup(plan, setting), pool_, clock_);
        runner_ = std::make_unique<MatchRunner>(
            runner_setup(plan, setting), *executor_, clock_,
            [this](GameRecord game, const std::optional<PairDigest>& pair) {
                save(std::move(game), pair);
            },
            [this](const PairDigest& pair) { writer_.enqueue_pair(outcome_.run.id, match_, pair); },
            listeners_);
        const std::vector<GameRecord> open = store_.half_pairs(run.id, match);
        runner_->restore(store_.pairs(run.id, match), open, store_.meters(run.id, match),
                         store_.pv_summary(run.id, match));
        for (Listener* listener : listeners_) {
            listener->on_match_start(run, match, concurrency_of(run.plan, plan));
            listener->on_restored(runner_->tally(), open);
        }
        runner_->start(clock_.now());
        loop_.run({[this](TimePoint now) { on_tick(now); }, [this] { interrupt(clock_.now()); },
                   [this] { return runner_->is_done(); }});
        finish_match();
    }

    /// No match follows: programs that were kept for one end.
    void finish() {
        if (loop_.signal() != 0) return;  // they have ended, or a second signal came
        pool_.end_all();
        loop_.run({[this](TimePoint now) { pool_.tick(now); },
                   [this] { pool_.hurry(clock_.now(), kInterruptGrace); },
                   [this] { return pool_.is_settled(); }});
    }

    [[nodiscard]] int signal() const { return loop_.signal(); }

private:
    using Specs = std::map<std::size_t, adapters::ProgramSpec>;

    /// What is needed to start the programs of a match, by program of the plan.
    [[nodiscard]] Specs specs_of(const MatchPlan& plan) const {
        Specs specs;
        for (const std::size_t program : plan.between) {
            const VersionRecord& version = outcome_.run.versions.at(program);
            const ProgramPlan placed = placed_program(outcome_.run.plan.programs[program], version);
            specs[program] = spec_of(placed, version, plan.game.name);
            specs[program].ponder = plan.ponder;
            specs[program].kept_lines = options_.wishes.lines;
        }
        return specs;
    }

    /// Processors of slots; empty: no affinity.
    [[nodiscard]] static std::vector<std::vector<int>> cpus_of(const MatchPlan& plan) {
        std::vector<std::vector<int>> cpus;
        if (!plan.affinity) return cpus;
        for (const int cpu : allowed_cpus()) cpus.push_back({cpu});
        return cpus;
    }

    /// The programs that later matches of this run will take from the pool, and how many of each.
    /// Pinned programs are not kept: slots of a later match need not have the same processors.
    [[nodiscard]] std::vector<std::pair<adapters::ProgramSpec, int>> needed_after(
        std::size_t match) const {
        std::vector<std::pair<adapters::ProgramSpec, int>> needed;
        const RunPlan& run = outcome_.run.plan;
        for (std::size_t later = match + 1; later < run.matches.size(); ++later) {
            const MatchPlan& plan = run.matches[later];
            if (plan.affinity) continue;
            for (const auto& [program, spec] : specs_of(plan)) {
                const auto entrants = std::ranges::count(plan.between, program);
                const int most = static_cast<int>(entrants) * concurrency_of(run, plan);
                const auto known =
                    std::ranges::find(needed, spec, &std::pair<adapters::ProgramSpec, int>::first);
                if (known == needed.end()) {
                    needed.emplace_back(spec, most);
                } else {
                    known->second = std::max(known->second, most);
                }
            }
        }
        return needed;
    }

    LocalExecutor::Setup executor_setup(const MatchPlan& plan, const MatchSetting& setting) {
        const RunPlan& run = outcome_.run.plan;
        return {plan,
                specs_of(plan),
                {plan.time.begin(), plan.time.end()},
                *setting.game,
                concurrency_of(run, plan),
                run.start_limit,
                cpus_of(plan),
                [this] { return queue_meter_.total(); },
                run.seed.value_or(0),
                outcome_.machine,
                options_.wishes.lines_of_moves};
    }

    MatchRunner::Setup runner_setup(const MatchPlan& plan, const MatchSetting& setting) {
        const RunPlan& run = outcome_.run.plan;
        const auto [a, b] = plan.between;
        return {plan,
                {run.programs[a].name, run.programs[b].name},
                setting.opening_of,
                setting.openings,
                run.failures_in_a_row,
                options_.extend > 0,
                [this] { writer_.hurry(); }};
    }

    void save(GameRecord game, const std::optional<PairDigest>& pair) {
        WriteJob job;
        job.run = outcome_.run.id;
        job.match = match_;
        job.game = std::move(game);
        job.pair = pair;
        writer_.enqueue(std::move(job));
    }

    void on_written(const Written& written) {
        if (!runner_) return;
        if (!written.is_durable()) {
            runner_->on_not_durable(written.error);
        } else if (written.finished) {
            runner_->on_durable(*written.finished);
        } else {
            runner_->on_game_durable();
        }
        loop_.check();
    }

    void on_store_error(const std::string& error) {
        if (!runner_) return;  // the match is over; its last transaction reports the failure
        runner_->on_store_failed(error);
        loop_.check();
    }

    void show_games() {
        LiveState state{outcome_.run.id, match_, 0, epoch_us_, {}};
        executor_->show_games(kMostGamesShown, state);
        live_.put(std::move(state));
    }

    void interrupt(TimePoint now) {
        pool_.end_all();  // no match follows
        runner_->interrupt(now, kInterruptGrace);
    }

    void on_tick(TimePoint now) {
        runner_->tick(now);
        if (options_.stop.stop_requested()) interrupt(now);
        if (now >= next_shown_) {
            next_shown_ = now + kShownEvery;
            show_games();
        }
        if (now < next_meters_) return;
        // The minutes used are not forgotten by a kill.
        next_meters_ = now + kMetersEvery;
        writer_.enqueue_meters(outcome_.run.id, match_, runner_->meters(now));
    }

    void finish_match() {
        show_games();  // none is left
        writer_.flush();
        std::vector<VersionRecord>& versions = outcome_.run.versions;
        for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
            const auto& identity = runner_->identities()[side];
            if (!identity) continue;
            VersionRecord& version = versions[outcome_.run.plan.matches[match_].between[side]];
            version.id_name = identity->name;
            version.id_author = identity->author;
        }
        // One transaction, which waits for the disk once.
        store_.transaction([&] {
            store_.set_meters(outcome_.run.id, match_, runner_->meters(clock_.now()));
            store_.set_versions(outcome_.run.id, versions);
        });
        outcome_.ends.push_back(runner_->end());
        for (Listener* listener : listeners_) listener->on_match_end(match_, runner_->tally());
        outcome_.matches.push_back(runner_->take_tally());
        runner_.reset();
        executor_.reset();
    }

    RunOutcome& outcome_;
    const std::vector<MatchSetting>& settings_;
    const RunOptions& options_;
    Store& store_;
    LiveFile& live_;
    const std::vector<Listener*>& listeners_;
    const Clock& clock_;
    long long epoch_us_;  // LiveState::epoch_us
    RunQueueMeter queue_meter_;
    ProgramLoop loop_;
    ProgramPool pool_;
    std::unique_ptr<LocalExecutor> executor_;
    std::unique_ptr<MatchRunner> runner_;
    StoreWriter writer_;
    std::size_t match_ = 0;
    TimePoint next_meters_{};
    TimePoint next_shown_{};
};

bool has_failed(const RunOutcome& outcome) {
    std::string ignored;
    return state_after(outcome, ignored) == RunState::Failed;
}

std::string moved_text(const RunRecord& run, std::int64_t machine) {
    const auto text = [&](std::int64_t number) {
        const MachineRecord& one = run.machine_of(number);
        return fmt::format("{} ({})", one.host, one.cpu);
    };
    return fmt::format(
        "the run began on {} and continues on {}: its games have two speeds, and the checks "
        "compare their results",
        text(0), text(machine));
}

bool is_over(const RunOutcome& outcome, bool gate) {
    const MatchEnd::Cause cause = outcome.ends.back().cause;
    const bool was_played = cause == MatchEnd::Cause::Played || cause == MatchEnd::Cause::Decided ||
                            cause == MatchEnd::Cause::BookExhausted;
    if (!was_played && cause != MatchEnd::Cause::OutOfTime) return true;
    return gate && outcome.matches.back().verdict() != Verdict::Accepted;
}

void play_matches(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                  const RunOptions& options, Store& store, LiveFile& live,
                  const std::vector<Listener*>& listeners, const Clock& clock,
                  const StopSignalsHeld& held) {
    const std::size_t matches = outcome.run.plan.matches.size();
    if (matches == 0) return;
    MatchSession session(outcome, settings, options, store, live, listeners, clock);
    for (std::size_t i = 0; i < matches; ++i) {
        session.play(i);
        outcome.signal = session.signal();
        if (outcome.signal == 0 && options.stop.stop_requested()) outcome.signal = SIGINT;
        if (outcome.signal != 0 || is_over(outcome, options.gate)) break;
        // Between two matches nobody reads them.
        if (i + 1 < matches) outcome.signal = held.take();
        if (outcome.signal != 0) break;
    }
    session.finish();
    if (outcome.signal == 0) outcome.signal = session.signal();
}

void search(RunOutcome& outcome, const RunOptions& options, Store& store,
            const std::vector<Listener*>& listeners, const Clock& clock,
            const StopSignalsHeld& held) {
    if (!outcome.run.plan.suite || outcome.signal != 0) return;
    outcome.signal = held.take();
    if (outcome.signal != 0 || has_failed(outcome)) return;
    outcome.suite = search_suite(outcome.run, store, options.log_dir, listeners, clock);
    outcome.signal = outcome.suite->signal;
}

/// A book that is a pipe is waited for without a limit, as whoever writes it decides.
void tell_of_pipes(const RunPlan& plan, const std::vector<Listener*>& listeners) {
    std::set<std::string> pipes;
    for (const MatchPlan& match : plan.matches) {
        std::error_code ignored;
        const std::string& book = match.openings.book;
        if (std::filesystem::is_fifo(book, ignored)) pipes.insert(book);
    }
    for (const std::string& book : pipes) {
        const std::string text =
            fmt::format("reading the book '{}' from a pipe, until its writer closes it", book);
        for (Listener* listener : listeners) listener->on_note(text);
    }
}

void warn_of_books(const RunPlan& plan, const std::vector<MatchSetting>& settings,
                   const std::vector<Listener*>& listeners) {
    const auto warn = [&listeners](std::string_view kind, const std::string& text) {
        for (Listener* listener : listeners) listener->on_warning(kind, text);
    };
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (const auto shortage = book_shortage(plan.matches[i], settings[i])) {
            warn("openings", *shortage);
        }
        if (!settings[i].book) continue;
        for (const Diagnostic& warning : settings[i].book->warnings()) {
            std::string text = format(warning);
            text.pop_back();
            warn("book", text);
        }
    }
}

}  // namespace

RunOutcome execute(const RunPlan& plan, const RunOptions& options,
                   const std::vector<Listener*>& listeners, const Clock& clock) {
    // A reader of our output that goes away ends no run, also while versions are built.
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    check_protocols(plan);
    int concurrency = 1;
    for (const MatchPlan& match : plan.matches) {
        concurrency = std::max(concurrency, concurrency_of(plan, match));
    }
    if (plan.suite) concurrency = std::max(concurrency, suite_concurrency(plan));
    const RunLock lock(options.store, concurrency);
    LiveFile live(options.store);
    tell_of_pipes(plan, listeners);
    RunOpener opener(plan, options);
    NewStore made(options.store);
    Store store(options.store, Store::Access::Write);
    std::vector<MatchSetting> settings;
    Versions versions(plan, store, options.outputs, [&](const std::string& text) {
        for (Listener* listener : listeners) listener->on_note(text);
    });
    RunOutcome outcome = opener.open(store, versions, settings);
    made.keep();
    if (outcome.before == RunOutcome::Before::Skipped) return outcome;
    live.put({outcome.run.id, 0, 0, 0, {}});  // no game yet
    const StopSignalsHeld held;
    prepare(outcome, versions, store, listeners, clock, options.extend == 0);
    for (Listener* listener : listeners) listener->on_run_start(outcome.run);
    warn_of_books(outcome.run.plan, settings, listeners);
    for (const std::string& warning : lock.warnings()) {
        for (Listener* listener : listeners) listener->on_warning("machine", warning);
    }
    for (const MatchPlan& match : outcome.run.plan.matches) {
        const auto crowd = crowding(outcome.run.plan, match);
        if (!crowd) continue;
        for (Listener* listener : listeners) {
            listener->on_warning("machine", "match '" + match.name + "': " + *crowd);
        }
    }
    if (outcome.machine != 0) {
        const std::string text = moved_text(outcome.run, outcome.machine);
        for (Listener* listener : listeners) listener->on_warning("machine", text);
    }
    if (outcome.before == RunOutcome::Before::Ready) {
        try {
            play_matches(outcome, settings, options, store, live, listeners, clock, held);
            search(outcome, options, store, listeners, clock, held);
        } catch (const StoreFailure& failure) {
            outcome.ends.push_back({MatchEnd::Cause::StoreFailed, -1, failure.what()});
        }
    }
    // The same hangup told again must not end the process before its artefacts are written.
    if (outcome.signal == SIGHUP) static_cast<void>(std::signal(SIGHUP, SIG_IGN));
    end_run(outcome, options, store, listeners);
    return outcome;
}

}  // namespace assay::harness
