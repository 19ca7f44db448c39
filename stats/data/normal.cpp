// Tails are computed as such and never as 1 - the other tail, which would have no digit left below
// 1e-16: p-values of long matches are smaller than that. Where even the tail underflows (z < -38) a
// caller that only compares needs its logarithm. Binomial sums are the regularised incomplete beta
// function, whose cost does not grow with the games (Abramowitz and Stegun 26.5.24).
#include "stats/data/normal.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace assay::stats {

namespace {

constexpr double kSqrt2 = 1.4142135623730951;
constexpr double kLogSqrt2Pi = 0.9189385332046727;

}  // namespace

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / kSqrt2);
}

double log_normal_cdf(double z) {
    if (z > -30) return z > 0 ? std::log1p(-normal_cdf(-z)) : std::log(normal_cdf(z));
    // Asymptotic series of Mills' ratio; at z = -30 the first term left out is 1e-13.
    const double r = 1 / (z * z);
    const double series = 1 - r * (1 - 3 * r * (1 - 5 * r * (1 - 7 * r)));
    return -0.5 * z * z - kLogSqrt2Pi - std::log(-z) + std::log(series);
}

double normal_quantile(double p) {
    return -kSqrt2 * boost::math::erfc_inv(2 * p);
}

double chi_square_tail(double x, double degrees) {
    if (x <= 0) return 1;
    return boost::math::gamma_q(degrees / 2, x / 2);
}

double student_cdf(double t, double degrees) {
    return boost::math::cdf(boost::math::students_t(degrees), t);
}

double student_quantile(double p, double degrees) {
    return boost::math::quantile(boost::math::students_t(degrees), p);
}

double binomial_tail(double k, double n, double p) {
    return k <= 0 ? 1 : boost::math::ibeta(k, n - k + 1, p);
}

double fair_coin_p_value(double k, double n) {
    if (n <= 0) return 1;
    const double low = std::min(k, n - k);
    if (2 * low >= n) return 1;
    // P(B <= low) = I_{1/2}(n - low, low + 1)
    return std::min(1.0, 2 * boost::math::ibeta(n - low, low + 1, 0.5));
}

}  // namespace assay::stats
