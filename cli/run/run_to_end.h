#pragma once
#include "cli/frame/commands.h"
#include "cli/run/play.h"

namespace assay::cli {

/// What `run` does with a plan: explains it where that is asked for, else plays it, prints the
/// result, stores the exit code and starts `at_end`.
void run_to_end(const harness::RunPlan& plan, const PlayFlags& flags, Exit& exit);

}  // namespace assay::cli
