#pragma once
#include <optional>
#include <string>

#include "base/clock.h"
#include "harness/executor/slurm_folder.h"
#include "harness/record/run.h"

namespace assay::harness {

/// How fast a node plays a match of a run, beside the run's reference.
struct WorkerSpeed {
    double nps = 0;       // of the second program; 0: not measured, as no clock decides
    double factor = 0;    // for clocks; 0: they are not scaled
    std::string trouble;  // a sentence why the node cannot play; empty: it can
    int signal = 0;       // that came while it was measured; 0: none
    std::string drift;    // a sentence where its speed had changed, and it was measured again
};

/// What the folder of a run knows of a node's speed.
struct NodeSpeed {
    double nps = 0;
    double factor = 0;  // for clocks; 0: there is no reference yet
};

/// Of the match that was measured last there; nullopt: none was.
[[nodiscard]] std::optional<NodeSpeed> speed_of_node(const SlurmFolder& folder,
                                                     const FleetSpec& spec,
                                                     const std::string& node);

/// Measures the node once for a run, and keeps what it found in the folder (`speed/`) for its other
/// tasks. Where the run names no reference, the first node that is measured is it. `games`: at
/// once. A node whose speed in its games has changed by more than DriftWatch::kMost is measured
/// again.
[[nodiscard]] WorkerSpeed worker_speed(const SlurmFolder& folder, const FleetSpec& spec,
                                       const RunRecord& run, std::size_t match,
                                       const std::string& node, int games, const Clock& clock);

/// Adds the moves in a part that the node has played to what is known of its speed in games
/// (DriftWatch), for its next tasks. Two tasks that end at once may lose one's moves.
void note_speed_in_games(const SlurmFolder& folder, std::size_t match, const std::string& node,
                         int games, const std::string& part);

}  // namespace assay::harness
