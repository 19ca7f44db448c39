#include "harness/suite/verdict.h"

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/suite/query.h"
#include "tests/support/sample_suite.h"
#include "tests/support/temp_dir.h"

using assay::harness::ExpectationResult;
using assay::harness::Holds;
using assay::harness::judge;
using assay::harness::RunPlan;
using assay::harness::SearchEnd;
using assay::harness::SearchRecord;
using assay::harness::SuiteExpectation;
using assay::test::search_of;
using assay::test::searches_of;
using assay::test::suite_plan;

namespace {

/// A suite in which `size` must hold as said.
RunPlan asking(std::size_t positions, const SuiteExpectation& bounds) {
    RunPlan plan = suite_plan(positions);
    SuiteExpectation& size = plan.suite->expectations[0];
    const auto [name, query] = std::pair(size.name, size.query);
    size = bounds;
    size.name = name;
    size.query = query;
    return plan;
}

SuiteExpectation at_most(double most) {
    SuiteExpectation bounds;
    bounds.max = most;
    return bounds;
}

SuiteExpectation growing_by(std::optional<double> least, std::optional<double> most) {
    SuiteExpectation bounds;
    bounds.against_baseline = {least, most};
    return bounds;
}

ExpectationResult verdict(const RunPlan& plan, std::vector<SearchRecord> searches) {
    return judge(plan, std::move(searches)).expectations.at(0);
}

}  // namespace

TEST_CASE("Suite: without a bound an answer is reported, with sums and the change between builds") {
    const auto result = verdict(suite_plan(3), searches_of({10, 20, 30}, {20, 40, 60}));
    CHECK(result.holds == Holds::Report);
    CHECK(result.before == 120);
    CHECK(result.after == 60);
    CHECK(*result.change_percent == doctest::Approx(-50));
    CHECK(result.paired.fewer == 3);
    CHECK(result.reason.empty());
}

TEST_CASE("Suite: an absolute bound is asked of each position of the tested build alone") {
    CHECK(verdict(asking(3, at_most(5)), searches_of({5, 0, 1}, {9, 9, 9})).holds == Holds::Yes);
    const auto fails = verdict(asking(3, at_most(5)), searches_of({6, 0, 90}, {0, 0, 0}));
    CHECK(fails.holds == Holds::No);
    CHECK(fails.reason == "position p1: 6, at most 5 allowed, and 1 positions more");
    CHECK(fails.shown == std::vector<std::size_t>{2, 0});
    SuiteExpectation least;
    least.min = 3;
    CHECK(verdict(asking(2, least), searches_of({3, 2}, {0, 0})).reason ==
          "position p2: 2, at least 3 asked");
    SuiteExpectation exactly;
    exactly.exactly = 0;
    CHECK(verdict(asking(2, exactly), searches_of({0, 1}, {0, 0})).holds == Holds::No);
    CHECK(verdict(asking(2, exactly), searches_of({0, 0}, {1, 1})).holds == Holds::Yes);
}

TEST_CASE("Suite: bounds of a file of queries are the numbers that stand there") {
    const assay::test::TempDir folder;
    const std::string path = folder.path("q.gtql");
    assay::write_file(path, "#! name: low, min: 0.25, max: 0.4\nnode: avg(level)\n");
    const auto read = assay::harness::read_suite_queries(path);
    REQUIRE(read.size() == 1);
    CHECK(read[0].min == 0.25);
    CHECK(read[0].max == 0.4);
    const auto fails = verdict(asking(1, at_most(0.5)), searches_of({1}, {0}));
    CHECK(fails.holds == Holds::No);
    CHECK(fails.reason.find("position p1: 1, at most 0.5 allowed") == 0);
}

TEST_CASE("Suite: what a run is about is the first program of its match, else of its suite") {
    RunPlan plan = suite_plan(1);
    plan.matches.clear();
    plan.suite->programs = {1, 0};
    CHECK(assay::harness::first_program(plan) == 1);
    plan.matches.emplace_back().between = {0, 1};
    CHECK(assay::harness::first_program(plan) == 0);
}

TEST_CASE("Suite: a bound per suite is asked of the sum") {
    SuiteExpectation bounds = at_most(10);
    bounds.scope = SuiteExpectation::Scope::Suite;
    CHECK(verdict(asking(2, bounds), searches_of({4, 6}, {0, 0})).holds == Holds::Yes);
    const auto fails = verdict(asking(2, bounds), searches_of({4, 7}, {0, 0}));
    CHECK(fails.holds == Holds::No);
    CHECK(fails.reason == "over the suite 11, at most 10 allowed");
    CHECK(fails.shown == std::vector<std::size_t>{1, 0});
}

TEST_CASE("Suite: answers that do not add up are told by their mean, and counts by their sum") {
    RunPlan plan = asking(2, growing_by({}, 10));
    const auto mean_of = [&](const char* query) {
        plan.suite->expectations[0].query = query;
        return verdict(plan, searches_of({10, 30}, {40, 40}));
    };
    for (const char* const share : {"node: count(depth > 0) * 1000 / count(*)", "node: max(depth)",
                                    "node: avg(depth)", "of no version known here"}) {
        CAPTURE(share);
        const auto result = mean_of(share);
        CHECK(result.is_mean);
        CHECK(result.after == 20);
        CHECK(result.before == 40);
        CHECK(*result.change_percent == doctest::Approx(-50));
    }
    for (const char* const count : {"node: count(*)", "node: depth > 0; child: count(*) > 1",
                                    "node: count(depth > 0) > 9", "node: sum(depth)"}) {
        CAPTURE(count);
        const auto result = mean_of(count);
        CHECK_FALSE(result.is_mean);
        CHECK(result.after == 40);
    }
    // A bound of the sum is shown the sum.
    plan.suite->expectations[0].scope = SuiteExpectation::Scope::Suite;
    plan.suite->expectations[0].max = 39;
    const auto bounded = mean_of("node: max(depth)");
    CHECK_FALSE(bounded.is_mean);
    CHECK(bounded.reason == "over the suite 40, at most 39 allowed");
}

TEST_CASE("Suite: one odd position does not fail a build, a change of most positions does") {
    const RunPlan plan = asking(9, growing_by({}, 10));
    const std::vector<double> base{100, 200, 300, 400, 500, 600, 700, 800, 900};
    std::vector<double> odd = base;
    odd[0] = 1e6;
    const auto one_odd = verdict(plan, searches_of(odd, base));
    CHECK(one_odd.holds == Holds::Yes);
    CHECK(one_odd.reason.find("but few positions cause it: 1 of 9 positions") != std::string::npos);
    std::vector<double> worse = base;
    for (double& nodes : worse) nodes *= 1.5;
    worse[3] = 400;
    const auto most = verdict(plan, searches_of(worse, base));
    CHECK(most.holds == Holds::No);
    CHECK(*most.beyond_p <= 0.05);
    CHECK(most.reason.find("8 of 9 positions are beyond it") != std::string::npos);
    std::vector<double> little = base;
    for (double& nodes : little) nodes *= 1.09;
    CHECK(verdict(plan, searches_of(little, base)).holds == Holds::Yes);
}

TEST_CASE("Suite: of very few positions all must be beyond the bound") {
    const RunPlan plan = asking(3, growing_by(-10, 10));
    CHECK(verdict(plan, searches_of({200, 200, 200}, {100, 100, 100})).holds == Holds::No);
    CHECK(verdict(plan, searches_of({200, 200, 100}, {100, 100, 100})).holds == Holds::Yes);
    CHECK(verdict(plan, searches_of({50, 50, 50}, {100, 100, 100})).holds == Holds::No);
    CHECK(verdict(plan, searches_of({1, 1, 1}, {0, 0, 0})).reason ==
          "from 0 to 3 over the suite, at most +10 % allowed; 3 of 3 positions are beyond it, "
          "one-sided Wilcoxon p = 0.12");
    const RunPlan single = asking(1, growing_by({}, 10));
    CHECK(verdict(single, searches_of({200}, {100})).holds == Holds::No);
}

TEST_CASE("Suite: a change per position is asked of each") {
    SuiteExpectation bounds = growing_by({}, 50);
    bounds.change_scope = SuiteExpectation::Scope::Position;
    const auto fails = verdict(asking(3, bounds), searches_of({100, 151, 100}, {100, 100, 100}));
    CHECK(fails.holds == Holds::No);
    CHECK(fails.reason == "position p2: 100 → 151, at most +50 % allowed");
    CHECK(verdict(asking(3, bounds), searches_of({0, 150, 1}, {0, 100, 100})).holds == Holds::Yes);
}

TEST_CASE("Suite: over a search that was cut or failed an expectation is inconclusive") {
    const RunPlan plan = asking(2, at_most(5));
    auto searches = searches_of({0, 0}, {0, 0});
    searches[2].end = SearchEnd::Unfinished;
    searches[2].reason = "its log reached the limit";
    const auto cut = verdict(plan, searches);
    CHECK(cut.holds == Holds::Unknown);
    CHECK(cut.reason == "position p2: the search is unfinished: its log reached the limit");
    // More than the bound in less than the whole tree is no proof either.
    searches[2].answers[0].value = 100;
    CHECK(verdict(plan, searches).holds == Holds::Unknown);
    // But what another position shows is one.
    searches[0].answers[0].value = 100;
    CHECK(verdict(plan, searches).holds == Holds::No);

    auto crashed = searches_of({0, 0}, {0, 0});
    crashed[0].end = SearchEnd::Crash;
    crashed[0].reason = "killed by signal 6 after 'go'";
    crashed[0].answers.clear();
    CHECK(verdict(plan, crashed).reason == "position p1: crash: killed by signal 6 after 'go'");
    auto missing = searches_of({0, 0}, {0, 0});
    missing.erase(missing.begin());
    CHECK(verdict(plan, missing).holds == Holds::Unknown);
}

TEST_CASE("Suite: a baseline that failed matters only where something is asked against it") {
    auto searches = searches_of({0, 0}, {0, 0});
    searches[1].end = SearchEnd::Hang;
    searches[1].answers.clear();
    CHECK(verdict(asking(2, at_most(5)), searches).holds == Holds::Yes);
    CHECK(verdict(asking(2, growing_by({}, 10)), searches).holds == Holds::Unknown);
}

TEST_CASE("Suite: with three programs each but the last is judged, with one that one") {
    RunPlan plan = asking(1, at_most(5));
    plan.programs.resize(3);
    plan.programs[2].name = "old";
    plan.suite->programs = {0, 1, 2};
    const auto three = judge(plan, {search_of(0, 0, 9), search_of(1, 0, 1), search_of(2, 0, 9)});
    REQUIRE(three.expectations.size() == 2);
    CHECK(three.expectations[0].holds == Holds::No);
    CHECK(three.expectations[1].holds == Holds::Yes);
    CHECK(three.expectations[1].before == 9);
    CHECK(three.is_whole());
    plan.suite->programs = {1};
    const auto one = judge(plan, {search_of(0, 0, 9)});
    CHECK(one.expectations.at(0).holds == Holds::No);
    CHECK_FALSE(one.expectations[0].change_percent);
}

TEST_CASE("Suite: a change against a search of the baseline that was cut is not known") {
    SuiteExpectation bounds = growing_by({}, 50);
    bounds.change_scope = SuiteExpectation::Scope::Position;
    auto searches = searches_of({200, 100}, {100, 100});
    searches[1].end = SearchEnd::Unfinished;
    const auto cut = verdict(asking(2, bounds), searches);
    CHECK(cut.holds == Holds::Unknown);
    CHECK_FALSE(cut.positions[0].is_breach);
    // An absolute bound does not ask for the baseline.
    CHECK(verdict(asking(2, at_most(150)), searches).holds == Holds::No);
    searches[1].end = SearchEnd::Searched;
    CHECK(verdict(asking(2, bounds), searches).holds == Holds::No);
}
