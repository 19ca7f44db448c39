#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/executor/slurm_folder.h"
#include "harness/executor/slurm_submitter.h"
#include "harness/fleet/worker_speed.h"

namespace assay::harness {

/// What one node has done for a run.
struct NodeStatus {
    std::int64_t batches = 0;  // handed in
    std::int64_t pairs = 0;
    double pairs_per_hour = 0;  // of its tasks' time
    std::int64_t late = 0;      // handed in behind a newer attempt
    std::int64_t lost = 0;      // attempts that another one followed without a word of an end
    std::int64_t failed = 0;
    std::int64_t time_losses = 0;
    std::int64_t playing = 0;
    std::optional<NodeSpeed> speed;  // unset: it was not measured
    std::string trouble;             // the last failure, or change of speed; empty: none
};

/// What the folder of a run says of it.
struct FleetStatus {
    std::string uid;
    bool is_stopped = false;
    std::int64_t batches = 0;
    std::int64_t done = 0;  // a part came, or newer batches have its pairs
    std::int64_t playing = 0;
    std::int64_t queued = 0;  // Slurm has a task that has not begun; 0 where it was not asked
    std::int64_t open = 0;    // the others, of those that have pairs to play
    std::int64_t pairs = 0;   // that are planned, each once
    std::int64_t pairs_done = 0;
    std::optional<std::int64_t> blocking;  // the batch of the first pair that has no part
    std::string blocking_text;             // what becomes of it
    std::optional<double> hours_left;      // by the pace of the last five minutes
    std::map<std::string, NodeStatus> nodes;
    std::vector<std::string> trouble;  // sentences
};

/// `queue`: what Slurm says; null: it was not asked. `now_us`: the wall clock.
[[nodiscard]] FleetStatus fleet_status(const SlurmFolder& folder, const SlurmQueue* queue,
                                       long long now_us);

}  // namespace assay::harness
