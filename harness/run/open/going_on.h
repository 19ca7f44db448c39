#pragma once
#include <cstdint>

#include "harness/build/build_versions.h"
#include "harness/record/run.h"
#include "harness/store/store.h"

// What changes in a run that goes on; the record alone, nothing is stored.
namespace assay::harness {

/// Adds the pairs to each match that has a use for them: a rule that looks as it goes and has
/// decided plays none.
void extend_matches(RunRecord& run, const Store& store, std::int64_t pairs,
                    const Versions& versions);

/// The run goes on with the programs of the plan.
/// Throws Error where its kind of tournament cannot have others any more.
void set_programs(RunRecord& run, const RunPlan& plan, const Store& store, Versions& versions);

/// What has been played until now counts against no minutes: those of the plan begin anew.
void begin_budgets(RunRecord& run, const Store& store);

}  // namespace assay::harness
