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

/// What became of a run's suite.
struct SuiteOutcome {
    SuiteResult result;
    SuiteEnd end;
    int signal = 0;  // that stopped it
};

/// Searches what is left of the run's suite with an event loop of its own, on the calling thread,
/// which has the stop signals blocked, and judges it. What the programs said of themselves goes
/// into run.versions, and with `keep: failed` the trees of positions that hold are deleted. The
/// first signal kills the searches under way, which are repeated by the next sitting; a second one
/// does not wait for logs that are being looked at. Throws Error where a program is no executable.
/// REQUIRES: run.plan.suite.
[[nodiscard]] SuiteOutcome search_suite(RunRecord& run, Store& store, const std::string& log_dir,
                                        const std::vector<Listener*>& listeners,
                                        const Clock& clock);

/// How many searches at once, after `concurrency: auto` and the limits of this machine.
/// REQUIRES: plan.suite.
[[nodiscard]] int suite_concurrency(const RunPlan& plan);

}  // namespace assay::harness
