#pragma once
#include "harness/plan/plan.h"

namespace assay::harness {

/// The plan contains what others should not read: values of an environment, or a password
/// in the address of a repository.
[[nodiscard]] bool has_secrets(const RunPlan& plan);

/// Puts "***" in their places, for texts that go to logs.
void hide_secrets(RunPlan& plan);

}  // namespace assay::harness
