#pragma once
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace assay::harness {

/// Where two plans differ, one sentence fragment a value, in the words of to_json():
/// "matches.0.pairs was 70, is 40". Long values are cut. Empty: the plans are the same.
[[nodiscard]] std::vector<std::string> plan_differences(const RunPlan& before, const RunPlan& now);

}  // namespace assay::harness
