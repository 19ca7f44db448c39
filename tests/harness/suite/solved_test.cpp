#include "harness/suite/solved.h"

#include <cmath>

#include <doctest/doctest.h>

#include "harness/suite/verdict.h"
#include "tests/support/sample_solving.h"

using assay::harness::ExpectationResult;
using assay::harness::Holds;
using assay::harness::judge;
using assay::harness::SearchEnd;
using assay::harness::SuiteResult;
using assay::test::solving_plan;
using assay::test::solving_searches;

namespace {

using Nodes = std::vector<std::optional<double>>;
constexpr std::nullopt_t kNot = std::nullopt;

/// Judges with a bound on the measure: 0 solved, 1 time, 2 nodes, 3 depth.
ExpectationResult judged(const Nodes& head, const Nodes& base, std::size_t measure,
                         std::optional<double> min, std::optional<double> max,
                         std::optional<assay::harness::SuiteExpectation::Change> change = {}) {
    auto plan = solving_plan(head.size());
    auto& expectation = plan.suite->expectations[measure];
    expectation.min = min;
    expectation.max = max;
    expectation.against_baseline = change;
    return judge(plan, solving_searches(head, base)).expectations[measure];
}

}  // namespace

TEST_CASE("Solved: each program's count, and the effort of what it solved") {
    const auto plan = solving_plan(4);
    const SuiteResult result =
        judge(plan, solving_searches({1000, kNot, 3000, 2000}, {500, 1500, kNot, kNot}));
    const auto counts = solved_counts(*plan.suite, result);
    REQUIRE(counts.size() == 2);
    CHECK(counts[0].known == 4);
    CHECK(counts[0].solved == 3);
    CHECK(counts[0].nodes == 6000);
    CHECK(counts[0].time_ms == 60);
    CHECK(counts[0].mean_depth == doctest::Approx(7));
    CHECK(counts[1].solved == 2);
    CHECK(counts[1].nodes == 2000);
    CHECK_FALSE(solved_position(*plan.suite, result, 0, 1).is_solved);
    CHECK(solved_position(*plan.suite, result, 0, 1).is_known);
    CHECK_FALSE(solved_position(*plan.suite, result, 0, 1).nodes);
    CHECK(solved_position(*plan.suite, result, 1, 1).nodes == 1500.0);
}

TEST_CASE("Solved: searches that failed or were cut are not known, and not unsolved") {
    const auto plan = solving_plan(3);
    auto searches = solving_searches({1000, 1000, 1000}, {1000, 1000, 1000});
    searches[0].end = SearchEnd::Crash;
    searches[0].answers.clear();
    searches[2].end = SearchEnd::Unfinished;
    searches[2].reason = "stopped at the wall limit of 600 s";
    searches.pop_back();
    const SuiteResult result = judge(plan, searches);
    const auto counts = solved_counts(*plan.suite, result);
    CHECK(counts[0].known == 1);
    CHECK(counts[0].solved == 1);
    CHECK(counts[1].known == 2);
    CHECK_FALSE(solved_position(*plan.suite, result, 0, 0).is_known);
}

TEST_CASE("Solved: the two programs are compared by McNemar's test on the positions that differ") {
    const ExpectationResult one =
        judged({1, 1, kNot, kNot, 1, 1}, {1, kNot, 1, kNot, kNot, kNot}, 0, {}, {});
    REQUIRE(one.solved);
    CHECK(one.solved->both == 1);
    CHECK(one.solved->only_first == 1);   // base alone
    CHECK(one.solved->only_second == 3);  // head alone
    CHECK(one.solved->neither == 1);
    CHECK(one.before == 2);
    CHECK(one.after == 4);
    CHECK(one.counted == 6);
    CHECK(one.paired.sign_p == doctest::Approx(test_mcnemar(*one.solved).p));
}

TEST_CASE("Solved: fewer solved positions fail only where the exact test shows more than chance") {
    const assay::harness::SuiteExpectation::Change no_fewer{0.0, {}};
    const Nodes base(10, 100.0);
    Nodes head = base;
    for (std::size_t lost = 1; lost <= 6; ++lost) {
        head[lost] = kNot;
        CAPTURE(lost);
        const ExpectationResult one = judged(head, base, 0, {}, {}, no_fewer);
        REQUIRE(one.beyond_p);
        CHECK(*one.beyond_p == doctest::Approx(std::ldexp(1.0, -static_cast<int>(lost))));
        CHECK(one.holds == (lost < 5 ? Holds::Yes : Holds::No));
        if (lost == 4)
            CHECK(one.reason ==
                  "10 → 6 solved, at least +0 % allowed, but chance explains it: 4 solved by the "
                  "baseline alone, 0 by this program alone, one-sided McNemar p = 0.062");
        if (lost == 5) {
            CHECK(one.reason ==
                  "10 → 5 solved, at least +0 % allowed; 5 solved by the baseline alone, 0 by "
                  "this program alone, one-sided McNemar p = 0.031");
            CHECK(one.shown == std::vector<std::size_t>{1, 2, 3, 4, 5});
        }
    }
    // A fall within the bound is not tested.
    const ExpectationResult allowed =
        judged(head, base, 0, {}, {}, assay::harness::SuiteExpectation::Change{-60.0, {}});
    CHECK(allowed.holds == Holds::Yes);
    CHECK_FALSE(allowed.beyond_p);
}

TEST_CASE(
    "Solved: a least number of solved positions is of the suite, and those missing are shown") {
    const Nodes base(4, 100.0);
    CHECK(judged({1, 1, 1, kNot}, base, 0, 3, {}).holds == Holds::Yes);
    const ExpectationResult one = judged({1, kNot, 1, kNot}, base, 0, 3, {});
    CHECK(one.holds == Holds::No);
    CHECK(one.reason == "over the suite 2, at least 3 asked");
    CHECK(one.shown == std::vector<std::size_t>{1, 3});
}

TEST_CASE("Solved: sums are over what both solve, and what one solves alone counts as farthest") {
    const ExpectationResult one =
        judged({100, 200, kNot, kNot, 50}, {200, 200, kNot, 300, kNot}, 2, {}, {});
    CHECK(one.counted == 2);
    CHECK(one.before == 400);
    CHECK(one.after == 300);
    REQUIRE(one.change_percent);
    CHECK(*one.change_percent == doctest::Approx(-25));
    CHECK(one.paired.equal == 2);  // 200 and 200, and solved by none
    CHECK(one.paired.fewer == 2);  // 200 to 100, and solved by head alone
    CHECK(one.paired.more == 1);   // solved by base alone
    CHECK(one.paired.rank_sum_more == 2.5);
    CHECK_FALSE(one.solved);
}

TEST_CASE("Solved: a bound on the effort of each position is broken where there is no solution") {
    const Nodes base(3, 100.0);
    const ExpectationResult one = judged({100, kNot, 900}, base, 2, {}, 1000);
    CHECK(one.holds == Holds::No);
    CHECK(one.reason == "position p2: not solved, at most 1000 allowed");
    CHECK(judged({100, 200, 900}, base, 2, {}, 1000).holds == Holds::Yes);
}

TEST_CASE("Solved: more nodes than allowed fail where the typical position needs more") {
    const assay::harness::SuiteExpectation::Change at_most{{}, 10.0};
    const Nodes base(8, 1000.0);
    CHECK(judged(Nodes(8, 1300.0), base, 2, {}, {}, at_most).holds == Holds::No);
    CHECK(judged(Nodes(8, 1050.0), base, 2, {}, {}, at_most).holds == Holds::Yes);
    // One odd position is most of the sum.
    Nodes odd(8, 1000.0);
    odd[3] = 9000;
    CHECK(judged(odd, base, 2, {}, {}, at_most).holds == Holds::Yes);
}

TEST_CASE("Solved: a search that failed leaves the expectation open") {
    auto plan = solving_plan(3);
    plan.suite->expectations[0].min = 2;
    auto searches = solving_searches({1000, 1000, 1000}, {1000, 1000, 1000});
    searches[0].end = SearchEnd::Crash;
    searches[0].reason = "killed by signal 11";
    searches[0].answers.clear();
    const ExpectationResult one = judge(plan, searches).expectations[0];
    CHECK(one.holds == Holds::Unknown);
    CHECK(one.reason == "position p1: crash: killed by signal 11");
}
