#pragma once
#include "cli/frame/command.h"

namespace assay::cli {

/// `assay stats pool`: all matches of two versions in several stores under one verdict.
void add_pool(Command& stats);

}  // namespace assay::cli
