// What a test will cost before it is played. A sequential test's length is random; the law of its
// exit (exit_law.h) gives the mean and the quantiles for a strength, and for a normal prior of
// strengths. Wald's test is planned by the same solver, with flat bounds and a horizon beyond which
// practically no test is still running: its closed formulas have no quantiles.
#include "stats/plan/sample_size.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "stats/data/elo.h"
#include "stats/data/normal.h"
#include "stats/stop/capped.h"
#include "stats/test/sprt.h"

namespace assay::stats {

namespace {

Prospect prospect(const ExitLaw& law, double drift, double pairs_per_tau) {
    return {law.pass_probability(drift), law.expected_tau(drift) * pairs_per_tau,
            law.quantile_tau(drift, 0.95) * pairs_per_tau,
            law.quantile_tau(drift, 0.999) * pairs_per_tau};
}

TestPlan plan_law(const ExitLaw& law, double e0, double e1, EloPrior prior) {
    const double width = e1 - e0;
    // In information time the drifts at e0 and e1 are -1/2 and 1/2 whatever the bounds: one law
    // serves all widths, and only this factor differs.
    const double pairs_per_tau = kPairsPerTau / (width * width);
    TestPlan plan;
    plan.at_e0 = prospect(law, -0.5, pairs_per_tau);
    plan.middle = prospect(law, 0, pairs_per_tau);
    plan.at_e1 = prospect(law, 0.5, pairs_per_tau);
    const ExitLaw::Prior drift{(prior.mean - 0.5 * (e0 + e1)) / width, prior.sd / width};
    plan.prior = {law.pass_probability(drift), law.expected_tau(drift) * pairs_per_tau,
                  law.quantile_tau(drift, 0.95) * pairs_per_tau,
                  law.quantile_tau(drift, 0.999) * pairs_per_tau};
    plan.improvement = law.pass_probability_above(drift, -0.5 * (e0 + e1) / width);
    return plan;
}

constexpr double kLeastWidth = 1e-4;  // nElo

void check_bounds(double e0, double e1) {
    if (!std::isfinite(e0) || !std::isfinite(e1) || !(e0 < e1)) {
        throw Error("elo0 must be less than elo1");
    }
    if (e1 - e0 < kLeastWidth) {
        throw Error(
            "bounds less than 0.0001 nElo apart take more pairs than can be counted: set them "
            "further apart");
    }
}

void check_prior(EloPrior prior) {
    if (!std::isfinite(prior.mean) || !std::isfinite(prior.sd) || !(prior.sd > 0)) {
        throw Error("the prior needs a mean and a positive standard deviation");
    }
}

}  // namespace

TestPlan plan_boundary(Shape shape, double e0, double e1, double alpha, double beta,
                       EloPrior prior) {
    check_bounds(e0, e1);
    check_prior(prior);
    const ExitLaw law(calibrated_boundary(shape, alpha, beta));
    TestPlan plan = plan_law(law, e0, e1, prior);
    plan.cap = cap_in_pairs(shape, e1 - e0, alpha, beta);
    return plan;
}

TestPlan plan_wald(double e0, double e1, double alpha, double beta, EloPrior prior) {
    SprtSettings settings;
    settings.elo0 = e0;
    settings.elo1 = e1;
    settings.alpha = alpha;
    settings.beta = beta;
    check_settings(settings);
    check_bounds(e0, e1);
    check_prior(prior);
    // Flat bounds; the horizon lies where practically no test is still running.
    Boundary flat;
    flat.a_upper = wald_upper(alpha, beta);
    flat.a_lower = -wald_lower(alpha, beta);
    flat.rest = 1;
    const double width = flat.a_upper + flat.a_lower;
    flat.horizon = 3 * width * width;
    return plan_law(ExitLaw(flat), e0, e1, prior);
}

double fixed_pairs(double nelo, double alpha, double power) {
    const double z = normal_quantile(1 - 0.5 * alpha) + normal_quantile(power);
    // One half: the standard deviation in nElo is that of a game, and a pair holds two.
    return 0.5 * z * z * (kElo / nelo) * (kElo / nelo);
}

double pairs_for_half_width(double nelo) {
    return 0.5 * kZ95 * kZ95 * (kElo / nelo) * (kElo / nelo);
}

double half_width_of_pairs(double pairs) {
    return kZ95 * kElo / std::sqrt(2 * pairs);
}

std::optional<double> game_variance(double draw_rate, double rms_bias) {
    // What an opening's bias gives in one game of a pair it takes in the other: that part of a
    // game's variance lies between openings and cancels in the pair.
    const double bias = score_of_elo(rms_bias) - 0.5;
    const double variance = 0.25 * (1 - draw_rate) - bias * bias;
    if (!(variance > 0)) return std::nullopt;
    return variance;
}

}  // namespace assay::stats
