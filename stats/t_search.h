#pragma once
#include <optional>

#include "stats/sample.h"

namespace assay::stats {

/// log_likelihood_of_t (glr.h) by search over the mean: for extreme bounds, where its fixed point
/// does not exist or does not converge. Within 1e-6 relative; about a millisecond.
/// REQUIRES: t finite and not 0, sample not empty. docs/statistics.md section 4.
[[nodiscard]] std::optional<double> search_log_likelihood_of_t(const Sample& sample, double t);

}  // namespace assay::stats
