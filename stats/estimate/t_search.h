#pragma once
#include <optional>

#include "stats/data/sample.h"
#include "stats/estimate/dual.h"

namespace assay::stats {

/// The best law of a t, as the best one for a linear constraint.
struct TSearch {
    double value = 0;  // its log-likelihood
    DualProblem problem;
};

/// log_likelihood_of_t (glr.h) without an iteration that may fail or end in a lesser maximum:
/// exact to rounding whatever the bounds. 20 to 100 us.
/// REQUIRES: t finite and not 0, sample not empty. docs/statistics.md section 4.
[[nodiscard]] std::optional<TSearch> search_log_likelihood_of_t(const Sample& sample, double t);

/// Whether the sample's own t lies beyond `t`, away from 0. The laws that do are not a convex set,
/// and those that do not are: only towards the latter has every stationary law the likelihood of
/// the best one.
[[nodiscard]] bool is_beyond_t(const Sample& sample, double t);

/// Whether no law of this t is likelier than the given stationary one, whose log-likelihood is
/// `value`: about 1 us. False also where that is not clear.
/// REQUIRES: as above, and the sample not beyond `t`.
[[nodiscard]] bool is_best_towards_t(const Sample& sample, double t, const Values& law,
                                     double value);

}  // namespace assay::stats
