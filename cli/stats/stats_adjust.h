#pragma once
#include "cli/frame/command.h"

namespace assay::cli {

/// `assay stats adjust`: corrections for many tests.
void add_adjust(Command& stats);

}  // namespace assay::cli
