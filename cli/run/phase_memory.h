#pragma once
#include "harness/record/listener.h"

namespace assay::cli {

/// Gives back, before a match's first game and behind its last, what only the phase that is over
/// needed: free memory of the allocator, and pages of code and constants, which the system takes
/// from their files again where they are still used.
class PhaseMemory final : public harness::Listener {
public:
    void on_match_start(const harness::RunRecord& run, std::size_t match, int concurrency) override;
    void on_match_end(std::size_t match, const harness::MatchTally& tally) override;
};

}  // namespace assay::cli
