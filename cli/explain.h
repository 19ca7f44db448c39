#pragma once
#include "harness/plan.h"

namespace assay::cli {

/// Prints what a run would do: programs with their files and hashes, matches with openings, games
/// at once, stop rule, what the test needs against what it is allowed, and the expected duration.
/// Plays nothing and writes nothing. Throws as harness::execute() would.
void explain(const harness::RunPlan& plan, bool json);

}  // namespace assay::cli
