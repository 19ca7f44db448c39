#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/match/estimates.h"
#include "harness/match/tally.h"
#include "stats/data/counts.h"
#include "stats/estimate/estimate.h"
#include "stats/stop/stop_rule.h"
#include "stats/test/sign_flip.h"

namespace assay::reports {

/// A match of the two versions that are pooled, in one of their runs.
struct PooledMatch {
    const harness::MatchTally* tally = nullptr;
    bool is_reversed = false;  // the first version of the pool is the second of `between`
};

/// Why the number of its pairs was not fixed before it began: "sprt", "was stopped" …; empty: it
/// was fixed, and all of them were played.
[[nodiscard]] std::string not_fixed_because(const harness::MatchTally& tally);

/// What several matches of the same two versions say together of the first version.
struct PooledResult {
    stats::Pentanomial pairs;
    harness::MatchEstimate plain;
    stats::SignFlip sign_flip;
    /// All matches had a fixed number of pairs. Then `plain` and `sign_flip` hold if it was also
    /// settled beforehand which matches are pooled.
    bool is_fixed = true;

    /// The bets over all pairs in the order of the matches. They hold whatever rule ended the
    /// matches, and however many were added after looking at earlier ones.
    stats::TestState evidence;
    std::int64_t decided_after = 0;  // pairs that the decision rests on; 0: none
    stats::Interval elo_at_every_look;
};

/// REQUIRES: `matches` are in the order in which they were played, all of these two versions, and
/// none was left out for its result. Throws Error for settings that make no test.
[[nodiscard]] PooledResult pool_matches(const std::vector<PooledMatch>& matches,
                                        const stats::EvidenceSettings& settings);

}  // namespace assay::reports
