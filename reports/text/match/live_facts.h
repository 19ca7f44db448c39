#pragma once
#include <string>
#include <vector>

#include "harness/match/tally.h"
#include "reports/view/match_left.h"

namespace assay::reports {

/// The facts of a match in play, most important first.
[[nodiscard]] std::vector<std::string> live_facts(const harness::MatchTally& tally,
                                                  const MatchSpeed& speed);

}  // namespace assay::reports
