#include "harness/match/budget.h"

#include <chrono>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "harness/plan/resolved_stop.h"

using namespace assay;
using namespace assay::harness;
using namespace std::chrono_literals;

namespace {

RunPlan capped_plan() {
    TimeControl control;
    control.periods = {{0, 8s, 80ms}};
    MatchPlan match;
    match.name = "gate";
    match.time = {control, control};
    match.concurrency = 2;
    match.pairs = 0;
    match.stop.rule = StopPlan::Rule::Capped;
    match.stop.preset = "no_regression";
    RunPlan plan;
    plan.programs.resize(2);
    plan.matches.push_back(match);
    return plan;
}

std::int64_t derived_pairs(RunPlan plan) {
    derive_pairs(plan);
    return plan.matches.front().pairs;
}

}  // namespace

TEST_CASE("Budget: a clock without a period, as a damaged store has it, takes no time") {
    CHECK(seconds_a_game(MatchPlan()).value_or(-1) == 0);
}

TEST_CASE("Budget: a capped test gets the pairs that its minutes pay for") {
    RunPlan plan = capped_plan();
    plan.matches[0].stop.minutes = 30min;
    // Nine tenths of 3,600 game seconds, by two games of 2 * 0.9 * (8 + 60 * 0.08) s.
    CHECK(derived_pairs(plan) == 70);
    plan.matches[0].stop.minutes = 1s;
    CHECK(derived_pairs(plan) == 1);
    plan.matches[0].stop.minutes.reset();
    CHECK(derived_pairs(plan) == 1000);
}

TEST_CASE("Budget: bounds and errors say how many pairs, and pairs that are given stay") {
    RunPlan plan = capped_plan();
    plan.matches[0].stop.e0 = -10;
    plan.matches[0].stop.e1 = 0;
    plan.matches[0].stop.alpha = 0.05;
    CHECK(derived_pairs(plan) == 7847);
    plan.matches[0].pairs = 50;
    CHECK(derived_pairs(plan) == 50);
}

TEST_CASE("Budget: minutes pay for no number of pairs where no clock tells") {
    RunPlan plan = capped_plan();
    plan.matches[0].stop.minutes = 30min;
    plan.matches[0].time[0] = {};
    plan.matches[0].time[0].kind = TimeControl::Kind::Nodes;
    CHECK_THROWS_WITH_AS(
        derive_pairs(plan),
        "match 'gate': without a clock assay cannot tell how many pairs fit into the minutes, and "
        "a capped test needs that number in advance: give match.pairs",
        Error);
    plan.matches[0].stop.rule = StopPlan::Rule::Fixed;
    CHECK(derived_pairs(plan) == 0);
}

TEST_CASE("extend: a capped test keeps the bounds and errors that it began with") {
    MatchPlan match;
    match.pairs = 400;
    match.stop.rule = StopPlan::Rule::Capped;
    const ResolvedStop before = resolve_stop(match);
    extend(match, 200);
    CHECK(match.pairs == 600);
    const ResolvedStop after = resolve_stop(match);
    CHECK(after.elo0 == before.elo0);
    CHECK(after.elo1 == before.elo1);
    CHECK(after.alpha == before.alpha);

    MatchPlan bounds = match;
    bounds.stop = {};
    bounds.stop.rule = StopPlan::Rule::Capped;
    bounds.stop.e0 = 0;
    bounds.stop.e1 = 30;
    const double error = resolve_stop(bounds).alpha;
    extend(bounds, 600);
    CHECK(resolve_stop(bounds).alpha == error);
}

TEST_CASE("extend: each of two different errors stays what it was") {
    MatchPlan match;
    match.pairs = 9000;
    match.stop.rule = StopPlan::Rule::Capped;
    match.stop.e0 = -5;
    match.stop.e1 = 5;
    match.stop.alpha = 0.02;
    match.stop.beta = 0.1;
    extend(match, 200);
    CHECK(match.stop.alpha == 0.02);
    CHECK(match.stop.beta == 0.1);
    CHECK(resolve_stop(match).alpha == 0.02);
    CHECK(resolve_stop(match).beta == 0.1);
}
