// The likeliest law of a given t-value (mean - 1/2 over the standard deviation) by a search that
// cannot fail. It applies where the fixed point of likelihood_ratio.cpp does not converge or may
// have ended in a lesser maximum: distant bounds, and samples of almost nothing but draws. It costs
// 20 to 100 us where the fixed point takes 1, so that it is not the first choice. Two Lagrange
// multipliers, one for the mean and one for the variance, would give stationary laws too, with no
// way to tell which of several is the best.
//
// With x = a - 1/2 (mirrored where t < 0) and k = |t| / sqrt(1 + t^2), a law has mean x = t sd
// where E x = k sqrt(E x^2). The root is the least of its tangents, sqrt(y) = min_s (y / s + s)
// / 2. So the laws with E x <= k sqrt(E x^2) are those below all tangents, a convex set, and its
// likeliest law is the least likely of the best ones for a single tangent; the laws with >= lie
// above some tangent, and the likeliest is the best over all of them. For one tangent the
// constraint is linear in the law: the equation of docs/statistics.md section 3. What remains is a
// search over s, the root of E x^2, between 0 and 1/2.
#include "stats/estimate/t_value_search.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/estimate/empirical_likelihood.h"

namespace assay::stats {

namespace {

constexpr double kInfeasible = -1e300;

class Tangents {
public:
    Tangents(const Sample& sample, double t)
        : problem_(dual_problem_of(sample)), is_beyond_(is_beyond_t(sample, t)) {
        const double size = std::hypot(1, t);
        k_ = std::fabs(t) / size;
        rest_ = 1 / (size * (size + std::fabs(t)));
        for (std::size_t i = 0; i < sample.size; ++i) {
            x_[i] = (t > 0 ? 1 : -1) * (sample.score[i] - 0.5);
        }
    }

    [[nodiscard]] bool is_beyond() const { return is_beyond_; }

    /// The constraint on laws at this tangent.
    [[nodiscard]] DualProblem problem_at(double s) const {
        DualProblem problem = problem_;
        for (std::size_t i = 0; i < problem.size; ++i) {
            // 2 s (x - k (x^2 / s + s) / 2), with the digits of 1 - k.
            const double x = x_[i];
            problem.c[i] = rest_ * (x * x + s * s) - (x - s) * (x - s);
        }
        return problem;
    }

    /// The best log-likelihood at this tangent; kInfeasible where no law touches it.
    [[nodiscard]] double at(double s) const {
        const DualProblem problem = problem_at(s);
        double mean = 0;
        for (std::size_t i = 0; i < problem.size; ++i) mean += problem.share[i] * problem.c[i];
        // The sample is below this tangent, which therefore does not bind. This value falls towards
        // the tangents that do.
        if (is_beyond_ && mean <= 0) return -mean;
        const auto dual = maximise(problem);
        return dual ? -dual->value : kInfeasible;
    }

    /// The root of E x^2 of a law.
    [[nodiscard]] double root_of(const Values& law) const {
        double squares = 0;
        for (std::size_t i = 0; i < problem_.size; ++i) squares += law[i] * x_[i] * x_[i];
        return std::sqrt(squares);
    }

    /// The tangents with some category above them.
    struct Range {
        double low = 0;
        double high = 0;
    };

    [[nodiscard]] std::vector<Range> ranges() const {
        if (is_beyond_) return {{1e-7, 0.5}};
        const double root = std::sqrt(1 - k_) * std::sqrt(1 + k_);
        const double ratio = k_ < 0.9 ? (1 + root) / k_ : (1 + std::sqrt(rest_ * (1 + k_))) / k_;
        std::vector<Range> ranges;
        for (std::size_t i = 0; i < problem_.size; ++i) {
            if (x_[i] <= 0) continue;
            ranges.push_back({x_[i] / ratio, std::min(0.5, x_[i] * ratio)});
        }
        return ranges;
    }

private:
    DualProblem problem_;
    Values x_{};
    double k_ = 0;
    double rest_ = 0;  // 1 - k
    bool is_beyond_ = false;
};

constexpr int kSteps = 48;

/// A tangent and `sign` times its likelihood.
struct Best {
    double value = kInfeasible;
    double root = 0;
};

/// The best tangent of a range.
Best best_of(const Tangents& tangents, Tangents::Range range, double sign) {
    // Equal steps of the logarithm: the best s may lie orders of magnitude below 1/2, where nearly
    // all pairs are draws.
    const double from = std::log(range.low);
    const double length = std::log(range.high) - from;
    const auto place = [&](double step) {
        return step >= kSteps ? range.high : std::exp(from + length * step / kSteps);
    };
    const auto value = [&](double step) { return sign * tangents.at(place(step)); };
    std::array<double, kSteps + 1> grid{};
    for (int i = 0; i <= kSteps; ++i) grid[static_cast<std::size_t>(i)] = value(i);
    const auto* const top = std::max_element(grid.begin(), grid.end());
    Best best{*top, place(static_cast<double>(top - grid.begin()))};
    constexpr double kGolden = 0.6180339887498949;
    for (int i = 0; i <= kSteps; ++i) {
        const auto at = static_cast<std::size_t>(i);
        // Golden section around every local maximum of the grid, not only around the highest point:
        // rival laws have peaks of their own, which the grid may rank wrongly.
        if (i > 0 && grid[at - 1] > grid[at]) continue;
        if (i < kSteps && grid[at + 1] > grid[at]) continue;
        double low = std::max(0, i - 1);
        double high = std::min(kSteps, i + 1);
        double a = high - kGolden * (high - low);
        double b = low + kGolden * (high - low);
        double at_a = value(a);
        double at_b = value(b);
        while (high - low > 1e-7) {
            if (at_a >= at_b) {
                high = b;
                b = a;
                at_b = at_a;
                a = high - kGolden * (high - low);
                at_a = value(a);
            } else {
                low = a;
                a = b;
                at_a = at_b;
                b = low + kGolden * (high - low);
                at_b = value(b);
            }
        }
        if (at_a > best.value) best = {at_a, place(a)};
        if (at_b > best.value) best = {at_b, place(b)};
    }
    return best;
}

/// The greatest f over theta <= 0, or one that is `enough`; infinite where no law meets the
/// constraint. `theta` is the start, and then the place of the maximum.
double loss_of(const DualProblem& problem, double enough, double& theta) {
    const double most = *std::max_element(
        problem.c.begin(), problem.c.begin() + static_cast<std::ptrdiff_t>(problem.size));
    if (most <= 0) return HUGE_VAL;
    const double end = -1 / most;
    theta = std::clamp(theta, 0.999 * end, 0.0);
    double value = 0;
    for (int step = 0; step < 40; ++step) {
        value = 0;
        double first = 0;
        double second = 0;
        for (std::size_t i = 0; i < problem.size; ++i) {
            if (problem.share[i] <= 0) continue;
            const double factor = 1 + theta * problem.c[i];
            const double ratio = problem.c[i] / factor;
            value += problem.share[i] * std::log(factor);
            first += problem.share[i] * ratio;
            second += problem.share[i] * ratio * ratio;
        }
        // Any theta is a lower bound of the loss: a bound that is high enough ends the search.
        if (value >= enough) break;
        double next = theta + first / second;
        if (next <= end) next = 0.5 * (theta + end);
        next = std::min(next, 0.0);
        if (std::fabs(next - theta) <= 1e-7 * std::fabs(theta)) break;
        theta = next;
    }
    return value;
}

}  // namespace

bool is_beyond_t(const Sample& sample, double t) {
    const Moments moments = moments_of(sample);
    return t > 0 ? moments.edge > t * std::sqrt(moments.variance)
                 : moments.edge < t * std::sqrt(moments.variance);
}

std::optional<TSearch> search_log_likelihood_of_t(const Sample& sample, double t) {
    const Tangents tangents(sample, t);
    const double sign = tangents.is_beyond() ? -1 : 1;
    Best best;
    for (const Tangents::Range& range : tangents.ranges()) {
        const Best here = best_of(tangents, range, sign);
        if (here.value > best.value) best = here;
    }
    if (best.value == kInfeasible || !std::isfinite(best.value)) return std::nullopt;
    return TSearch{std::min(0.0, sign * best.value), tangents.problem_at(best.root)};
}

// Maxima lie far apart, since each has other categories. Going away from the present one in both
// directions, the loss must rise until it is clearly above its value and stay above. Any theta
// gives a lower bound of the loss, and that of the tangent before is nearly the best one.
bool is_best_towards_t(const Sample& sample, double t, const Values& law, double value) {
    constexpr double kStep = 1.12;
    const Tangents tangents(sample, t);
    const double root = tangents.root_of(law);
    double least = 0.5;
    for (const Tangents::Range& range : tangents.ranges()) least = std::min(least, range.low);
    const auto own = maximise(tangents.problem_at(root));
    if (!own) return false;
    const double clear = -1.05 * value;
    const auto rises = [&](double factor) {
        double theta = own->theta;
        double before = -value;
        bool is_clear = false;
        for (double s = root;;) {
            const double next = std::clamp(s * factor, least, 0.5);
            if (next == s) return true;
            s = next;
            const double loss = loss_of(tangents.problem_at(s), clear, theta);
            if (is_clear ? loss < clear : loss < before) return false;
            is_clear = is_clear || loss >= clear;
            before = loss;
        }
    };
    return rises(kStep) && rises(1 / kStep);
}

}  // namespace assay::stats
