#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/executor/folder/taken_part.h"
#include "harness/executor/slurm_folder.h"
#include "harness/record/fleet.h"
#include "harness/record/run.h"
#include "harness/store/store.h"

namespace assay::harness {

/// Takes the parts of one match from a run's folder into the store, each in one transaction.
class PartTaker {
public:
    /// Both outlive it.
    PartTaker(const RunRecord& run, std::size_t match, Store& store);

    /// As SlurmExecutor::Setup::take. What is refused is moved to the store's quarantine.
    [[nodiscard]] TakenPart take(const std::string& file, const Shard::Window& window,
                                 bool is_late);

    /// As SlurmExecutor::Setup::note_claims. Each claim of a pair is in the store when the run is
    /// over: it counted, came late, was lost or given back. Long games are lost more often than
    /// short ones, so the lost ones count.
    void note_claims(const Shard::Window& window, int first, const std::vector<Claim>& claims,
                     bool is_over);

private:
    void note(const std::vector<PairDigest>& pairs);
    [[nodiscard]] bool came(const Shard::Window& window, int attempt) const;
    void note_rest(const Shard::Window& window, int attempt, const Claim& claim, AttemptFate fate,
                   long long ended_us);
    [[nodiscard]] std::int64_t machine_of(const std::string& node);

    const RunRecord& run_;
    Store& store_;
    std::optional<RunRecord> stored_run_;
    std::set<std::pair<std::int64_t, int>> known_;  // pairs with the first attempt of a claim
    std::map<std::string, std::int64_t> machines_;  // by node
};

/// What tasks handed in when the coordinator had ended.
struct LateParts {
    std::int64_t parts = 0;
    std::int64_t pairs = 0;
    std::vector<std::string> sentences;  // on those that were not taken, and what they warn of
};

/// Files of parts in the folder of a finished run that the store has not.
[[nodiscard]] std::vector<std::string> late_parts_in(const SlurmFolder& folder,
                                                     const RunRecord& run, const Store& store);

/// Takes them: they are late, and count nowhere. REQUIRES: no other process writes to the store.
[[nodiscard]] LateParts take_late_parts(const SlurmFolder& folder, const RunRecord& run,
                                        Store& store);

}  // namespace assay::harness
