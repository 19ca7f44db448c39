#pragma once
#include <string>

#include "harness/record/run.h"

namespace assay::harness {

/// Of a run that goes on here, without its fleet: a sentence where workers still play it, since
/// what they play is played twice then. Empty: none does, or it was never played by others.
[[nodiscard]] std::string tasks_elsewhere(const RunRecord& run);

}  // namespace assay::harness
