#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/record/run.h"
#include "harness/store/store.h"

namespace assay::harness {

/// A run of one of several stores.
struct FoundRun {
    const Store* store = nullptr;
    std::string path;
    std::shared_ptr<const RunRecord> record;
    std::int64_t pairs = 0;  // that are over, void ones too
};

/// The runs of several stores that have pairs, each once, however many copies there are, and in the
/// order in which they began. Shards of a run (RunRecord::shard) are runs of their own where the
/// whole is not among them.
class FoundRuns {
public:
    /// Throws Error (exit code 2) where two of them have one uid and each has pairs that the other
    /// lacks: `assay merge` has to make one run of them before they can be counted. Throws as Store
    /// does.
    explicit FoundRuns(const std::vector<std::string>& paths);

    [[nodiscard]] const std::vector<FoundRun>& runs() const { return runs_; }

    /// Left out because another run has all their pairs.
    [[nodiscard]] std::int64_t copies() const { return copies_; }

private:
    void add(FoundRun run);

    std::vector<std::unique_ptr<Store>> stores_;
    std::vector<FoundRun> runs_;
    std::int64_t copies_ = 0;
};

}  // namespace assay::harness
