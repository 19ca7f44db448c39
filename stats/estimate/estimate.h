#pragma once
#include <optional>

#include "stats/data/sample.h"

namespace assay::stats {

/// An interval; an end that does not exist (a one-sided result) is nullopt.
struct Interval {
    std::optional<double> low;
    std::optional<double> high;

    friend bool operator==(const Interval&, const Interval&) = default;
};

/// A figure with its 95 % interval. `value` is nullopt where the data are one-sided (the point
/// estimate would be infinite) or say nothing.
struct Estimate {
    std::optional<double> value;
    Interval ci95;

    friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// How the interval of the mean score is made (docs/statistics.md section 2).
enum class IntervalMethod {
    LikelihoodRatio,  // default: scores whose likelihood ratio is within the chi-square quantile
    Conservative,     // the same with Student's quantile: never covers less than nominal
    Wald,             // mean -+ 1.96 standard errors, cut at 0 and 1; poor for few games
};

/// Strength of the first program from units played in a number fixed beforehand; after a
/// sequential stop these figures are biased, and after_stop.h has the right ones.
struct Strength {
    std::optional<double> score;  // mean points a game; nullopt without data
    Interval score_ci95;
    Estimate elo;      // logistic Elo
    Estimate nelo;     // normalized Elo: kElo * (score - 1/2) / (standard deviation of a game)
    double los = 0.5;  // likelihood of superiority, Phi of the score's z; in [0, 1]
    /// Only one category was seen, so that the variance is unknown: the interval of the score is
    /// then the exact (Clopper-Pearson) one and nElo has no value.
    bool uninformative_variance = false;
};

/// Never NaN and never infinite, whatever the counts in [0, 1e9].
[[nodiscard]] Strength estimate_strength(const Sample& sample,
                                         IntervalMethod method = IntervalMethod::LikelihoodRatio);

/// The figures of fishtest (fastchess regularises its LLR alone, and has IntervalMethod::Wald):
/// regularised counts, Wald's interval with
/// scores clamped to [0.001, 0.999], an error of nElo that neglects that of the variance. `sample`
/// holds the plain counts.
[[nodiscard]] Strength estimate_strength_compat(const Sample& sample);

}  // namespace assay::stats
