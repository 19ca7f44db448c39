#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/match/tally.h"
#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "stats/data/counts.h"
#include "stats/estimate/estimate.h"

namespace assay::reports::web {

/// How many games ended so, and for whom, in counted pairs.
struct Ending {
    harness::Termination termination;
    std::int64_t first_won = 0;  // the first program of `between`
    std::int64_t drawn = 0;
    std::int64_t second_won = 0;

    [[nodiscard]] std::int64_t games() const { return first_won + drawn + second_won; }
};

/// The state of the stop rule after so many pairs; without an LLR where the rule has none yet.
struct LookPoint {
    std::int64_t pairs = 0;
    std::optional<double> llr;
    std::optional<double> lower;
    std::optional<double> upper;
};

/// The first program's logistic Elo after so many pairs, as if they had been all that was planned.
struct EloPoint {
    std::int64_t pairs = 0;
    stats::Estimate elo;
    stats::Interval any_time;  // holds at every look
};

/// Counted pairs of one opening.
struct OpeningCount {
    std::uint64_t index = 0;
    std::int64_t a_pair = 0;  // one of them, from 0
    stats::Pentanomial pairs;
};

/// What a page shows of a match beyond its tally, computed only from the pairs.
struct MatchFacts {
    std::vector<Ending>
        endings;  // of the rules in the game's order, then by cause; those that did not happen too
    /// Results of each program as the game's first player, and in its own view.
    std::array<stats::Wdl, 2> as_first{};
    /// The first player's results in the first and second half of the run.
    std::array<stats::Wdl, 2> halves{};
    std::vector<LookPoint> looks;
    std::vector<EloPoint> elo;
    std::vector<OpeningCount> openings;  // by index
};

/// `pairs` in schedule order, as the store gives them; about 400 points a path.
[[nodiscard]] MatchFacts facts_of(const harness::MatchTally& tally,
                                  const std::vector<harness::PairDigest>& pairs);

/// The rule's bounds from the first look to its cap, or to `until` pairs where it has none; empty
/// where the bounds are no function of the number of pairs.
[[nodiscard]] std::vector<LookPoint> bounds_of(const harness::MatchTally& tally,
                                               std::int64_t until);

}  // namespace assay::reports::web
