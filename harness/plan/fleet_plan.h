#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace assay::harness {

/// The pairs of a run are played by tasks of Slurm, or by whoever else starts `assay work` on the
/// folder (docs/slurm.md). No part of what a run is: it can be begun on one machine and go on in
/// a cluster.
struct SlurmPlan {
    std::string folder;                     // shared by all machines; absolute once loaded
    int slots = 16;                         // tasks at once
    int cpus = 1;                           // of a task
    Micros time{std::chrono::minutes(30)};  // limit of a task
    std::optional<int> batch;          // pairs of a task; unset: as many as take about 3 minutes
    std::string partition;             // empty: the site's default
    std::vector<std::string> options;  // more words for sbatch
    Micros check{std::chrono::seconds(15)};  // how often the queue is asked
    bool scale = true;                       // clocks are scaled to the speed of the reference
    double reference = 0;  // nodes a second of the second program; 0: the first node's
    bool ships = true;     // programs reach the nodes through the folder; false: by their paths
    bool submits = true;   // false: nothing is submitted; others start the workers

    friend bool operator==(const SlurmPlan&, const SlurmPlan&) = default;
};

/// Pairs of a task are at most so many.
inline constexpr int kMostPairsOfTask = 64;

}  // namespace assay::harness
