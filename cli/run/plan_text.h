#pragma once
#include <string>

#include "harness/plan/plan.h"

namespace assay::cli {

/// A plan with all its keys for people: a key a line, nested by indentation, times as a config has
/// them, programs by name; without what is off, zero or empty. Of a long list the beginning.
[[nodiscard]] std::string plan_text(const harness::RunPlan& plan);

}  // namespace assay::cli
