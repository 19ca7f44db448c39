// Boundaries that close. Wald's test has no end: between the bounds it may wander for any number of
// pairs, and a test that is cut off at a budget has other errors than it claims. Here both bounds
// are functions of information time that meet at a horizon (Anderson, A modification of the
// sequential probability ratio test to reduce the sample size, 1960). The shapes and their
// constants are in docs/statistics.md section 8.
//
// For given alpha and beta the horizon follows from the shape, and two amplitudes remain unknown.
// They solve two equations: P(accept H1 at e0) = alpha, P(accept H0 at e1) = beta. Each evaluation
// solves for the law of the exit (exit_law.h, about 5 ms), so that the derivatives are not computed
// but learned: Broyden's method (1965) starts from a good guess of the Jacobian and improves it by
// each step. It takes 5 to 12 evaluations. Nested bisections would take some 400; a table of
// amplitudes would fix alpha and beta.
#include "stats/stop/boundary.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/diagnostic.h"
#include "base/enum_names.h"
#include "stats/data/normal.h"
#include "stats/stop/exit_law.h"
#include "stats/stop/look_law.h"
#include "stats/test/sprt.h"

namespace assay::stats {

namespace {

constexpr auto kShapes = enum_names<Shape>("closing", "closing-ff", "closing-ff-mirror", "capped");

Boundary shaped(Shape shape, double alpha, double beta) {
    Boundary boundary;
    boundary.horizon = horizon_of(shape, alpha, beta);
    const double za = normal_quantile(1 - alpha);
    const double zb = normal_quantile(1 - beta);
    boundary.centre = 0.5 * (za - zb) * (za + zb);
    if (shape == Shape::Capped) {
        boundary.power = 4;
        boundary.rest = 0.2;
    }
    if (shape == Shape::ClosingFastFail || shape == Shape::ClosingFastFailMirror) {
        boundary.dip = 0.45;
        boundary.dip_time = boundary.horizon / 10;
        boundary.dip_on_upper = shape == Shape::ClosingFastFailMirror;
    }
    return boundary;
}

using Pair = std::array<double, 2>;

/// ln of the errors over their nominal values, for amplitudes a = (A_U, A_L).
template <class Law>
Pair residuals(const Law& law, double alpha, double beta) {
    const double accepts_at_e0 = law.pass_probability(-0.5);
    const double rejects_at_e1 = law.fail_probability(0.5);
    return {std::log(std::max(accepts_at_e0, 1e-300) / alpha),
            std::log(std::max(rejects_at_e1, 1e-300) / beta)};
}

/// Finds the amplitudes with these errors; `law_of` computes the exit law of a boundary.
template <class LawOf>
std::optional<Boundary> calibrated(Shape shape, double alpha, double beta, const LawOf& law_of) {
    Boundary boundary = shaped(shape, alpha, beta);
    const auto residuals_at = [&](const Pair& a) {
        boundary.a_upper = a[0];
        boundary.a_lower = a[1];
        return residuals(law_of(boundary), alpha, beta);
    };
    // Broyden's method. An amplitude raised by 1 divides its error by about e, so that minus the
    // unit matrix starts the search near the Jacobian; `inverse` is the inverse of its negative.
    Pair a{1.08 * wald_upper(alpha, beta), -1.08 * wald_lower(alpha, beta)};
    std::array<Pair, 2> inverse{{{1, 0}, {0, 1}}};
    Pair r = residuals_at(a);
    for (int step = 0; step < 60; ++step) {
        if (std::max(std::fabs(r[0]), std::fabs(r[1])) < 1e-5) return boundary;
        Pair moved{};
        for (std::size_t i = 0; i < 2; ++i) {
            const double full = inverse[i][0] * r[0] + inverse[i][1] * r[1];
            // A step is cut to what the linear model can be trusted for, and an amplitude stays
            // positive.
            const double next = std::max(a[i] + std::clamp(full, -0.8, 0.8), 0.25 * a[i]);
            moved[i] = next - a[i];
            a[i] = next;
        }
        const Pair next = residuals_at(a);
        // The good update: inverse += (moved - inverse y) (moved' inverse) / (moved' inverse y),
        // with y the fall of the residuals.
        const Pair y{r[0] - next[0], r[1] - next[1]};
        const Pair predicted{inverse[0][0] * y[0] + inverse[0][1] * y[1],
                             inverse[1][0] * y[0] + inverse[1][1] * y[1]};
        const double scale = moved[0] * predicted[0] + moved[1] * predicted[1];
        if (std::fabs(scale) > 1e-30) {
            const Pair row{moved[0] * inverse[0][0] + moved[1] * inverse[1][0],
                           moved[0] * inverse[0][1] + moved[1] * inverse[1][1]};
            for (std::size_t i = 0; i < 2; ++i) {
                const double gap = (moved[i] - predicted[i]) / scale;
                inverse[i][0] += gap * row[0];
                inverse[i][1] += gap * row[1];
            }
        }
        r = next;
    }
    return std::nullopt;
}

}  // namespace

std::string_view name_of(Shape shape) {
    return kShapes.of(shape);
}

std::optional<Shape> shape_named(std::string_view name) {
    return kShapes.find(name);
}

double Boundary::upper(double tau) const {
    const double x = std::pow(std::min(tau, horizon) / horizon, power);
    double amplitude = a_upper * (1 - (1 - rest) * x);
    if (dip_on_upper) amplitude *= 1 - dip * std::exp(-tau / dip_time);
    return centre * x + amplitude;
}

double Boundary::lower(double tau) const {
    const double x = std::pow(std::min(tau, horizon) / horizon, power);
    double amplitude = a_lower * (1 - (1 - rest) * x);
    if (!dip_on_upper) amplitude *= 1 - dip * std::exp(-tau / dip_time);
    return centre * x - amplitude;
}

double fixed_sample_tau(double alpha, double beta) {
    if (!(alpha >= 1e-9 && alpha < 0.5 && beta >= 1e-9 && beta < 0.5)) {
        throw Error("alpha and beta of a boundary must be at least 1e-9 and below 0.5");
    }
    const double z = normal_quantile(1 - alpha) + normal_quantile(1 - beta);
    return z * z;
}

double horizon_of(Shape shape, double alpha, double beta) {
    return (shape == Shape::Capped ? 1.201237 : 1.848056) * fixed_sample_tau(alpha, beta);
}

Boundary calibrated_boundary(Shape shape, double alpha, double beta) {
    const auto found = calibrated(shape, alpha, beta, [](const Boundary& boundary) {
        return ExitLaw(boundary, SolverGrid::coarse());
    });
    if (!found) throw Error("no boundary of this shape has these error rates");
    return *found;
}

Boundary calibrated_for_looks(Shape shape, double alpha, double beta,
                              const std::vector<double>& looks) {
    const auto found = calibrated(
        shape, alpha, beta, [&](const Boundary& boundary) { return LookLaw(boundary, looks); });
    return found ? *found : calibrated_boundary(shape, alpha, beta);
}

}  // namespace assay::stats
