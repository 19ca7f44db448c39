#pragma once
#include <string>

#include "harness/plan/plan.h"

namespace assay::cli {

/// Prints what a run would do: programs with their files and hashes; matches with openings, games
/// at once, stop rule, the pairs that the test needs and may play, and the expected duration (of
/// benchmarks: by the latest run in `store`); then all keys of the plan. With `json`, only the
/// plan, as JSON. With `adds`, of a tournament: what its newest run in `store` lacks. Plays and
/// writes nothing. Throws as harness::execute() does.
void explain(const harness::RunPlan& plan, const std::string& store, bool json, bool adds = false);

}  // namespace assay::cli
