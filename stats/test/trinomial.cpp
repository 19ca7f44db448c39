// The test of the lecture Theory of Computer Games (Hsu): the score S of n pairs between equal
// programs, when the rates of wins and draws of the first player are known. A pair scores +-2 with
// probability pr each and +-1 with (p + r) q each, so that S is a walk on the whole numbers, whose
// law lattice_law.h gives exactly. The normal approximation decides the same from 100 pairs on if
// it is corrected for continuity; the exact law costs little and needs no such rule.
//
// The critical score is found by a bracket around the normal quantile that is doubled until it
// holds, and then bisected: tails cost a sum over the grid each, so that a scan from 0 would be too
// slow for a million pairs.
#include "stats/test/trinomial.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/diagnostic.h"
#include "stats/data/lattice_law.h"
#include "stats/data/normal.h"

namespace assay::stats {

namespace {

std::optional<std::int64_t> critical_score(const LatticeLaw& law, double level) {
    const auto rare = [&](std::int64_t s) { return law.two_sided_tail(s) <= level; };
    // The normal approximation is nearly right; grow a bracket around it.
    const double guess = -normal_quantile(0.5 * level) * std::sqrt(law.variance());
    std::int64_t high = std::min(law.greatest(), static_cast<std::int64_t>(guess) + 2);
    if (high == law.greatest() && !rare(high)) return std::nullopt;
    std::int64_t low = high;
    for (std::int64_t step = 2; high < law.greatest() && !rare(high); step *= 2) {
        high = std::min(law.greatest(), high + step);
    }
    if (!rare(high)) return std::nullopt;
    for (std::int64_t step = 2; low > 0 && rare(low); step *= 2) {
        low = std::max<std::int64_t>(0, low - step);
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (rare(middle) ? high : low) = middle;
    }
    return high;
}

}  // namespace

std::optional<TrinomialNull> plug_in_null(std::int64_t first_player_wins, std::int64_t draws,
                                          std::int64_t games) {
    if (games <= 0) return std::nullopt;
    const double n = static_cast<double>(games);
    return TrinomialNull{static_cast<double>(first_player_wins) / n,
                         static_cast<double>(draws) / n};
}

TrinomialTest trinomial_test(std::int64_t pairs, std::int64_t score, const TrinomialNull& null,
                             double level) {
    const double p = null.first_wins;
    const double q = null.draws;
    if (!(p >= 0 && q >= 0 && p + q <= 1 + 1e-12)) {
        throw Error("the null's win and draw rates must be at least 0, with a sum of at most 1");
    }
    if (pairs < 0 || pairs > 1'000'000'000) throw Error("pairs must be from 0 to 1000000000");
    if (!(level > 0 && level < 1)) throw Error("level must be between 0 and 1");
    const double r = std::fmax(0.0, 1 - p - q);
    const LatticeLaw law({pairs, (p + r) * q, p * r});
    // All impossible scores are equivalent; clamping makes the absolute value safe.
    const std::int64_t s = std::llabs(std::clamp(score, -2 * pairs - 1, 2 * pairs + 1));
    TrinomialTest test;
    test.sigma = std::sqrt(law.variance());
    test.p_value = law.two_sided_tail(s);
    test.prob_abs_le_s = 1 - law.two_sided_tail(s + 1);
    test.critical_score = critical_score(law, level);
    return test;
}

}  // namespace assay::stats
