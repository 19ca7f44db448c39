// For a mean m the constraint fixes the variance, ((m - 1/2) / t)^2, and the best law with both is
// a concave problem in two multipliers. What remains is a search over m in one dimension. Unseen
// categories keep a weight that shrinks towards 0: a barrier that holds the law inside its range.
#include "stats/t_search.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::stats {

namespace {

using Values = std::array<double, kPairCategories>;

constexpr double kInfeasible = -1e300;

struct Inner {
    std::size_t size = 0;
    Values weight{};
    Values u{};  // a_i - m
    Values v{};  // (a_i - m)^2 - variance

    /// sum w_i ln(1 + l1 u_i + l2 v_i), or kInfeasible outside the range.
    [[nodiscard]] double value(double l1, double l2) const {
        double sum = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const double q = 1 + l1 * u[i] + l2 * v[i];
            if (!(q > 0)) return kInfeasible;
            sum += weight[i] * std::log(q);
        }
        return sum;
    }
};

struct Multipliers {
    double l1 = 0;
    double l2 = 0;
};

/// Newton's method with halving from `at`; false where the maximum runs away, which means that no
/// law on these categories meets both constraints.
bool newton(const Inner& inner, Multipliers& at) {
    double value = inner.value(at.l1, at.l2);
    for (int step = 0; step < 60; ++step) {
        double g1 = 0;
        double g2 = 0;
        double h11 = 0;
        double h12 = 0;
        double h22 = 0;
        for (std::size_t i = 0; i < inner.size; ++i) {
            const double q = 1 + at.l1 * inner.u[i] + at.l2 * inner.v[i];
            const double r = inner.weight[i] / q;
            g1 += r * inner.u[i];
            g2 += r * inner.v[i];
            h11 += r / q * inner.u[i] * inner.u[i];
            h12 += r / q * inner.u[i] * inner.v[i];
            h22 += r / q * inner.v[i] * inner.v[i];
        }
        const double det = h11 * h22 - h12 * h12;
        if (!(det > 0)) return false;
        const double d1 = (h22 * g1 - h12 * g2) / det;
        const double d2 = (h11 * g2 - h12 * g1) / det;
        const double decrement = g1 * d1 + g2 * d2;
        if (!(decrement > 1e-15)) return true;
        double scale = 1;
        double next = inner.value(at.l1 + d1, at.l2 + d2);
        while (next < value + 0.1 * scale * decrement && scale > 1e-12) {
            scale *= 0.5;
            next = inner.value(at.l1 + scale * d1, at.l2 + scale * d2);
        }
        if (scale <= 1e-12) return true;
        at.l1 += scale * d1;
        at.l2 += scale * d2;
        value = next;
        if (std::fabs(at.l1) + std::fabs(at.l2) > 1e15) return false;
    }
    return true;
}

/// Whether some law on the categories has mean m and variance `variance`: at most the two-point
/// law on {0, 1}, at least the law on the two neighbours of m.
bool feasible(const Sample& sample, double m, double variance) {
    if (!(m > 0 && m < 1) || variance >= m * (1 - m)) return false;
    for (std::size_t i = 0; i + 1 < sample.size; ++i) {
        if (m >= sample.score[i] && m <= sample.score[i + 1]) {
            return variance > (m - sample.score[i]) * (sample.score[i + 1] - m);
        }
    }
    return false;
}

double best_at_mean(const Sample& sample, double total, double t, double m) {
    const double variance = (m - 0.5) * (m - 0.5) / (t * t);
    if (!feasible(sample, m, variance)) return kInfeasible;
    Inner inner;
    inner.size = sample.size;
    double seen_log = 0;
    for (std::size_t i = 0; i < sample.size; ++i) {
        inner.u[i] = sample.score[i] - m;
        inner.v[i] = inner.u[i] * inner.u[i] - variance;
    }
    Multipliers at;
    for (double barrier = 1e-2; barrier > 1e-11; barrier *= 0.1) {
        for (std::size_t i = 0; i < sample.size; ++i) {
            inner.weight[i] = std::max(sample.count[i] / total, barrier);
        }
        if (!newton(inner, at)) return kInfeasible;
    }
    for (std::size_t i = 0; i < sample.size; ++i) {
        if (sample.count[i] <= 0) continue;
        seen_log += sample.count[i] / total * std::log(1 + at.l1 * inner.u[i] + at.l2 * inner.v[i]);
    }
    return std::isfinite(seen_log) ? -seen_log : kInfeasible;
}

}  // namespace

std::optional<double> search_log_likelihood_of_t(const Sample& sample, double t) {
    const double total = sample.total();
    // m - 1/2 has t's sign, and its variance at most m (1 - m) bounds it away from 0 and 1.
    const double reach = 0.5 * std::fabs(t) / std::sqrt(1 + t * t);
    const double sign = t > 0 ? 1 : -1;
    const auto at = [&](double distance) {
        return best_at_mean(sample, total, t, 0.5 + sign * distance);
    };
    constexpr int kSteps = 200;
    int best = -1;
    double best_value = kInfeasible;
    for (int i = 1; i < kSteps; ++i) {
        const double value = at(reach * i / kSteps);
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    if (best < 0) return std::nullopt;
    double low = reach * (best - 1) / kSteps;
    double high = reach * (best + 1) / kSteps;
    constexpr double kGolden = 0.6180339887498949;
    for (int step = 0; step < 60 && high - low > 1e-12; ++step) {
        const double a = high - kGolden * (high - low);
        const double b = low + kGolden * (high - low);
        if (at(a) >= at(b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return std::min(0.0, std::max(best_value, at(0.5 * (low + high))));
}

}  // namespace assay::stats
