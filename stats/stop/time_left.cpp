// The mean time u(tau, x) that a Brownian motion with drift m at x still spends between two moving
// bounds solves Kolmogorov's backward equation
//   u_tau + m u_x + u_xx / 2 = -1,   u = 0 at the bounds and at the end of time
// (Karlin and Taylor, A Second Course in Stochastic Processes, 15.3). The exit law (exit_law.h) is
// that of tests from their beginning; a test that has come to some place needs this one, from there
// on. With y = (x - lower) / width the bounds stand still; implicit steps back in time are stable
// where the width closes, and each is one tridiagonal system: 100 cells and 300 steps cost 0.3 ms
// and are within 1 % of the law's own means. Where the drift is so large that it carries the path
// over a cell faster than it spreads, the spread is raised to that of one cell (upwinding).
#include "stats/stop/time_left.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace assay::stats {

namespace {

constexpr std::size_t kWidthCells = 100;
constexpr int kTimeSteps = 300;
constexpr double kMetWidth = 1e-3;  // of bounds that have met
constexpr double kMostPathDrift = 30;

using TimesLeft = std::array<double, kWidthCells + 1>;  // at y = 0, 1/kWidthCells, …, 1

/// One step back in time by `step`, to where the bounds are `now`; `next` are those at its end.
void step_back_in_time(TimesLeft& u, const BoundsAt& now, const BoundsAt& next, double step,
                       double drift) {
    constexpr double kCell = 1.0 / kWidthCells;
    const double width = std::max(now.upper - now.lower, kMetWidth);
    const double lower_speed = (next.lower - now.lower) / step;
    const double width_speed = (next.upper - next.lower - (now.upper - now.lower)) / step;
    TimesLeft above{};  // of the system's upper diagonal, eliminated
    TimesLeft right{};
    for (std::size_t i = 1; i < kWidthCells; ++i) {
        const double y = static_cast<double>(i) * kCell;
        const double speed = (drift - lower_speed - y * width_speed) / width;
        const double spread = std::max(0.5 / (width * width), 0.5 * std::fabs(speed) * kCell);
        const double side = step * spread / (kCell * kCell);
        const double flow = step * speed / (2 * kCell);
        const double low = -(side - flow);
        const double high = -(side + flow);
        const double pivot = 1 + 2 * side - low * above[i - 1];
        above[i] = high / pivot;
        right[i] = (u[i] + step - low * right[i - 1]) / pivot;
    }
    u[kWidthCells] = 0;
    for (std::size_t i = kWidthCells; i-- > 1;) u[i] = right[i] - above[i] * u[i + 1];
    u[0] = 0;
}

}  // namespace

double expected_time_left(const std::function<BoundsAt(double tau)>& bounds, const TestPlace& place,
                          double until) {
    const BoundsAt here = bounds(place.tau);
    if (!(until > place.tau) || !(place.llr > here.lower && place.llr < here.upper)) return 0;
    const double drift = std::clamp(place.drift, -kMostPathDrift, kMostPathDrift);
    const double length = until - place.tau;
    TimesLeft u{};
    BoundsAt next = bounds(until);
    for (int k = kTimeSteps; k-- > 0;) {
        // Steps are shorter near the present, where the answer is read.
        const double from = static_cast<double>(k) / kTimeSteps;
        const double to = static_cast<double>(k + 1) / kTimeSteps;
        const BoundsAt now = bounds(place.tau + length * from * from);
        step_back_in_time(u, now, next, length * (to * to - from * from), drift);
        next = now;
    }
    const double y = (place.llr - here.lower) / (here.upper - here.lower) * kWidthCells;
    const auto cell = std::min(static_cast<std::size_t>(y), kWidthCells - 1);
    const double share = y - static_cast<double>(cell);
    return std::min(length, (1 - share) * u[cell] + share * u[cell + 1]);
}

PairsLeft pairs_left_between(const std::function<BoundsAt(double tau)>& bounds, double drift,
                             double now, double per_pair, std::int64_t most) {
    most = std::max<std::int64_t>(most, 0);
    const BoundsAt here = bounds(now);
    // The path itself may lie beyond a bound at which no look was made.
    const double inside = 0.01 * (here.upper - here.lower);
    const double llr = std::clamp(now * drift, here.lower + inside, here.upper - inside);
    const double until = now + static_cast<double>(most) * per_pair;
    const double expected = expected_time_left(bounds, {now, llr, drift}, until) / per_pair;
    return {std::min(expected, static_cast<double>(most)), most};
}

}  // namespace assay::stats
