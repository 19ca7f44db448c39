#pragma once
#include <array>
#include <optional>

#include "stats/data/sample.h"

namespace assay::stats {

/// One number a category.
using Values = std::array<double, kPairCategories>;

/// A problem of empirical likelihood: the likeliest law q, given the observed shares p, with
/// sum q_i c_i = 0.
struct DualProblem {
    std::size_t size = 0;
    Values share{};  // p_i
    Values c{};
};

/// The problem with the shares of a sample; the caller sets c. REQUIRES: sample not empty.
[[nodiscard]] DualProblem dual_problem_of(const Sample& sample);

/// Solution of the dual problem: the theta at which f(theta) = sum p_i ln(1 + theta c_i) is
/// greatest, among those for which no factor is negative. `value` = f(theta) is the log-likelihood
/// that the best law loses against the shares themselves.
struct Dual {
    double theta = 0;
    double value = 0;  // >= 0
};

/// Newton's method from `start`, exact to rounding. Nullopt where no law satisfies the constraint:
/// all c_i have one sign. docs/statistics.md section 3.
[[nodiscard]] std::optional<Dual> maximise(const DualProblem& problem, double start = 0);

}  // namespace assay::stats
