// Makes a store for the benchmarks of reports: make_store FILE.db PAIRS [NIGHTS]. One run of so
// many pairs, or as many nights of that size with two steps, a change of machine and one failure.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "harness/store.h"
#include "tests/support/sample_store.h"

namespace {

using assay::harness::RunState;
using assay::harness::StopPlan;
using assay::harness::Store;
using assay::test::SampleRun;

constexpr long long kDay = 86'400LL * 1'000'000;

SampleRun night_of(int night, int nights, std::int64_t pairs) {
    SampleRun run;
    run.pairs = pairs;
    run.seed = 1000 + static_cast<std::uint64_t>(night);
    run.command = "assay run nightly.yaml";
    run.first_hash = "c0ffee" + std::to_string(night);
    run.started_us = 1'759'000'000'000'000 + night * kDay;
    run.strength = night < nights / 3 ? 0.02 : night < 9 * nights / 10 ? 0.10 : 0.05;
    const bool is_new_machine = night >= nights / 2;
    run.host = is_new_machine ? "ci-7" : "ci-3";
    run.nodes_per_second = is_new_machine ? 1.79e6 : 1.42e6;
    run.failure_rate = night == nights / 4 ? 0.02 : 0;
    if (night == nights / 5) {
        run.pairs = 0;
        run.state = RunState::Failed;
        run.end_reason = "base does not start: no such file";
    }
    return run;
}

int make(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: make_store FILE.db PAIRS [NIGHTS]\n", stderr);
        return 2;
    }
    const std::int64_t pairs = std::strtoll(argv[2], nullptr, 10);
    const int nights = argc > 3 ? static_cast<int>(std::strtol(argv[3], nullptr, 10)) : 0;
    Store store(argv[1], Store::Access::Write);
    if (nights == 0) {
        SampleRun run;
        run.pairs = pairs;
        run.strength = 0.0;
        run.failure_rate = 0.0004;
        run.stop.rule = StopPlan::Rule::Capped;
        (void)assay::test::write_sample_run(store, run);
    }
    for (int night = 0; night < nights; ++night)
        (void)assay::test::write_sample_run(store, night_of(night, nights, pairs));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return make(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 4;
    }
}
