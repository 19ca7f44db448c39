#pragma once
#include <string>

#include "harness/plan/plan.h"

namespace assay::cli {

/// A plan for people: one key a line, nested by indentation, times as in a config, programs by
/// name. Leaves out what is off, zero or empty, and the rest of long lists.
[[nodiscard]] std::string plan_text(const harness::RunPlan& plan);

}  // namespace assay::cli
