#pragma once
#include "harness/build/build_versions.h"
#include "harness/run/run.h"
#include "harness/store/store.h"

namespace assay::harness {

/// Makes the programs of a run that has begun ready to play: builds what comes from git, runs the
/// benchmarks that are declared, and stores what came of it. Where that fails, outcome.before and
/// its reason say so; so too where `skip_if` of the plan holds, if `may_skip` and no game has been
/// played. Tells of programs that are the same. Throws Error as Versions::build() does.
void prepare(RunOutcome& outcome, Versions& versions, Store& store,
             const std::vector<Listener*>& listeners, const Clock& clock, bool may_skip);

}  // namespace assay::harness
