#pragma once
#include <optional>

#include "harness/record/result_counts.h"
#include "stats/estimate/likelihood_ratio.h"

namespace assay::reports::dropin {

/// The estimates that fastchess and cutechess-cli print, by their formulas (docs/statistics.md says
/// why ours differ): intervals of 95 % by the normal law, made symmetric. They may be infinite or
/// no number, as theirs are, where results are one-sided.
struct ClassicEstimate {
    double elo = 0;
    double elo_error = 0;
    double nelo = 0;
    double nelo_error = 0;
    double los = 0;  // share
};

/// How many standard errors half an interval of 95 % is: fastchess has the exact number,
/// cutechess-cli that of an approximation of the error function.
inline constexpr double kFastchessErrors = 1.959963984540054;
inline constexpr double kCutechessErrors = 1.957161931656078;

[[nodiscard]] ClassicEstimate estimate_of_games(const harness::ResultCounts& counts,
                                                double errors = kFastchessErrors);
[[nodiscard]] ClassicEstimate estimate_of_pairs(const harness::ResultCounts& counts);

/// A plain SPRT as these runners have it.
struct ClassicSprt {
    stats::Model model = stats::Model::Normalized;
    double elo0 = 0;
    double elo1 = 0;
    double alpha = 0;
    double beta = 0;
    bool by_games = false;

    [[nodiscard]] double lower() const;
    [[nodiscard]] double upper() const;
    /// Always a number: each zero count is 0.001.
    [[nodiscard]] double llr(const harness::ResultCounts& counts) const;
};

}  // namespace assay::reports::dropin
