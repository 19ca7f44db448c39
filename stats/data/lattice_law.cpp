// The exact law of a random walk on the whole numbers: its characteristic function to the power of
// the number of steps, inverted by a finite Fourier sum. On a grid of M points the sum returns the
// probability of j plus those of j + M, j + 2M, ...; M is chosen so that these lie beyond every
// deviation that matters (Hoeffding 1963). A convolution would take n^2 steps, the normal law has
// an error of 1/n in the middle and no digits in the tails; this takes the square root of n terms,
// because the function is negligible away from 0 and, for some walks, from pi.
//
// Cancellation limits a plain sum to 1e-15 absolutely. A tail beyond three standard deviations is
// computed under an exponential tilt instead: the walk is given the drift that makes the observed
// sum its mean (the saddle point; Daniels 1954), where the sum has full relative accuracy, and the
// factor of the tilt is put back as a logarithm.
#include "stats/data/lattice_law.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace assay::stats {

namespace {

using Complex = std::complex<double>;

/// Terms of the inversion below exp(-kNegligible) are left out.
constexpr double kNegligible = 42;

Complex log1p_of(Complex w) {
    const double x = w.real();
    const double y = w.imag();
    return {0.5 * std::log1p(2 * x + x * x + y * y), std::atan2(y, 1 + x)};
}

/// ln E exp(z X) of one step, times the number of steps; sinh keeps the digits near z = 0.
Complex log_transform(const LatticeSteps& steps, Complex sinh_half, Complex sinh_full) {
    if (steps.steps == 0) return 0;
    const Complex w = 4 * steps.one * sinh_half * sinh_half + 4 * steps.two * sinh_full * sinh_full;
    return static_cast<double>(steps.steps) * log1p_of(w);
}

/// The absolute value of a step's characteristic function below which its power is negligible.
double negligible_below(const LatticeSteps& steps) {
    return steps.steps == 0 ? 0 : std::exp(-kNegligible / static_cast<double>(steps.steps));
}

struct Power {
    double log_abs = 0;
    bool negative = false;
};

/// The real characteristic function at t to the power of the steps; h = sin^2(t/2).
Power power_at(const LatticeSteps& steps, double least, double h) {
    if (steps.steps == 0) return {};
    const double u = 4 * steps.one * h + 16 * steps.two * h * (1 - h);
    const double phi = 1 - u;
    // Its power is negligible, and the logarithm is expensive.
    if (std::fabs(phi) < least) return {-HUGE_VAL, false};
    const bool odd = steps.steps % 2 != 0;
    const double log_abs = phi > 0 ? std::log1p(-u) : std::log(-phi);
    return {static_cast<double>(steps.steps) * log_abs, odd && phi < 0};
}

std::int64_t span_of(const LatticeSteps& steps) {
    if (steps.two > 0) return 2 * steps.steps;
    return steps.one > 0 ? steps.steps : 0;
}

double derivative(const LatticeSteps& steps, double tau) {
    if (steps.steps == 0) return 0;
    // Scaled by exp(-2 tau), so that nothing overflows for large tau.
    const double e1 = std::exp(-tau);
    const double e2 = e1 * e1;
    const double rest = 1 - 2 * steps.one - 2 * steps.two;
    const double numerator = steps.one * e1 * (1 - e2) + 2 * steps.two * (1 - e2 * e2);
    const double denominator = rest * e2 + steps.one * e1 * (1 + e2) + steps.two * (1 + e2 * e2);
    return static_cast<double>(steps.steps) * numerator / denominator;
}

/// |E exp((tau + it) X)| over its value at t = 0, to the power of the steps, is below
/// exp(-kNegligible): a cheap test that spares almost all of the grid its complex logarithms.
class Filter {
public:
    Filter(const LatticeSteps& steps, double tau)
        : one_cosh_(2 * steps.one * std::cosh(tau)),
          one_sinh_(2 * steps.one * std::sinh(tau)),
          two_cosh_(2 * steps.two * std::cosh(2 * tau)),
          two_sinh_(2 * steps.two * std::sinh(2 * tau)),
          rest_(1 - 2 * steps.one - 2 * steps.two),
          least_(std::exp(-2 * kNegligible / std::max(1.0, static_cast<double>(steps.steps)))) {
        const double top = rest_ + one_cosh_ + two_cosh_;
        least_ *= top * top;
        if (steps.steps == 0) least_ = 0;
    }

    [[nodiscard]] bool negligible(double cosine, double sine) const {
        const double real = rest_ + one_cosh_ * cosine + two_cosh_ * (2 * cosine * cosine - 1);
        const double imaginary = one_sinh_ * sine + two_sinh_ * 2 * sine * cosine;
        return real * real + imaginary * imaginary < least_;
    }

private:
    double one_cosh_;
    double one_sinh_;
    double two_cosh_;
    double two_sinh_;
    double rest_;
    double least_;
};

}  // namespace

LatticeLaw::LatticeLaw(LatticeSteps a, LatticeSteps b)
    : a_(a),
      b_(b),
      greatest_(span_of(a) + span_of(b)),
      variance_(static_cast<double>(a.steps) * (2 * a.one + 8 * a.two) +
                static_cast<double>(b.steps) * (2 * b.one + 8 * b.two)) {
    const double n = static_cast<double>(a.steps + b.steps);
    const double wide = std::min(2 * static_cast<double>(greatest_) + 1, 36 * std::sqrt(n) + 64);
    while (static_cast<double>(grid_) < wide) grid_ *= 2;
    const double step = std::numbers::pi / static_cast<double>(grid_);
    const double floor_a = negligible_below(a_);
    const double floor_b = negligible_below(b_);
    for (std::int64_t k = 1; k <= grid_ / 2; ++k) {
        const double half = step * static_cast<double>(k);
        const double sine = std::sin(half);
        const Power power_a = power_at(a_, floor_a, sine * sine);
        if (!(power_a.log_abs > -kNegligible)) continue;
        const Power power_b = power_at(b_, floor_b, sine * sine);
        if (!(power_a.log_abs + power_b.log_abs > -kNegligible)) continue;
        const double value = std::exp(power_a.log_abs + power_b.log_abs);
        const double weight = 2 * k == grid_ ? 1 : 2;
        const double sign = power_a.negative != power_b.negative ? -1 : 1;
        terms_.push_back({half, sine, sign * weight * value});
    }
}

double LatticeLaw::two_sided_tail(std::int64_t s) const {
    if (s <= 0) return 1;
    if (s > greatest_) return 0;
    const double z = static_cast<double>(s) / std::sqrt(variance_);
    const double tail = z < 3 ? central_tail(s) : tilted_tail(s);
    return std::clamp(tail, 0.0, 1.0);
}

double LatticeLaw::central_tail(std::int64_t s) const {
    // P(|S| <= s-1) is the transform summed against Dirichlet's kernel.
    const double width = 2 * static_cast<double>(s) - 1;
    double sum = width;
    for (const Term& term : terms_) {
        sum += term.value * std::sin(width * term.half_angle) / term.sine;
    }
    return 1 - sum / static_cast<double>(grid_);
}

double LatticeLaw::saddle_point(double s) const {
    // The derivative of the cumulant function rises with tau, from 0 to the largest sum. Beyond 30
    // the tilted walk is at its largest value to all digits.
    double low = 0;
    double high = 1;
    while (high < 30 && derivative(a_, high) + derivative(b_, high) < s) high *= 2;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (derivative(a_, middle) + derivative(b_, middle) < s ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

double LatticeLaw::tilted_tail(std::int64_t s) const {
    const double tau = saddle_point(static_cast<double>(s));
    const auto log_at = [&](Complex z) {
        const Complex half = std::sinh(0.5 * z);
        const Complex full = std::sinh(z);
        return log_transform(a_, half, full) + log_transform(b_, half, full);
    };
    const double scale = log_at(tau).real();
    const Filter filter_a(a_, tau);
    const Filter filter_b(b_, tau);
    const double step = 2 * std::numbers::pi / static_cast<double>(grid_);
    double sum = 0;
    for (std::int64_t k = 0; k <= grid_ / 2; ++k) {
        const double t = step * static_cast<double>(k);
        const double cosine = std::cos(t);
        const double sine = std::sin(t);
        if (filter_a.negligible(cosine, sine) || filter_b.negligible(cosine, sine)) continue;
        const Complex log_value = log_at({tau, t}) - scale;
        if (!(log_value.real() > -kNegligible)) continue;
        // Reduced exactly before it is used as an angle: s * t may be large.
        const double angle = step * static_cast<double>((s % grid_) * k % grid_);
        const double magnitude = std::exp(log_value.real());
        const double phase = log_value.imag() - angle;
        const Complex value = std::polar(magnitude, phase) / (1.0 - std::exp(-Complex{tau, t}));
        sum += (k == 0 || 2 * k == grid_ ? 1 : 2) * value.real();
    }
    if (sum <= 0) return 0;
    const double log_tail =
        scale - tau * static_cast<double>(s) + std::log(sum / static_cast<double>(grid_));
    return 2 * std::exp(log_tail);
}

}  // namespace assay::stats
