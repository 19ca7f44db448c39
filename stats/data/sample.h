#pragma once
#include <array>
#include <cstddef>

#include "stats/data/counts.h"

namespace assay::stats {

/// Units of data by category: a pair (two games, scores 0, 1/4, 1/2, 3/4, 1) or a single game
/// (scores 0, 1/2, 1). All estimates and likelihoods work on this form. Scores are in points a
/// game, so that both kinds have their mean in [0, 1]; counts need not be whole.
struct Sample {
    std::size_t size = 0;  // 5 or 3 categories; the arrays' rest is zero
    std::array<double, kPairCategories> score{};
    std::array<double, kPairCategories> count{};
    int games_per_unit = 1;

    [[nodiscard]] double total() const {
        return count[0] + count[1] + count[2] + count[3] + count[4];
    }
};

[[nodiscard]] Sample sample_of(const Pentanomial& pairs);
/// Only for games that are not paired: the two games of a pair are correlated.
[[nodiscard]] Sample sample_of(const Wdl& games);

/// Each zero count becomes 0.001, as fishtest, fastchess and OpenBench do before they compute an
/// LLR, and fishtest before it computes anything (the switch `--compat`, docs/statistics.md section
/// 3).
[[nodiscard]] Sample regularised(Sample sample);

/// Central moments of one unit. All are 0 where the sample is empty; skewness and kurtosis are 0
/// and 3 where the variance is 0.
struct Moments {
    double total = 0;
    double mean = 0;      // points a game, in [0, 1]
    double edge = 0;      // mean - 1/2, without loss of digits near equality
    double variance = 0;  // of one unit, divisor N
    double skewness = 0;
    double kurtosis = 3;  // 3 for a normal law
};

[[nodiscard]] Moments moments_of(const Sample& sample);

/// Whether all units fell into one category (or there are none): the variance is then unknown.
[[nodiscard]] bool is_degenerate(const Sample& sample);

}  // namespace assay::stats
