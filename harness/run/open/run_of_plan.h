#pragma once
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/record/run.h"

namespace assay::harness {

/// Whether the run was begun with this plan: as written, or with the seed that was drawn for it
/// then and is named now.
[[nodiscard]] bool is_run_of(const RunRecord& run, const RunPlan& plan);

/// The newest run of this name was begun otherwise: to start another one beside it, or to go on
/// with an older one, is not what was asked for.
/// Throws Error with the differences; `flag`: what the user gave, `store`: its path.
[[noreturn]] void refuse_other_plan(const RunRecord& run, const RunPlan& plan,
                                    const std::string& flag, const std::string& store);

/// `--add` to a tournament of a name that no run has; `runs`: all of the store.
[[noreturn]] void refuse_missing_tournament(const std::vector<RunRecord>& runs,
                                            const std::string& name, const std::string& store);

/// Throws Error where the run's tournament is of another kind. REQUIRES: both have one.
void refuse_other_kind(const RunRecord& run, const RunPlan& plan, const std::string& store);

}  // namespace assay::harness
