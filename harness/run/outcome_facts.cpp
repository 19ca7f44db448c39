// What the outcome of a run depends on, of a run that this process has played and of a run that is
// read from a store.
//
// The store does not keep why each match ended; it keeps the run's state and the exit code that the
// command returned. A failed run whose command returned 1 was failed by its first program.
#include "harness/run/outcome_facts.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "harness/build/bench_run.h"
#include "harness/run/requirements.h"
#include "harness/run/run.h"

namespace assay::harness {

namespace {

using End = OutcomeFacts::End;

MatchFacts facts_of_plan(const MatchPlan& plan, const RunRecord& run, std::size_t match) {
    const SpeedFinding* const speed = speed_of_match(run.findings, match);
    MatchFacts facts;
    facts.is_control = plan.is_control;
    facts.has_rule = plan.stop.rule != StopPlan::Rule::None;
    facts.is_speed_open = speed != nullptr && speed->state == SpeedFinding::State::Undecided;
    return facts;
}

/// A search without a tree is the first program's fault where a gate's build under test crashed or
/// hung in it: that is a finding about it. Everything else is a failure of the run.
Blame blame_for_searches(const RunRecord& run, const SuiteResult& suite) {
    const std::size_t programs = run.plan.suite ? run.plan.suite->programs.size() : 0;
    Blame blame = Blame::Nobody;
    for (const SearchRecord& search : suite.searches) {
        if (!search.is_failure()) continue;
        const bool is_finding = search.end == SearchEnd::Crash || search.end == SearchEnd::Hang;
        const bool is_baseline = programs > 1 && search.program + 1 == programs;
        if (!is_gate(run) || !is_finding || is_baseline) return Blame::Other;
        blame = Blame::FirstProgram;
    }
    return blame;
}

void add_suite(OutcomeFacts& facts, const RunRecord& run, const SuiteResult& suite) {
    facts.search_blame = blame_for_searches(run, suite);
    facts.is_suite_broken = suite.count(Holds::No) > 0;
    facts.is_suite_open = suite.count(Holds::Unknown) > 0;
}

/// Whether a gate is about this program: the first of a match; of a tournament one that a condition
/// names.
bool is_under_test(const RunPlan& plan, int program) {
    if (!plan.tournament) return program == 0;
    if (program < 0) return false;
    const std::string& name = plan.programs.at(static_cast<std::size_t>(program)).name;
    return std::ranges::find(plan.tournament->require, name, &TournamentCondition::program) !=
           plan.tournament->require.end();
}

Blame blame_for(const MatchEnd& end, const RunRecord& run) {
    switch (end.cause) {
        case MatchEnd::Cause::KeepsFailing:
            // The program had been well in this run and broke: that is a finding about it.
            return is_gate(run) && is_under_test(run.plan, end.program) ? Blame::FirstProgram
                                                                        : Blame::Other;
        case MatchEnd::Cause::NotPlayed:
            return Blame::NotPlayed;
        case MatchEnd::Cause::CannotStart:
        case MatchEnd::Cause::MachineFailed:
        case MatchEnd::Cause::StoreFailed:
            return Blame::Other;
        case MatchEnd::Cause::Played:
        case MatchEnd::Cause::Decided:
        case MatchEnd::Cause::BookExhausted:
        case MatchEnd::Cause::OutOfTime:
        case MatchEnd::Cause::Interrupted:
            break;
    }
    return Blame::Nobody;
}

/// Who is to blame for the end of a run that no signal stopped; Nobody: it finished.
Blame blame_for(const RunOutcome& played) {
    using Before = RunOutcome::Before;
    if (played.before == Before::CannotPlay) return Blame::Other;
    if (played.before == Before::BenchMismatch) return Blame::FirstProgram;
    for (const MatchEnd& end : played.ends) {
        const Blame blame = blame_for(end, played.run);
        if (blame != Blame::Nobody) return blame;
    }
    if (played.suite && played.suite->end.cause == SuiteEnd::Cause::StoreFailed)
        return Blame::Other;
    return Blame::Nobody;
}

}  // namespace

MatchFacts match_facts(const MatchTally& tally, const RunRecord& run, std::size_t match) {
    MatchFacts facts = facts_of_plan(tally.plan(), run, match);
    facts.verdict = tally.verdict();
    facts.is_tainted = tally.is_tainted();
    facts.is_broken = !broken_requirements(tally, run).empty();
    return facts;
}

MatchFacts match_facts(const MatchSummary& summary, const RunRecord& run, std::size_t match) {
    const MatchPlan& plan = run.plan.matches.at(match);
    MatchFacts facts = facts_of_plan(plan, run, match);
    facts.verdict = summary.verdict;
    facts.is_tainted = summary.is_tainted;
    facts.is_broken = !broken_requirements(summary.all_failures, plan, run).empty();
    return facts;
}

bool is_gate(const RunRecord& run) {
    if (run.findings.is_gate) return *run.findings.is_gate;
    // Older stores keep only the command's words.
    const std::vector<std::string_view> words = split_words(run.command_line);
    return words.size() > 1 && words[1] == "gate";
}

OutcomeFacts stored_facts(const RunRecord& run, const SuiteResult* suite,
                          std::optional<int> returned) {
    OutcomeFacts facts;
    facts.is_gate = is_gate(run);
    facts.returned = returned;
    facts.has_odd_control = !run.findings.control.empty();
    facts.is_unchanged = !run.findings.unchanged.empty();
    switch (run.state) {
        case RunState::Running:
            facts.end = End::Open;
            break;
        case RunState::Interrupted:
            facts.end = End::Stopped;
            break;
        case RunState::Failed:
            facts.end = End::Failed;
            facts.blame = returned == kExitRejected  ? Blame::FirstProgram
                          : run.findings.is_unplayed ? Blame::NotPlayed
                                                     : Blame::Other;
            break;
        case RunState::Finished:
            break;
    }
    // A signal may come after the last game was stored and before the reports were written: the row
    // says finished then, and the code knows better.
    if (returned.value_or(0) >= kExitSignal && facts.end != End::Open) facts.end = End::Stopped;
    if (suite != nullptr) add_suite(facts, run, *suite);
    return facts;
}

OutcomeFacts played_facts(const RunOutcome& played) {
    OutcomeFacts facts;
    facts.is_gate = is_gate(played.run);
    facts.has_odd_control = !played.run.findings.control.empty();
    facts.is_unchanged = played.before == RunOutcome::Before::Unchanged;
    facts.blame = blame_for(played);
    if (facts.blame != Blame::Nobody) facts.end = End::Failed;
    if (played.signal != 0) {
        facts.end = End::Stopped;
        facts.signal = played.signal;
    }
    if (played.suite) add_suite(facts, played.run, played.suite->result);
    add_conditions(facts, played.judged);
    for (std::size_t i = 0; i < played.matches.size(); ++i)
        facts.matches.push_back(match_facts(played.matches[i], played.run, i));
    // What a signal left unbegun is not over.
    const std::vector<MatchPlan>& plans = played.run.plan.matches;
    const bool is_cut = played.signal != 0 && !played.run.plan.tournament;
    for (std::size_t i = facts.matches.size(); is_cut && i < plans.size(); ++i)
        facts.matches.push_back(facts_of_plan(plans[i], played.run, i));
    return facts;
}

void add_conditions(OutcomeFacts& facts, const std::optional<TournamentJudgement>& judged) {
    if (!judged) return;
    facts.matches.clear();
    facts.conditions = judged->state();
    facts.is_tournament_tainted = judged->is_tainted;
}

}  // namespace assay::harness
