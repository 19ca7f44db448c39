#pragma once
#include <array>
#include <optional>

#include "stats/data/sample.h"

namespace assay::stats {

/// One number a category.
using Values = std::array<double, kPairCategories>;

/// Laws q near the shares p with sum q_i c_i = 0.
struct DualProblem {
    std::size_t size = 0;
    Values share{};  // p_i
    Values c{};
};

/// The shares of a sample that is not empty; c is left to the caller.
[[nodiscard]] DualProblem dual_problem_of(const Sample& sample);

/// Where f(theta) = sum p_i ln(1 + theta c_i) is greatest, among the theta for which no factor is
/// negative, seen or not: minus `value` is the log-likelihood that the best such law loses.
struct Dual {
    double theta = 0;
    double value = 0;  // >= 0
};

/// Newton's method from `start`, exact to rounding. Nullopt where no law meets the constraint: all
/// c_i have one sign. docs/statistics.md section 3.
[[nodiscard]] std::optional<Dual> maximise(const DualProblem& problem, double start = 0);

}  // namespace assay::stats
