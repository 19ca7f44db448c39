#pragma once
#include <string>

#include "configs/dropin/runner_settings.h"
#include "harness/plan/plan.h"

namespace assay::configs::dropin {

/// The path as it is, or below the folder.
[[nodiscard]] std::string absolute(const std::string& path, const std::string& folder);

/// How games end before their rules say so. `folder`: of the tables' paths.
[[nodiscard]] harness::AdjudicatePlan adjudication_of(const RunnerSettings& settings,
                                                      const std::string& folder);

}  // namespace assay::configs::dropin
