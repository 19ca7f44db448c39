// The law of the exit of a test that looks seldom: more than 0.1 apart in information time, as for
// wide bounds with many pairs a look. A continuous boundary moved in by the mean overshoot, which
// is right for close looks, is off by then; this law is exact for a Brownian motion at these looks,
// and it is a check of the other where both apply. For hundreds of looks it would be slower.
//
// Between looks the path is free, so that the density of paths that went on is carried from look to
// look by a normal kernel and cut at the bounds (Armitage, McPherson and Rowe 1969, Repeated
// significance tests on accumulating data). All without drift: under a drift m the density at (tau,
// y) is multiplied by exp(m y - m^2 tau / 2), and only the step to the next look has to know m.
// Simpson's rule on 160 intervals: the kernel is at least three of them wide for steps of 0.1.
#include "stats/stop/look_law.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/data/normal.h"

namespace assay::stats {

namespace {

constexpr std::size_t kIntervals = 160;

double normal_density(double x, double variance) {
    return std::exp(-0.5 * x * x / variance) / std::sqrt(2 * std::numbers::pi * variance);
}

double simpson_weight(std::size_t i) {
    if (i == 0 || i == kIntervals) return 1.0 / 3;
    return i % 2 == 1 ? 4.0 / 3 : 2.0 / 3;
}

}  // namespace

LookLaw::LookLaw(const Boundary& boundary, const std::vector<double>& looks) : boundary_(boundary) {
    for (std::size_t i = 0; i < looks.size(); ++i) {
        add_look(looks[i], i + 1 == looks.size());
        if (looks_.back().lower >= looks_.back().upper) break;
    }
}

void LookLaw::add_look(double tau, bool is_last) {
    Look look;
    look.tau = tau;
    look.lower = is_last ? boundary_.centre : boundary_.lower(tau);
    look.upper = is_last ? boundary_.centre : boundary_.upper(tau);
    if (look.lower >= look.upper) {
        look.lower = look.upper = 0.5 * (look.lower + look.upper);
    }
    look.step = tau;
    if (!looks_.empty()) {
        const Look& last = looks_.back();
        look.before = last.tau;
        look.step = tau - last.tau;
        look.low = last.lower;
        look.spacing = (last.upper - last.lower) / static_cast<double>(kIntervals);
        look.density.resize(kIntervals + 1);
        for (std::size_t i = 0; i <= kIntervals; ++i) {
            const double x = look.low + look.spacing * static_cast<double>(i);
            if (last.density.empty()) {
                look.density[i] = normal_density(x, last.step);
                continue;
            }
            double sum = 0;
            for (std::size_t j = 0; j <= kIntervals; ++j) {
                const double y = last.low + last.spacing * static_cast<double>(j);
                sum += simpson_weight(j) * last.density[j] * normal_density(x - y, last.step);
            }
            look.density[i] = sum * last.spacing;
        }
    }
    looks_.push_back(std::move(look));
}

/// P(reaches the look and is at or beyond `level` there, on this side).
double LookLaw::beyond(int side, const Look& look, double level, double drift) {
    const double sd = std::sqrt(look.step);
    if (look.density.empty()) return normal_cdf(side * (drift * look.step - level) / sd);
    double sum = 0;
    for (std::size_t j = 0; j <= kIntervals; ++j) {
        if (look.density[j] <= 0) continue;
        const double y = look.low + look.spacing * static_cast<double>(j);
        // The weight may be huge where the tail is tiny: their product is formed of logarithms.
        const double weight = std::log(look.density[j]) + drift * y -
                              0.5 * drift * drift * look.before +
                              log_normal_cdf(side * (y + drift * look.step - level) / sd);
        sum += simpson_weight(j) * std::exp(weight);
    }
    return sum * look.spacing;
}

double LookLaw::pass_probability(double drift) const {
    double sum = 0;
    for (const Look& look : looks_) sum += beyond(kAbove, look, look.upper, drift);
    return std::min(1.0, sum);
}

double LookLaw::fail_probability(double drift) const {
    double sum = 0;
    for (const Look& look : looks_) sum += beyond(kBelow, look, look.lower, drift);
    return std::min(1.0, sum);
}

double LookLaw::expected_tau(double drift) const {
    double sum = 0;
    for (const Look& look : looks_) {
        sum += look.tau *
               (beyond(kAbove, look, look.upper, drift) + beyond(kBelow, look, look.lower, drift));
    }
    return sum;
}

double LookLaw::outcome_probability(const Outcome& outcome, double drift) const {
    const bool is_above = outcome.place == Outcome::Place::AcceptedH1;
    const int side = is_above ? kAbove : kBelow;
    double sum = 0;
    for (const Look& look : looks_) {
        const bool is_here = outcome.tau <= look.tau + 1e-6 * look.step || &look == &looks_.back();
        if (is_here) {
            sum += beyond(side, look, outcome.llr, drift);
            break;
        }
        sum += beyond(side, look, is_above ? look.upper : look.lower, drift);
    }
    return std::clamp(is_above ? 1 - sum : sum, 0.0, 1.0);
}

std::vector<double> look_times(double step, double horizon) {
    std::vector<double> looks;
    for (int i = 1; step * i < horizon * (1 - 1e-9); ++i) looks.push_back(step * i);
    looks.push_back(horizon);
    return looks;
}

}  // namespace assay::stats
