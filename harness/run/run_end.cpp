// The last transaction of a run: its state, its findings and its summaries become durable together,
// so that no report sees a run that is finished and has no verdict. Listeners are told afterwards;
// what they show is what the store has.
//
// The state is the run's, not the verdict: finished means that all was played that the plan asked
// for or that the rule needed. What stopped it otherwise is looked for in order of weight: before
// the first game, a signal, the first match that failed. Running out of minutes is an end as good
// as any other, unless a later match failed.
#include "harness/run/run_end.h"

#include <algorithm>

#include "base/clock.h"
#include "harness/match/match_summary.h"
#include "harness/run/control_match.h"
#include "harness/tournament/tournament_state.h"

namespace assay::harness {

namespace {

/// By match, where the run is finished.
std::vector<std::string> summaries_of(const RunOutcome& outcome, const Store& store) {
    std::vector<std::string> summaries;
    if (outcome.run.state != RunState::Finished) return summaries;
    for (std::size_t i = 0; i < outcome.matches.size(); ++i) {
        summaries.push_back(to_json(summary_of(outcome.matches[i], store, outcome.run.id, i)));
    }
    return summaries;
}

/// Whether it was a program that ended a failed run.
bool is_programs_failure(const RunOutcome& outcome) {
    if (outcome.before != RunOutcome::Before::Ready) return !outcome.is_machines;
    return std::ranges::any_of(outcome.ends, [](const MatchEnd& end) {
        return end.cause == MatchEnd::Cause::CannotStart ||
               end.cause == MatchEnd::Cause::KeepsFailing;
    });
}

void write_end(const RunRecord& run, const std::vector<std::string>& summaries, bool has_findings,
               Store& store) {
    if (has_findings) store.set_findings(run.id, run.findings);
    store.set_state(run.id, run.state, run.end_reason);
    for (std::size_t i = 0; i < summaries.size(); ++i) store.set_summary(run.id, i, summaries[i]);
}

void tell_findings(const RunFindings& findings, const std::vector<Listener*>& listeners) {
    for (Listener* listener : listeners) {
        if (!findings.control.empty()) listener->on_warning("control", findings.control);
        for (const std::string& sentence : findings.drift) listener->on_warning("drift", sentence);
    }
}

}  // namespace

RunState state_after(const RunOutcome& outcome, std::string& reason) {
    if (outcome.before == RunOutcome::Before::CannotPlay ||
        outcome.before == RunOutcome::Before::BenchMismatch) {
        reason = outcome.before_reason;
        return RunState::Failed;
    }
    if (outcome.signal != 0) {
        reason = "stopped by a signal";
        return RunState::Interrupted;
    }
    reason.clear();
    if (outcome.before == RunOutcome::Before::Unchanged) reason = outcome.before_reason;
    for (const MatchEnd& end : outcome.ends) {
        switch (end.cause) {
            case MatchEnd::Cause::CannotStart:
            case MatchEnd::Cause::KeepsFailing:
            case MatchEnd::Cause::MachineFailed:
            case MatchEnd::Cause::StoreFailed:
            case MatchEnd::Cause::NotPlayed:
                reason = end.message;
                return RunState::Failed;
            case MatchEnd::Cause::OutOfTime:
                reason = kOutOfTime;  // a later match's failure is still looked for
                break;
            case MatchEnd::Cause::Played:
                if (!end.message.empty()) reason = end.message;
                break;
            case MatchEnd::Cause::Decided:
            case MatchEnd::Cause::BookExhausted:
            case MatchEnd::Cause::Interrupted:
                break;
        }
    }
    if (outcome.suite && outcome.suite->end.cause == SuiteEnd::Cause::StoreFailed) {
        reason = outcome.suite->end.message;
        return RunState::Failed;
    }
    return RunState::Finished;
}

void end_run(RunOutcome& outcome, const RunOptions& options, Store& store,
             const std::vector<Listener*>& listeners) {
    RunRecord& run = outcome.run;
    run.state = state_after(outcome, run.end_reason);
    const bool was_played = outcome.before == RunOutcome::Before::Ready;
    const bool is_unchanged = outcome.before == RunOutcome::Before::Unchanged;
    const bool has_findings = was_played || is_unchanged;
    run.findings.unchanged = is_unchanged ? outcome.before_reason : "";
    run.findings.failed_program.reset();
    if (run.state == RunState::Failed && is_programs_failure(outcome))
        run.findings.failed_program = true;
    run.findings.is_unplayed.reset();
    if (std::ranges::find(outcome.ends, MatchEnd::Cause::NotPlayed, &MatchEnd::cause) !=
        outcome.ends.end())
        run.findings.is_unplayed = true;
    bool is_durable = false;
    try {
        if (was_played) look_back(outcome, store);
        if (was_played && run.plan.tournament && !run.plan.tournament->require.empty())
            outcome.judged = judge_conditions(run.plan, tournament_state(store, run).played,
                                              run.findings.was_added_to());
        const std::vector<std::string> summaries = summaries_of(outcome, store);
        run.ended_us = wall_clock_us();
        if (has_findings && outcome.signal == 0) {
            run.findings.exit_code = outcome_of(outcome, options.inconclusive).exit_code;
        }
        // One transaction, which waits for the disk once.
        store.transaction([&] {
            const bool has_more = run.findings.failed_program || !run.findings.warnings.empty();
            write_end(run, summaries, has_findings || has_more, store);
        });
        is_durable = true;
    } catch (const StoreFailure&) {
        // The disk that ended the run may refuse its end too; as it stands there it can be resumed.
        if (run.state != RunState::Failed) throw;
        run.findings.exit_code.reset();
    }
    if (has_findings && is_durable) tell_findings(run.findings, listeners);
    for (Listener* listener : listeners) listener->on_run_end(run);
}

}  // namespace assay::harness
