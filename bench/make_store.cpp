// Makes a store for the benchmarks of reports: make_store FILE.db PAIRS [NIGHTS]. It has one run of
// PAIRS pairs, or NIGHTS runs of that size with two steps, a change of machine and one failure.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "harness/match/match_summary.h"
#include "harness/match/pair_counter.h"
#include "harness/store/store.h"
#include "tests/support/sample_nights.h"
#include "tests/support/sample_store.h"

namespace {

using assay::harness::StopPlan;
using assay::harness::Store;
using assay::test::SampleRun;

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
    for (const SampleRun& night : assay::test::sample_nights(nights, pairs)) {
        const std::int64_t id = assay::test::write_sample_run(store, night);
        const auto run = *store.find_run(std::to_string(id));
        // A run does the same at its end.
        store.set_summary(id, 0,
                          to_json(assay::harness::summary_of(
                              assay::harness::tally_of(store, run, 0), store, id, 0)));
    }
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
