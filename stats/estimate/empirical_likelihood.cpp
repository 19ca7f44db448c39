// The law nearest to the observed shares, in likelihood, under one linear constraint sum q_i c_i =
// 0 (Owen 1988). With a multiplier theta for the constraint the best law is q_i = p_i / (1 + theta
// c_i), and theta maximises f(theta) = sum p_i ln(1 + theta c_i): the dual problem, of one variable
// where the law itself has up to five. Every likelihood of this folder ends here, several times a
// pair, so that it is written for five categories without allocation.
//
// f is concave, so that Newton's step is right whenever it stays inside the bracket; bisection
// replaces it elsewhere. Where the end category is unseen the maximum may lie at the end of the
// range; the remaining mass of the law then belongs to that category, and no pseudo-count is
// needed.
#include "stats/estimate/empirical_likelihood.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::stats {

namespace {

/// First and second derivative of f.
std::pair<double, double> slope_at(const DualProblem& problem, double theta) {
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < problem.size; ++i) {
        const double ratio = problem.c[i] / (1 + theta * problem.c[i]);
        first += problem.share[i] * ratio;
        second -= problem.share[i] * ratio * ratio;
    }
    return {first, second};
}

double value_at(const DualProblem& problem, double theta) {
    double value = 0;
    for (std::size_t i = 0; i < problem.size; ++i) {
        if (problem.share[i] > 0) value += problem.share[i] * std::log1p(theta * problem.c[i]);
    }
    return value;
}

/// The derivative at an end of the range, where categories without mass drop out; infinite where
/// the end category has mass.
double slope_at_end(const DualProblem& problem, double theta) {
    double first = 0;
    for (std::size_t i = 0; i < problem.size; ++i) {
        if (problem.share[i] <= 0) continue;
        const double q = 1 + theta * problem.c[i];
        if (q <= 1e-15) return problem.c[i] > 0 ? HUGE_VAL : -HUGE_VAL;
        first += problem.share[i] * problem.c[i] / q;
    }
    return first;
}

/// The root between the ends; `start` lies between them.
double root_inside(const DualProblem& problem, double low, double high, double start) {
    const double low_end = low;
    const double high_end = high;
    double theta = start;
    for (int step = 0; step < 200; ++step) {
        const auto [first, second] = slope_at(problem, theta);
        (first > 0 ? low : high) = theta;
        double next = second < 0 ? theta - first / second : theta;
        const bool is_newton = next > low && next < high;
        if (!is_newton) next = 0.5 * (low + high);
        // f' has a pole at an end, and near it steps are as short as the distance to it: a first
        // step must not get there.
        next = std::clamp(next, low_end + 1e-3 * (theta - low_end),
                          high_end - 1e-3 * (high_end - theta));
        const double moved = std::fabs(next - theta);
        theta = next;
        const double room = std::min(theta - low_end, high_end - theta);
        if (moved > 0.01 * room) continue;
        if (moved <= 1e-14 * (1 + std::fabs(theta))) break;
        // Newton's error is squared by a step, on the scale of the distance to the ends.
        if (is_newton && moved * moved <= 1e-13 * std::min(room, 1.0)) break;
    }
    return theta;
}

}  // namespace

DualProblem dual_problem_of(const Sample& sample) {
    DualProblem problem;
    problem.size = sample.size;
    const double total = sample.total();
    for (std::size_t i = 0; i < sample.size; ++i) problem.share[i] = sample.count[i] / total;
    return problem;
}

std::optional<Dual> maximise(const DualProblem& problem, double start) {
    const double* const begin = problem.c.data();
    const double* const end = begin + static_cast<std::ptrdiff_t>(problem.size);
    const auto [least, most] = std::minmax_element(begin, end);
    if (!(*least < 0 && *most > 0)) return std::nullopt;
    const double low = -1 / *most;
    const double high = -1 / *least;
    const bool low_seen = problem.share[static_cast<std::size_t>(most - begin)] > 0;
    const bool high_seen = problem.share[static_cast<std::size_t>(least - begin)] > 0;
    if (!low_seen && slope_at_end(problem, low) <= 0) return Dual{low, value_at(problem, low)};
    if (!high_seen && slope_at_end(problem, high) >= 0) {
        return Dual{high, value_at(problem, high)};
    }
    if (!(start > low && start < high)) start = 0;
    const double theta = root_inside(problem, low, high, start);
    return Dual{theta, std::max(0.0, value_at(problem, theta))};  // f(0) = 0
}

}  // namespace assay::stats
