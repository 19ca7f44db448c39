// A run from its start to its end, in an order that costs the least where something is wrong: what
// the plan alone can tell comes first, then the lock, the store, books and programs, then builds,
// then games. The lock is held for the whole run. Stop signals end the process at once until the
// run is in the store, because nothing is lost until then and a large book can take long; from then
// on they are held back, and the event loop reads them.
//
// With --no-play the same way is gone without games: what is stored is judged as if it had just
// been played, and whatever a verdict would need and nobody has measured is named.
//
// A failure of the store ends the run like any other cause and is reported; only its own last
// transaction may fail with it (run_end.cpp).
#include "harness/run/run.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/stop_signals.h"
#include "harness/build/bench_run.h"
#include "harness/build/build_versions.h"
#include "harness/executor/fleet_match.h"
#include "harness/executor/folder/coordinator_lock.h"
#include "harness/executor/folder/tasks_elsewhere.h"
#include "harness/executor/places.h"
#include "harness/machine/machine.h"
#include "harness/match/budget.h"
#include "harness/match/match_setting.h"
#include "harness/match/pair_counter.h"
#include "harness/plan/protocol_fit.h"
#include "harness/plan/tournament_plan.h"
#include "harness/run/build_stage.h"
#include "harness/run/kept_warnings.h"
#include "harness/run/open/run_opener.h"
#include "harness/run/open/start_warnings.h"
#include "harness/run/run_end.h"
#include "harness/run/session/match_session.h"
#include "harness/run/stop_signals_held.h"
#include "harness/store/live_file.h"
#include "harness/store/new_store.h"
#include "harness/store/store_lock.h"
#include "harness/tournament/tournament_state.h"

namespace assay::harness {

namespace {

bool has_failed(const RunOutcome& outcome) {
    std::string ignored;
    return state_after(outcome, ignored) == RunState::Failed;
}

/// `assay fleet stop` has ended a match, as a signal does.
bool is_paused(const RunOutcome& outcome) {
    return !has_failed(outcome) && std::ranges::any_of(outcome.ends, [](const MatchEnd& end) {
        return end.cause == MatchEnd::Cause::Interrupted;
    });
}

bool is_over(const RunOutcome& outcome, bool gate) {
    if (!std::ranges::all_of(outcome.ends, has_come_to_its_end)) return true;
    return gate && outcome.matches.back().verdict() != Verdict::Accepted;
}

void play_matches(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                  const RunOptions& options, Store& store, LiveFile& live,
                  const std::vector<Listener*>& listeners, const Clock& clock,
                  const StopSignalsHeld& held, std::shared_ptr<CoordinatorLock> coordinator) {
    const bool is_tournament = outcome.run.plan.tournament.has_value();
    const std::size_t matches = is_tournament ? 0 : outcome.run.plan.matches.size();
    if (matches == 0 && !is_tournament) return;
    MatchSession session(outcome, settings, options, store, live, listeners, clock,
                         std::move(coordinator));
    if (is_tournament) {
        session.play_tournament();
        outcome.signal = session.signal();
        if (outcome.signal == 0 && options.stop.stop_requested()) outcome.signal = SIGINT;
    }
    for (std::size_t i = 0; i < matches;) {
        const std::size_t first = i;
        // A later match of a gate is not begun before the verdict on the earlier; of a fleet each
        // match has all slots.
        i = options.gate || outcome.run.plan.slurm ? first + 1
                                                   : end_of_sharing(outcome.run.plan, first);
        session.play(first, i);
        outcome.signal = session.signal();
        if (outcome.signal == 0 && options.stop.stop_requested()) outcome.signal = SIGINT;
        if (outcome.signal == 0 && is_paused(outcome)) outcome.signal = SIGTERM;
        if (outcome.signal != 0 || is_over(outcome, options.gate)) break;
        // Between two matches nobody reads them.
        if (i < matches) outcome.signal = held.take();
        if (outcome.signal != 0) break;
    }
    session.finish();
    if (outcome.signal == 0) outcome.signal = session.signal();
}

/// The end of a match that nobody plays on. `openings`: MatchSetting::openings.
MatchEnd end_without_play(MatchTally& tally, std::optional<std::int64_t> openings) {
    const std::int64_t pairs = tally.plan().pairs;
    const std::int64_t over = tally.pairs() + tally.duplicates();
    if (tally.pairs() >= pairs) return {MatchEnd::Cause::Played, -1, ""};
    if (tally.verdict() != Verdict::None) return {MatchEnd::Cause::Decided, -1, ""};
    if (openings && over >= *openings) {
        tally.close(true, false);
        return {MatchEnd::Cause::BookExhausted, -1, ""};
    }
    return {MatchEnd::Cause::NotPlayed, -1,
            fmt::format("match '{}' lacks pairs: {} of {} count so far{}; without --no-play the "
                        "others are played",
                        tally.plan().name, tally.pairs(), pairs,
                        tally.waiting() > 0
                            ? fmt::format(", and {} wait for one before them", tally.waiting())
                            : "")};
}

/// What a run without play cannot know, and a verdict needs; empty: nothing.
std::string unmeasured(const RunRecord& run) {
    if (run.plan.suite) return "the suite has not been searched";
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i) {
        if (run.plan.matches[i].require.speed_percent && speed_of_match(run.findings, i) == nullptr)
            return "the speed that is required has not been measured";
    }
    return "";
}

/// The table of a tournament of which everything has been played; otherwise it has no result yet.
void judge_tournament(RunOutcome& outcome, const Store& store,
                      const std::vector<Listener*>& listeners) {
    const TournamentState state = tournament_state(store, outcome.run);
    MatchEnd end{MatchEnd::Cause::Played, -1, ""};
    if (!state.is_over)
        end = {MatchEnd::Cause::NotPlayed, -1,
               "the tournament lacks games; without --no-play they are played"};
    outcome.ends.push_back(end);
    for (Listener* listener : listeners) listener->on_tournament_end(outcome.run, state);
}

/// What the games that are there say of each match, as if all had just been played.
void judge_matches(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                   const RunOptions& options, const Store& store,
                   const std::vector<Listener*>& listeners) {
    const RunRecord& run = outcome.run;
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i) {
        const MatchPlan& match = run.plan.matches[i];
        MatchTally tally = tally_of(store, run, i);
        const std::vector<PairDigest> pairs = store.pairs(run.id, i);
        for (Listener* listener : listeners) {
            listener->on_match_start(run, i, concurrency_of(run.plan, match));
            listener->on_restored(tally, pairs, store.half_pairs(run.id, i));
        }
        outcome.ends.push_back(end_without_play(tally, settings.at(i).openings));
        for (Listener* listener : listeners) listener->on_match_end(i, tally);
        outcome.matches.push_back(std::move(tally));
        if (is_over(outcome, options.gate)) break;
    }
    if (const std::string lack = unmeasured(run); !lack.empty())
        outcome.ends.push_back({MatchEnd::Cause::NotPlayed, -1,
                                lack + ", and --no-play starts no program; --resume alone does"});
}

/// What is stored is judged as if it had just been played.
void judge(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
           const RunOptions& options, const Store& store, const std::vector<Listener*>& listeners) {
    if (outcome.run.plan.tournament)
        judge_tournament(outcome, store, listeners);
    else
        judge_matches(outcome, settings, options, store, listeners);
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

/// Keeps in the store where the run's fleet is. Where it goes on without that: whether workers
/// still play it (tasks_elsewhere).
std::string note_fleet(RunRecord& run, Store& store) {
    if (!run.plan.slurm) return tasks_elsewhere(run);
    run.findings.fleet = run.plan.slurm->folder + "/" + run.uid;
    store.set_findings(run.id, run.findings);
    return "";
}

/// Null of a run without a fleet. Throws Error where another assay coordinates the run; it can be
/// resumed then, as before.
std::shared_ptr<CoordinatorLock> coordinate(const RunRecord& run, Store& store) {
    if (!run.plan.slurm) return nullptr;
    try {
        return coordinator_lock(run, store);
    } catch (const Error&) {
        // The record has the state that the run had; of one that was extended the rest is open.
        const bool stays = run.state == RunState::Failed || run.state == RunState::Interrupted;
        store.set_state(run.id, stays ? run.state : RunState::Interrupted,
                        stays ? run.end_reason : "");
        throw;
    }
}

/// The most games or positions at once on this machine.
int concurrency_of_run(const RunPlan& plan) {
    int most = plan.suite ? suite_concurrency(plan) : 1;
    if (plan.slurm) return most;  // other machines play
    for (const MatchPlan& match : distinct_matches(plan))
        most = std::max(most, concurrency_of(plan, match));
    return most;
}

/// The processors that the programs of a run may use.
std::vector<int> cpus_of(const RunPlan& plan) {
    std::set<int> pinned;
    bool is_pinned = !plan.suite && !plan.slurm;
    for (const MatchPlan& match : distinct_matches(plan)) {
        if (plan.slurm) break;
        const std::vector<std::vector<int>> slots = pinned_to(plan, match);
        is_pinned = is_pinned && !slots.empty();
        for (const std::vector<int>& slot : slots) pinned.insert(slot.begin(), slot.end());
    }
    if (is_pinned && !pinned.empty()) return {pinned.begin(), pinned.end()};
    return allowed_cpus();
}

}  // namespace

RunOutcome execute(const RunPlan& plan, const RunOptions& options,
                   const std::vector<Listener*>& shown_by, const Clock& clock) {
    KeptWarnings warnings;
    std::vector<Listener*> listeners = shown_by;
    listeners.push_back(&warnings);
    // A reader of our output that goes away ends no run, also while versions are built.
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    check_protocols(plan);
    const RunLock lock(options.store, concurrency_of_run(plan), cpus_of(plan));
    LiveFile live(options.store);
    tell_of_pipes(plan, listeners);
    RunPlan asked = plan;
    RunOpener opener(asked, options);
    NewStore made(options.store);
    Store store(options.store, Store::Access::Write);
    std::vector<MatchSetting> settings;
    Versions versions(asked, store, options.outputs, [&](const std::string& text) {
        for (Listener* listener : listeners) listener->on_note(text);
    });
    RunOutcome outcome = opener.open(store, versions, settings);
    outcome.run.plan.slurm = plan.slurm;
    made.keep();
    if (outcome.before == RunOutcome::Before::Skipped) return outcome;
    const std::string elsewhere = options.plays ? note_fleet(outcome.run, store) : "";
    // Before anything is built, and kept over all matches.
    const std::shared_ptr<CoordinatorLock> coordinator =
        options.plays ? coordinate(outcome.run, store) : nullptr;
    live.put({outcome.run.id, 0, 0, 0, {}});  // no game yet
    const StopSignalsHeld held;
    const bool may_skip = options.extend == 0 && !options.shard;
    if (options.plays && !options.batch) {
        const CoordinatorBeats beats(coordinator.get());
        prepare(outcome, versions, store, listeners, clock, may_skip);
    }
    for (Listener* listener : listeners) listener->on_run_start(outcome.run);
    if (outcome.run.shard && !options.batch) tell_of_shard(outcome.run, listeners);
    warn_at_start(outcome.run, settings, outcome.machine, lock.warnings(), listeners);
    if (!elsewhere.empty())
        for (Listener* listener : listeners) listener->on_warning("slurm", elsewhere);
    if (outcome.before == RunOutcome::Before::Ready) {
        try {
            if (options.plays) {
                play_matches(outcome, settings, options, store, live, listeners, clock, held,
                             coordinator);
                search(outcome, options, store, listeners, clock, held);
            } else {
                judge(outcome, settings, options, store, listeners);
            }
        } catch (const StoreFailure& failure) {
            outcome.ends.push_back({MatchEnd::Cause::StoreFailed, -1, failure.what()});
        }
    }
    // The same hangup told again must not end the process before its artefacts are written.
    if (outcome.signal == SIGHUP) static_cast<void>(std::signal(SIGHUP, SIG_IGN));
    outcome.run.findings.warnings = warnings.after(std::move(outcome.run.findings.warnings));
    end_run(outcome, options, store, listeners);
    return outcome;
}

}  // namespace assay::harness
