#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/store/store.h"

namespace assay::test {

/// A run that never was, for pages and benchmarks: legal chess games with scores, clocks and
/// delays, failures and swings among them; the same settings, the same run.
struct SampleRun {
    std::string name = "nightly";
    std::int64_t pairs = 100;
    std::int64_t planned = 0;  // pairs; 0: as many as are played
    double strength =
        0.0;  // shifts the first program's results: about this share of a point a pair
    std::uint64_t seed = 1;
    harness::StopPlan stop;
    std::string host = "ci-3";
    std::string first = "head";
    std::string second = "base";
    std::string first_hash = "aa11";
    std::string second_hash = "bb22";
    std::string command = "assay gate gate.yaml";
    double nodes_per_second = 1.4e6;
    long long started_us = 1'764'000'000'000'000;
    std::size_t matches = 1;
    std::size_t most_plies = 1000;  // of a game, which is cut there whatever its end
    int openings = 16;              // distinct ones; 0: one a pair
    double failure_rate = 0.0;      // of games, lost on time or crashed
    harness::RunState state = harness::RunState::Finished;
    std::string end_reason;
};

/// Writes it and gives the run's id.
std::int64_t write_sample_run(harness::Store& store, const SampleRun& settings);

}  // namespace assay::test
