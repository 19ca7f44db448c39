#pragma once
#include "cli/frame/command.h"

namespace assay::cli {

/// Adds `boundary`, `plan` and `simulate` to `assay stats`.
void add_planning(Command& stats);

}  // namespace assay::cli
