#pragma once
#include <string>

#include "harness/plan/plan.h"

namespace assay::reports {

/// The match's stop rule with its bounds and error rates, and what the allowed pairs and minutes
/// can resolve by it; one line without its end. `concurrency`: games at once, 0: not known, and
/// then the minutes are not converted to pairs.
[[nodiscard]] std::string rule_header(const harness::MatchPlan& match, int concurrency);

}  // namespace assay::reports
