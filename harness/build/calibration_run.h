#pragma once
#include <optional>
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"
#include "base/clock.h"
#include "harness/plan/plan.h"

namespace assay::harness {

/// How fast this machine runs the baseline while all its places are busy.
struct CalibrationRun {
    std::optional<double> nps;  // the median over the slots
    std::string failure;        // a fragment, "exited with code 1"; empty: there is a speed
    int signal = 0;             // that stopped it; 0: none
    double seconds = 0;
};

struct CalibrationSetup {
    ProgramPlan program;         // placed; its `bench` is taken where it has one that says a speed
    adapters::ProgramSpec spec;  // the same as games start it
    std::string game;            // by its name, of whose positions four are searched
    int slots = 1;
    std::vector<std::vector<int>> cpus;  // by slot, of searches; empty: the system's choice
    Micros move_time{1'000'000};         // of each of four searches, where there is no benchmark
    Micros start_limit{std::chrono::seconds(10)};
};

/// Runs the benchmark in all slots at once, or without one four searches in each. Takes as long as
/// one benchmark of a busy machine, or 4 × move_time. REQUIRES: stop signals are blocked, or end
/// the process anyway.
[[nodiscard]] CalibrationRun measure_speed(const CalibrationSetup& setup, const Clock& clock);

}  // namespace assay::harness
