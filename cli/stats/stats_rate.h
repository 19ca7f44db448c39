#pragma once
#include "cli/frame/command.h"

namespace assay::cli {

/// `assay stats rate`: ratings of several programs from a PGN, a run or a table of results.
void add_rate(Command& stats);

}  // namespace assay::cli
