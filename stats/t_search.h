#pragma once
#include <optional>

#include "stats/sample.h"

namespace assay::stats {

/// log_likelihood_of_t (glr.h) without an iteration that may fail or end in a lesser maximum:
/// exact to rounding whatever the bounds. 20 to 100 us.
/// REQUIRES: t finite and not 0, sample not empty. docs/statistics.md section 4.
[[nodiscard]] std::optional<double> search_log_likelihood_of_t(const Sample& sample, double t);

/// Whether the sample's own t lies beyond `t`, away from 0. The laws that do are not a convex set,
/// and those that do not are: only towards the latter has every stationary law the likelihood of
/// the best one.
[[nodiscard]] bool is_beyond_t(const Sample& sample, double t);

}  // namespace assay::stats
