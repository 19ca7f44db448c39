#pragma once
#include <string>

#include "harness/plan/plan.h"

namespace assay::configs {

/// The plan as a config that loads as the same plan: every value that is not the default is
/// written out. Paths are absolute, but for a suite's positions, which stand as the plan's config
/// had them. Queries stand in the text, whatever file they came from.
[[nodiscard]] std::string config_text(const harness::RunPlan& plan);

}  // namespace assay::configs
