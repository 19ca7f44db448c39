#pragma once
#include <string>
#include <vector>

#include "tests/support/sample_store.h"

namespace assay::test {

/// Nights of one config, a day apart: a gain at a third, a loss at nine tenths, another machine at
/// half, one night that failed and one with many failures.
inline std::vector<SampleRun> sample_nights(int count, std::int64_t pairs) {
    constexpr long long kDay = 86'400LL * 1'000'000;
    std::vector<SampleRun> nights;
    for (int night = 0; night < count; ++night) {
        SampleRun run;
        run.name = "nightly";
        run.pairs = pairs;
        run.most_plies = 12;
        run.seed = 1000 + static_cast<std::uint64_t>(night);
        run.command = "assay run nightly.yaml";
        run.first_hash = "c0ffee" + std::to_string(night);
        run.started_us = 1'759'000'000'000'000 + night * kDay;
        run.strength = night < count / 3 ? 0.02 : night < 9 * count / 10 ? 0.32 : 0.1;
        const bool is_new_machine = night >= count / 2;
        run.host = is_new_machine ? "ci-7" : "ci-3";
        run.nodes_per_second = is_new_machine ? 1.79e6 : 1.42e6;
        run.failure_rate = night == count / 4 ? 0.1 : 0;
        if (night == count / 5) {
            run.pairs = 0;
            run.state = harness::RunState::Failed;
            run.end_reason = "base does not start: no such file";
        }
        nights.push_back(run);
    }
    return nights;
}

}  // namespace assay::test
