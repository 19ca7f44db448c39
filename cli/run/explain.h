#pragma once
#include <string>

#include "harness/plan/plan.h"

namespace assay::cli {

/// Prints what a run would do: programs with their files and hashes, matches with openings, games
/// at once, stop rule, what the test needs against what it is allowed, and the expected duration,
/// that of a benchmark by the latest run in `store`; then all keys of the plan, or with `json` only
/// these, as JSON. Plays nothing and writes nothing. Throws as harness::execute() would.
void explain(const harness::RunPlan& plan, const std::string& store, bool json);

}  // namespace assay::cli
