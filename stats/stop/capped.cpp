// The length of a test of a calibrated shape is its horizon, which is proportional to the square of
// z_alpha + z_beta, in information time, and a pair of normalized bounds adds 2 (width / C)^2
// (docs/statistics.md section 8). So bounds, errors and pairs are tied by one equation, and each of
// the functions here solves it for one of them. With logistic bounds a pair's information depends
// on the variance of the games, which nobody knows beforehand: then there is no such equation.
#include "stats/stop/capped.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "stats/data/normal.h"

namespace assay::stats {

std::int64_t cap_in_pairs(Shape shape, double width, double alpha, double beta) {
    const double pairs = kPairsPerTau * horizon_of(shape, alpha, beta) / (width * width);
    constexpr double kMost = 9e18;  // still an int64; reached by bounds 1e-7 nElo apart
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::min(std::ceil(pairs - 1e-9), kMost)));
}

double capped_width(std::int64_t pairs, double alpha, double beta) {
    return std::sqrt(kPairsPerTau * horizon_of(Shape::Capped, alpha, beta) /
                     static_cast<double>(pairs));
}

double capped_error(std::int64_t pairs, double width) {
    const double tau = static_cast<double>(pairs) * width * width / kPairsPerTau;
    // The horizon of the capped shape is 1.201237 (z_alpha + z_beta)^2, solved for alpha = beta.
    const double z = 0.5 * std::sqrt(tau / 1.201237);
    const double error = normal_cdf(-z);
    if (error > 0.25) {
        throw Error(
            "too few pairs to tell bounds this close with errors of 25 % or less: "
            "allow more pairs, or set the bounds further apart");
    }
    return error;
}

}  // namespace assay::stats
