#pragma once
#include <optional>

#include "stats/data/sample.h"
#include "stats/estimate/empirical_likelihood.h"

namespace assay::stats {

/// The likeliest law of a given t-value, (mean - 1/2) / standard deviation, described as the
/// solution of a linear constraint.
struct TSearch {
    double value = 0;  // log-likelihood of the law
    DualProblem problem;
};

/// log_likelihood_of_t (likelihood_ratio.h) without an iteration that may fail or end in a lesser
/// maximum: exact to rounding for all bounds. 20 to 100 us. REQUIRES: t finite and not 0,
/// sample not empty. docs/statistics.md section 4.
[[nodiscard]] std::optional<TSearch> search_log_likelihood_of_t(const Sample& sample, double t);

/// Whether the sample's own t is farther from 0 than `t`, on the same side. If so, every stationary
/// law of this t is the likeliest one, because the laws up to t are a convex set. If not, a
/// stationary law may be a lesser maximum.
[[nodiscard]] bool is_beyond_t(const Sample& sample, double t);

/// Whether no law of this t is likelier than the given stationary one, whose log-likelihood is
/// `value`. False also where it cannot tell. About 1 us.
/// REQUIRES: t finite and not 0, sample not empty, !is_beyond_t(sample, t).
[[nodiscard]] bool is_best_towards_t(const Sample& sample, double t, const Values& law,
                                     double value);

}  // namespace assay::stats
