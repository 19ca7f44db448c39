#include "harness/run/outcome.h"

#include <vector>

#include <doctest/doctest.h>

#include "harness/run/run.h"
#include "tests/support/sample_suite.h"

using namespace assay;
using namespace assay::harness;

namespace {

/// How a gate ends whose suite of so many programs has these searches.
Outcome end_of_suite(std::size_t programs, const std::vector<SearchRecord>& searches) {
    RunOutcome played;
    played.run.plan = test::suite_plan(1);
    played.run.plan.suite->programs.resize(programs);
    played.run.findings.is_gate = true;
    played.suite.emplace();
    played.suite->result = judge(played.run.plan, searches);
    return outcome_of(played);
}

SearchRecord ended(std::size_t program, SearchEnd end) {
    SearchRecord search = test::search_of(program, 0, 1);
    search.end = end;
    search.answers.clear();
    return search;
}

MatchFacts facts_with(Verdict verdict) {
    MatchFacts facts;
    facts.has_rule = true;
    facts.verdict = verdict;
    return facts;
}

}  // namespace

TEST_CASE("Outcome: a crash in a search rejects the build under test, also where it is alone") {
    for (const SearchEnd end : {SearchEnd::Crash, SearchEnd::Hang}) {
        const Outcome alone = end_of_suite(1, {ended(0, end)});
        CHECK(alone.exit_code == 1);
        CHECK(alone.word == OutcomeWord::Rejected);
        CHECK(alone.reason == OutcomeReason::FirstProgram);
        CHECK(end_of_suite(2, {ended(0, end), test::search_of(1, 0, 1)}).exit_code == 1);
        // The last of several programs is the baseline.
        CHECK(end_of_suite(2, {test::search_of(0, 0, 1), ended(1, end)}).exit_code == 4);
        CHECK(end_of_suite(2, {ended(0, end), ended(1, end)}).exit_code == 4);
    }
}

TEST_CASE("Outcome: one expectation that is not known holds a gate back") {
    RunOutcome played;
    played.run.plan = test::suite_plan(1);
    played.run.plan.suite->expectations[0].max = 10;
    played.run.findings.is_gate = true;
    const auto end_with = [&](std::optional<double> answer) {
        played.suite.emplace();
        played.suite->result =
            judge(played.run.plan, {test::search_of(0, 0, answer), test::search_of(1, 0, 1)});
        return outcome_of(played);
    };
    const Outcome open = end_with(std::nullopt);
    CHECK(open.exit_code == 3);
    CHECK(open.word == OutcomeWord::Inconclusive);
    CHECK(open.reason == OutcomeReason::OpenSuite);
    CHECK(end_with(10).exit_code == 0);
    CHECK(end_with(11).exit_code == 1);
    CHECK(end_with(11).reason == OutcomeReason::Expectation);
}

TEST_CASE("Outcome: a search that left no log is no verdict on the build") {
    const Outcome outcome = end_of_suite(1, {ended(0, SearchEnd::BadLog)});
    CHECK(outcome.exit_code == 4);
    CHECK(outcome.word == OutcomeWord::NoVerdict);
}

TEST_CASE("Outcome: the match that decides is the first that did not pass") {
    OutcomeFacts facts;
    facts.is_gate = true;
    facts.matches = {facts_with(Verdict::Accepted), facts_with(Verdict::Rejected),
                     facts_with(Verdict::Inconclusive)};
    const Outcome rejected = outcome_of(facts);
    CHECK(rejected == Outcome{OutcomeWord::Rejected, OutcomeReason::Verdict, 1, 1});
    facts.matches.pop_back();
    facts.matches[1].verdict = Verdict::Accepted;
    CHECK(outcome_of(facts) == Outcome{OutcomeWord::Accepted, OutcomeReason::Verdict, 1, 0});
    // A match without a rule beside others that have one decides nothing.
    facts.matches.push_back(MatchFacts());
    CHECK(outcome_of(facts).match == 1);
}

TEST_CASE("Outcome: a control match decides nothing, wherever it stands") {
    for (const bool has_rules : {false, true}) {
        MatchFacts match = facts_with(Verdict::Accepted);
        MatchFacts control = facts_with(Verdict::Rejected);
        match.has_rule = control.has_rule = has_rules;
        control.is_control = true;
        for (const bool is_first : {false, true}) {
            OutcomeFacts facts;
            facts.matches = is_first ? std::vector{control, match} : std::vector{match, control};
            CHECK(outcome_of(facts).match == (is_first ? 1U : 0U));
            CHECK(outcome_of(facts).word == OutcomeWord::Accepted);
            facts.is_gate = true;
            CHECK(outcome_of(facts).match == (is_first ? 1U : 0U));
            CHECK(outcome_of(facts).exit_code == 0);
        }
    }
}

TEST_CASE("Outcome: a broken requirement goes before a taint, and a taint before the verdict") {
    OutcomeFacts facts;
    facts.is_gate = true;
    facts.matches = {facts_with(Verdict::Accepted)};
    facts.matches[0].is_tainted = true;
    CHECK(outcome_of(facts) == Outcome{OutcomeWord::Tainted, OutcomeReason::Taint, 0, 3});
    facts.matches[0].is_broken = true;
    CHECK(outcome_of(facts) == Outcome{OutcomeWord::Rejected, OutcomeReason::Requirement, 0, 1});
    facts.signal = 15;
    facts.end = OutcomeFacts::End::Stopped;
    CHECK(outcome_of(facts).exit_code == 143);
}

TEST_CASE(
    "Outcome: a gate that could not write its output has no verdict, and says that as reason") {
    OutcomeFacts facts;
    facts.is_gate = true;
    facts.matches = {facts_with(Verdict::Accepted)};
    facts.returned = 4;
    CHECK(outcome_of(facts).word == OutcomeWord::NoVerdict);
    CHECK(outcome_of(facts).reason == OutcomeReason::Output);
    CHECK(outcome_of(facts).exit_code == 4);
    // The same code for a reason that the facts give.
    facts.end = OutcomeFacts::End::Failed;
    facts.blame = Blame::Other;
    CHECK(outcome_of(facts).reason == OutcomeReason::Failure);
}

TEST_CASE("Outcome: --inconclusive changes the code of a gate and not its word") {
    OutcomeFacts facts;
    facts.is_gate = true;
    facts.matches = {facts_with(Verdict::Inconclusive)};
    for (const auto& [as, code] : {std::pair{InconclusiveAs::Code3, 3},
                                   {InconclusiveAs::Pass, 0},
                                   {InconclusiveAs::Fail, 1}}) {
        facts.inconclusive = as;
        CHECK(outcome_of(facts).exit_code == code);
        CHECK(outcome_of(facts).word == OutcomeWord::Inconclusive);
    }
}

TEST_CASE("Outcome: the conditions on a tournament decide its gate, and a broken one its run") {
    const auto end_with = [](ConditionState state, bool is_gate, bool is_tainted = false,
                             InconclusiveAs inconclusive = InconclusiveAs::Code3) {
        OutcomeFacts facts;
        facts.is_gate = is_gate;
        facts.conditions = state;
        facts.is_tournament_tainted = is_tainted;
        facts.inconclusive = inconclusive;
        return outcome_of(facts);
    };
    using enum ConditionState;
    const Outcome holds{OutcomeWord::Accepted, OutcomeReason::Conditions, std::nullopt, 0};
    CHECK(end_with(Holds, true) == holds);
    CHECK(end_with(Holds, false) == holds);
    const Outcome broken{OutcomeWord::Rejected, OutcomeReason::Requirement, std::nullopt, 1};
    CHECK(end_with(Broken, true) == broken);
    CHECK(end_with(Broken, false) == broken);
    Outcome open{OutcomeWord::Inconclusive, OutcomeReason::OpenCondition, std::nullopt, 3};
    CHECK(end_with(Undecided, true) == open);
    open.exit_code = 0;
    CHECK(end_with(Undecided, false) == open);
    CHECK(end_with(Undecided, true, false, InconclusiveAs::Pass) == open);
    open.exit_code = 1;
    CHECK(end_with(Undecided, true, false, InconclusiveAs::Fail) == open);
    const Outcome tainted{OutcomeWord::Tainted, OutcomeReason::Taint, std::nullopt, 3};
    CHECK(end_with(Undecided, true, true) == tainted);
    CHECK(end_with(Undecided, true, true, InconclusiveAs::Pass) == tainted);
}

TEST_CASE(
    "Outcome: a run of several matches that a signal stopped is not what the first has shown") {
    OutcomeFacts facts;
    facts.end = OutcomeFacts::End::Stopped;
    for (const Verdict first : {Verdict::Inconclusive, Verdict::Accepted}) {
        facts.matches = {facts_with(first), facts_with(Verdict::None)};
        CHECK(outcome_of(facts).word == OutcomeWord::Stopped);
    }
    facts.matches = {facts_with(Verdict::Rejected), facts_with(Verdict::None)};
    CHECK(outcome_of(facts).word == OutcomeWord::Rejected);
    // It came when all were over.
    facts.matches = {facts_with(Verdict::Inconclusive)};
    CHECK(outcome_of(facts).word == OutcomeWord::Inconclusive);
}

TEST_CASE("Outcome: a stored gate on a tournament ends as its code says") {
    OutcomeFacts facts;
    facts.is_gate = true;
    facts.conditions = ConditionState::Undecided;
    facts.returned = 1;  // --inconclusive fail
    CHECK(outcome_of(facts).word == OutcomeWord::Inconclusive);
    CHECK(outcome_of(facts).reason == OutcomeReason::OpenCondition);
    facts.returned = 4;  // a report could not be written
    CHECK(outcome_of(facts).reason == OutcomeReason::Output);
    facts.end = OutcomeFacts::End::Stopped;
    facts.returned = 143;
    CHECK(outcome_of(facts).word == OutcomeWord::Stopped);
    CHECK(outcome_of(facts).exit_code == 143);
}
