#pragma once
#include <string>
#include <vector>

#include "harness/record/listener.h"
#include "harness/run/run.h"
#include "harness/store/store.h"

namespace assay::harness {

/// The state of a run that ended like this; `reason` gets the sentence of its end, empty where
/// there is nothing to say.
[[nodiscard]] RunState state_after(const RunOutcome& outcome, std::string& reason);

/// The end of a run: its state, what a look back over it found, and what a history shows of it are
/// written in one transaction; listeners hear of the findings and of the end when that is durable.
/// Games are read before the transaction, because others may be waiting to write. The exit code
/// (outcome_of()) goes with it where programs were there to play and no signal stopped them.
/// Throws StoreFailure where the end cannot be written, and the run did not fail anyhow.
void end_run(RunOutcome& outcome, const RunOptions& options, Store& store,
             const std::vector<Listener*>& listeners);

}  // namespace assay::harness
