#pragma once
#include <cmath>
#include <limits>

namespace assay::stats {

/// nElo = kElo * t, where t is (mean - 1/2) over the standard deviation of one game:
/// 800 / ln 10, so that nElo is Elo where no game is drawn (docs/statistics.md section 2).
inline constexpr double kElo = 347.43558552260146;

/// Expected score, in (0, 1), of a program that is `elo` logistic Elo stronger.
[[nodiscard]] inline double score_of_elo(double elo) {
    return 1 / (1 + std::pow(10.0, -elo / 400));
}

/// The inverse. Infinite at scores 0 and 1, which callers must treat as one-sided results.
[[nodiscard]] inline double elo_of_score(double score) {
    if (score <= 0) return -std::numeric_limits<double>::infinity();
    if (score >= 1) return std::numeric_limits<double>::infinity();
    const double scale = 400 / std::log(10.0);
    if (score < 0.25 || score > 0.75) return scale * (std::log(score) - std::log1p(-score));
    // Scores near 1/2 keep their digits so.
    const double d = 2 * (score - 0.5);
    return scale * (std::log1p(d) - std::log1p(-d));
}

}  // namespace assay::stats
