#pragma once
#include <cstdint>
#include <optional>

#include "harness/plan/plan.h"

namespace assay::harness {

/// What a match costs where Slurm plays it, before anything is submitted.
struct FleetForecast {
    int games_of_task = 1;
    std::int64_t pairs_of_task = 1;
    std::int64_t batches = 0;
    double dispatch_seconds = 0;       // of slots, in which nothing is played
    std::optional<double> overshoot;   // pairs in vain at the verdict; unset: no rule looks
    std::optional<double> slot_hours;  // if all pairs are played; unset: no clock
};

/// REQUIRES: the plan has `slurm`, and the match its pairs.
[[nodiscard]] FleetForecast forecast_of(const RunPlan& plan, const MatchPlan& match);

/// Pairs that are played or begun in vain behind the verdict of a sequential test, with so many
/// games at once, each taking `unit` pairs at a time.
[[nodiscard]] double pairs_in_vain(double games_at_once, double unit);

}  // namespace assay::harness
