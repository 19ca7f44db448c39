#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/match/estimates.h"
#include "harness/match/tally.h"
#include "harness/record/run.h"
#include "stats/data/counts.h"
#include "stats/estimate/estimate.h"
#include "stats/stop/stop_rule.h"
#include "stats/test/sign_flip.h"

namespace assay::reports {

/// A match of the two versions that are pooled, in one of their runs.
struct PooledMatch {
    const harness::RunRecord* run = nullptr;
    const harness::MatchTally* tally = nullptr;
    bool is_reversed = false;  // the first version of the pool is the second of `between`
};

/// Why the number of its pairs was not fixed before it began: "sprt", "was stopped", "was
/// extended", "swiss" …; empty: it was fixed, and all of them were played.
[[nodiscard]] std::string not_fixed_because(const PooledMatch& match);

/// The pairs that count, seen by the first version of the pool.
[[nodiscard]] stats::Pentanomial pairs_of(const PooledMatch& match);

/// What several matches of the same two versions say together of the first version.
struct PooledResult {
    stats::Pentanomial pairs;
    harness::MatchEstimate plain;
    stats::SignFlip sign_flip;
    /// All matches had a fixed number of pairs. Then `plain` and `sign_flip` hold if it was also
    /// settled beforehand which matches are pooled.
    bool is_fixed = true;

    /// ln E of the bets over all pairs: against "no stronger than elo0", and against "no weaker
    /// than elo1". They hold whatever rule ended the matches, in whatever order the pairs were
    /// played, and however many were added after looking at earlier ones.
    double ln_e_for = 0;
    double ln_e_against = 0;
    /// By these bets as they stand after all pairs.
    stats::Decision decision = stats::Decision::Continue;
    stats::Interval elo_at_every_look;
};

/// REQUIRES: all matches are of these two versions, and none was left out for its result. Throws
/// Error for settings that make no test, and for matches with single games.
[[nodiscard]] PooledResult pool_matches(const std::vector<PooledMatch>& matches,
                                        const stats::EvidenceSettings& settings);

}  // namespace assay::reports
