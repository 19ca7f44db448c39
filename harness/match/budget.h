#pragma once
#include <optional>

#include "harness/plan/plan.h"

namespace assay::harness {

/// Estimates the seconds that both sides of a game think together: 60 moves a side, a tenth of each
/// clock unused. nullopt if a side's limit is nodes, depth or infinite.
[[nodiscard]] std::optional<double> seconds_a_game(const MatchPlan& match);

/// Estimates the pairs that fit into a time with so many games at once; nullopt as
/// seconds_a_game().
[[nodiscard]] std::optional<double> pairs_within(const MatchPlan& match, Micros time,
                                                 int concurrency);

/// Sets the pairs of each capped match that leaves them open (0): what its bounds and errors need,
/// if both are given; else what fits into its minutes less a tenth; else 1000. Throws Error (exit
/// code 2) if it has minutes and no clock, so that the length of its games is unknown.
void derive_pairs(RunPlan& plan);

/// Allows so many more pairs. A capped test keeps the bounds and errors that it began with:
/// deriving them from the new number would change the question after seeing the games. Throws as
/// resolve_stop().
void extend(MatchPlan& match, std::int64_t pairs);

}  // namespace assay::harness
