// The share of games that may be void, where a fleet plays a match: each task has its own of its
// batch, and the run is judged by all of them.
#include <cstdint>
#include <optional>

#include <doctest/doctest.h>

#include "harness/plan/shard.h"
#include "tests/harness/run/match_bench.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;
using test::FakeAct;
using test::is_program;
using Bench = test::MatchBench;
using namespace std::chrono_literals;

TEST_CASE("Fleet: a batch may void a share of its own games, and not of the run's") {
    RunPlan whole;
    whole.programs.resize(2);
    whole.matches.resize(1);
    whole.matches[0].pairs = 10'000;  // of whose games 200 may be void
    const RunPlan batch = plan_of_shard(whole, Shard{1, 1, Shard::Window{0, 40, 4}});
    Bench bench;
    bench.plan.pairs = batch.matches[0].pairs;
    bench.world.script = [](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a')) {
            act.after = 10'150ms;
            act.late_wake = 60ms;  // the machine's delay
        }
        return act;
    };
    bench.play();
    CHECK(bench.runner->tally().voided() == 1);
    CHECK(bench.runner->tally().pairs() == 4);
}

TEST_CASE("Fleet: void pairs of all batches together taint the run") {
    Bench bench;
    bench.plan.pairs = 100;  // of whose games two may be void
    bench.begin();
    for (std::int64_t batch = 1; batch <= 3; ++batch) {
        PairDigest pair = test::pair_of(10 * batch, 0, 0);
        pair.state = PairState::Void;
        bench.runner->on_part(0, {pair}, {});
        CHECK(bench.runner->tally().voided() == batch);
        CHECK(bench.runner->tally().is_voided_too_often() == (batch > 2));
    }
    CHECK(bench.runner->tally().is_tainted());
    CHECK(bench.runner->tally().pairs() == 0);
}

TEST_CASE("Fleet: faults between games of a part that comes behind the end are in the tally") {
    Bench bench;
    bench.plan.pairs = 1;
    bench.play();
    bench.runner->on_faults_elsewhere(0, {{2, 0}, {0, 3}});
    const MatchTally tally = bench.runner->take_tally();
    CHECK(tally.all_failures()[0].crashes == 2);
    CHECK(tally.all_failures()[1].stalls == 3);
}
