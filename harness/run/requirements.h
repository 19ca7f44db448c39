#pragma once
#include <string>
#include <vector>

#include "harness/match/tally.h"
#include "harness/record/run.h"

namespace assay::harness {

/// The parts of the plan's `require` that the match's first program breaks, a sentence each:
/// "head: 1 crash or stall, at most 0 allowed".
[[nodiscard]] std::vector<std::string> broken_requirements(const MatchTally& tally,
                                                           const RunRecord& run);

/// The same from the first program's failures (MatchTally::all_failures()).
[[nodiscard]] std::vector<std::string> broken_requirements(const Failures& failures,
                                                           const MatchPlan& plan,
                                                           const RunRecord& run);

/// The parts of `require` that the measurements did not settle, a sentence each:
/// "head: speed -2.9 % [-4.1, -0.7] (limit -3 %): inconclusive, …".
[[nodiscard]] std::vector<std::string> open_requirements(const RunRecord& run);

}  // namespace assay::harness
