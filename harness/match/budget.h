#pragma once
#include <optional>

#include "harness/plan/plan.h"

namespace assay::harness {

/// Seconds that both sides of a game think together, as far as the time controls tell: games of 60
/// moves a side, and programs that leave a tenth of a clock unused. nullopt where nodes, depth or
/// infinite is a side's limit.
[[nodiscard]] std::optional<double> seconds_a_game(const MatchPlan& match);

/// Gives each capped match that leaves its pairs open (0) a number of them: what its bounds and
/// errors need, where both are given; else what its minutes pay for, with a tenth of them in hand;
/// else 1000. Throws Error (exit code 2) where no clock tells what minutes pay for.
void derive_pairs(RunPlan& plan);

/// Allows so many pairs more. A capped test keeps the bounds and errors that it began with: to
/// derive them from the new number would move the goal after the play. Throws as resolve_stop().
void extend(MatchPlan& match, std::int64_t pairs);

}  // namespace assay::harness
