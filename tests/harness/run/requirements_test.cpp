#include "harness/run/requirements.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/harness/store/sample_records.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;

namespace {

/// What is broken where the first program may fail `allowed` times by each kind.
std::vector<std::string> broken_by(const Failures& failures, std::int64_t allowed) {
    RunRecord run = test::sample_run();
    MatchPlan& match = run.plan.matches[0];
    match.require.crashes = allowed;
    match.require.time_losses = allowed;
    match.require.illegal_moves = allowed;
    return broken_requirements(failures, match, run);
}

using Sentences = std::vector<std::string>;

}  // namespace

TEST_CASE("Requirements: a stall counts as a crash does, and each kind has its own limit") {
    CHECK(broken_by({0, 0, 0, 1}, 0) == Sentences{"head: 1 crash or stall, at most 0 allowed"});
    CHECK(broken_by({0, 1, 0, 1}, 0) == Sentences{"head: 2 crashes or stalls, at most 0 allowed"});
    CHECK(broken_by({1, 0, 0, 0}, 0) == Sentences{"head: 1 loss on time, at most 0 allowed"});
    CHECK(broken_by({0, 0, 1, 0}, 0) == Sentences{"head: 1 illegal move, at most 0 allowed"});
    CHECK(broken_by({0, 0, 0, 0}, 0).empty());
}

TEST_CASE("Requirements: as many failures as are allowed break nothing, one more does") {
    CHECK(broken_by({2, 1, 2, 1}, 2).empty());
    CHECK(broken_by({3, 2, 3, 1}, 2).size() == 3);
}

TEST_CASE("Requirements: what is not asked cannot be broken") {
    const RunRecord run = test::sample_run();
    CHECK(broken_requirements(Failures{9, 9, 9, 9}, run.plan.matches[0], run).empty());
}

TEST_CASE("Requirements: failures of the second program break none of the first") {
    RunRecord run = test::sample_run();
    run.plan.matches[0].require.crashes = 0;
    MatchTally tally(run.plan.matches[0]);
    tally.add(assay::test::failed_pair(0, 1, Termination::Stall, 1));
    CHECK(broken_requirements(tally, run).empty());
    tally.add(assay::test::failed_pair(1, 0, Termination::Stall, 1));
    CHECK(broken_requirements(tally, run) ==
          Sentences{"head: 1 crash or stall, at most 0 allowed"});
}

TEST_CASE("Requirements: a speed breaks the match that it was measured for, and no other") {
    RunRecord run = test::sample_run();
    run.plan.matches.push_back(run.plan.matches[0]);
    run.plan.matches[1].name = "second";
    run.findings.speed.resize(1);
    run.findings.speed[0].match = 1;
    run.findings.speed[0].state = SpeedFinding::State::Broken;
    CHECK(broken_requirements(Failures(), run.plan.matches[0], run).empty());
    CHECK(broken_requirements(Failures(), run.plan.matches[1], run).size() == 1);
    CHECK(open_requirements(run).empty());
    run.findings.speed[0].state = SpeedFinding::State::Undecided;
    CHECK(broken_requirements(Failures(), run.plan.matches[1], run).empty());
    CHECK(open_requirements(run).size() == 1);
}
