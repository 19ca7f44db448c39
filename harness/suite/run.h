#pragma once
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/plan/plan.h"
#include "harness/record/listener.h"
#include "harness/store/store.h"
#include "harness/suite/runner.h"
#include "harness/suite/verdict.h"

namespace assay::harness {

/// How a run's suite ended.
struct SuiteOutcome {
    SuiteResult result;
    SuiteEnd end;
    int signal = 0;  // that stopped it
};

/// Makes the searches of the run's suite that are missing, on an event loop of its own and on the
/// calling thread, which has the stop signals blocked, and judges the suite. The programs'
/// identities go into run.versions, and with `keep: failed` the trees of positions that hold are
/// deleted. The first signal kills the searches in progress, which a resumed run repeats; a second
/// one does not wait for logs that are being analysed. Throws Error where a program is no
/// executable. REQUIRES: run.plan.suite.
[[nodiscard]] SuiteOutcome search_suite(RunRecord& run, Store& store, const std::string& log_dir,
                                        const std::vector<Listener*>& listeners,
                                        const Clock& clock);

/// How many searches are made at once, by `concurrency: auto` and the limits of this machine.
/// REQUIRES: plan.suite.
[[nodiscard]] int suite_concurrency(const RunPlan& plan);

}  // namespace assay::harness
