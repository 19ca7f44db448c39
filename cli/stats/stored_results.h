#pragma once
#include <string>
#include <vector>

#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "harness/store/store.h"
#include "harness/tournament/version_pool.h"

namespace assay::cli {

/// The pairs of a match that count for its verdict, in schedule order.
[[nodiscard]] std::vector<harness::PairDigest> counted_pairs(const harness::Store& store,
                                                             const harness::RunRecord& run,
                                                             std::size_t match);

/// What several stores hold together.
struct StoredResults {
    std::vector<harness::PooledVersion> versions;
    std::vector<stats::RatedPairs> results;  // of those versions, by number
    std::string note;                        // what was read and what was left out
};

/// All pairs that count of all runs. A run that is in several stores counts once, from the store
/// that has most of it.
[[nodiscard]] StoredResults results_of_stores(const std::vector<std::string>& paths,
                                              harness::VersionsBy by);

/// Whether the file is a store, by its first bytes.
[[nodiscard]] bool is_store(const std::string& path);

}  // namespace assay::cli
