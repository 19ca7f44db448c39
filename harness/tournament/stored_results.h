#pragma once
#include <string>
#include <vector>

#include "harness/tournament/version_pool.h"

namespace assay::harness {

/// What several stores hold together.
struct StoredResults {
    std::vector<PooledVersion> versions;
    std::vector<stats::RatedPairs> results;  // of those versions, by number
    std::string note;                        // what was read and what was left out
};

/// All pairs that count of all runs. A run that is in several stores counts once, from the store
/// that has most of it.
[[nodiscard]] StoredResults results_of_stores(const std::vector<std::string>& paths, VersionsBy by);

}  // namespace assay::harness
