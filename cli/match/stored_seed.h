#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "harness/plan/plan.h"

namespace assay::cli {

/// The seed of the run that a resume without a seed goes on with: the newest unfinished one in the
/// store that is of this plan but for the seed; where there is none, the newest unfinished one of
/// its name, so that a refusal names only what the user changed. nullopt: neither, or the store
/// cannot be read.
[[nodiscard]] std::optional<std::uint64_t> stored_seed(const std::string& store,
                                                       harness::RunPlan plan);

}  // namespace assay::cli
