#pragma once
#include <string_view>

#include "harness/plan/plan.h"

namespace assay::harness {

/// The plan contains what others should not read: values of an environment, or a password or token
/// in an address (of a repository, of what a build step or hook calls).
[[nodiscard]] bool has_secrets(const RunPlan& plan);

/// Stands for a value that is not shown.
inline constexpr std::string_view kHiddenValue = "***";

/// Puts it in their places, for texts that go to logs.
void hide_secrets(RunPlan& plan);

}  // namespace assay::harness
