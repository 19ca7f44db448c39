// Estimates after a sequential test has stopped. The plain mean is biased then: a test stops
// because the results so far look good. What is needed is an order of the possible outcomes, from
// the clearest evidence for H0 to the clearest for H1; here early rejections come first and early
// acceptances last (stagewise order: Armitage 1957; Siegmund 1978; Tsiatis, Rosner and Mehta 1984).
// F(drift) = P(an outcome at most as high as the observed one) then falls as the drift rises, and
// solving F = 0.975, 0.5 and 0.025 gives an interval with exact coverage and a median-unbiased
// estimate. The p-value against e0 in this order is at most alpha exactly where H1 was accepted, so
// that verdict and p-value cannot contradict each other; an order by the mean score does not
// guarantee that.
//
// F is computed for a Brownian motion. For calibrated boundaries it comes from exit_law.h. For
// Wald's flat bounds there are two closed forms: a series of the interval's eigenfunctions, which
// converges fast for long tests, and for short ones or large drifts the nearest mirror image of
// each bound (Siegmund, Sequential Analysis, 1985, chapter 3). Each is exact to rounding where it
// is used.
//
// Cost: about 100 evaluations of F; each is a sum of some 4000 terms for a boundary.
#include "stats/stop/after_stop.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "stats/data/elo.h"
#include "stats/data/normal.h"
#include "stats/stop/exit_law.h"

namespace assay::stats {

namespace {

/// Beyond this drift an exit takes so little time that its bounds are flat; the exact law's far
/// tails are not accurate there.
constexpr double kSolvedDrift = 15;
constexpr double kGreatestDrift = 1e5;

double clamp01(double p) {
    return std::clamp(p, 0.0, 1.0);
}

/// exp(scale) Phi(z), computed from logarithms: a huge factor times a tiny tail would overflow.
double scaled_cdf(double scale, double z) {
    return std::exp(scale + log_normal_cdf(z));
}

/// A Brownian motion of unit variance between the flat bounds `lower` and `upper`.
struct FlatPath {
    double lower;
    double upper;
    double tau;
    double place;  // in [lower, upper]

    [[nodiscard]] double probability(double drift) const {
        const double width = upper - lower;
        if (tau / (width * width) < 0.01 || std::fabs(drift * width) > 15) return images(drift);
        return series(drift);
    }

private:
    /// The nearest image of each bound (Siegmund 1985, chapter 3).
    [[nodiscard]] double images(double m) const {
        const double sd = std::sqrt(tau);
        const double z = (place - m * tau) / sd;
        const double low = scaled_cdf(2 * m * lower, (2 * lower - place + m * tau) / sd);
        const double high = scaled_cdf(2 * m * upper, (place - m * tau - 2 * upper) / sd);
        return clamp01(normal_cdf(z) + low - high);
    }

    /// Eigenfunctions of the interval.
    [[nodiscard]] double series(double m) const {
        const double width = upper - lower;
        const double start = -lower;
        const double height = place - lower;
        double hit = 1 - start / width;
        if (std::fabs(m * width) > 1e-9) {
            hit =
                (std::exp(-2 * m * start) - std::exp(-2 * m * width)) / -std::expm1(-2 * m * width);
        }
        double sum = hit;
        for (int n = 1; n <= 400; ++n) {
            const double k = n * std::numbers::pi / width;
            const double rate = 0.5 * (k * k + m * m);
            // exp(-60) is below rounding, and so are all later terms.
            if (0.5 * k * k * tau > 60) break;
            const double c = 2 / width * std::sin(k * start) * std::exp(-rate * tau - m * start);
            const double alive =
                (std::exp(m * height) * (m * std::sin(k * height) - k * std::cos(k * height)) + k) /
                (m * m + k * k);
            sum += c * (alive - 0.5 * k / rate);
        }
        return clamp01(sum);
    }
};

FlatPath flat_path(const Boundary& boundary, const Outcome& outcome) {
    // The start lies strictly between the bounds, also where a closing boundary has met itself.
    const double low = std::min(boundary.lower(outcome.tau), -1e-6);
    const double high = std::max(boundary.upper(outcome.tau), 1e-6);
    double place = std::clamp(outcome.llr, low, high);
    if (outcome.place == Outcome::Place::AcceptedH0) place = low;
    if (outcome.place == Outcome::Place::AcceptedH1) place = high;
    return {low, high, std::max(outcome.tau, 1e-12), place};
}

}  // namespace

double DriftScale::score(double drift) const {
    if (model == Model::Normalized) return 0.5 + nelo(drift) / kElo * game_sd;
    const double s0 = score_of_elo(elo0);
    const double s1 = score_of_elo(elo1);
    return 0.5 * (s0 + s1) + drift * (s1 - s0);
}

std::optional<double> DriftScale::elo(double drift) const {
    const double s = score(drift);
    if (!(s > 0 && s < 1)) return std::nullopt;
    return elo_of_score(s);
}

double DriftScale::nelo(double drift) const {
    if (model == Model::Normalized) return 0.5 * (elo0 + elo1) + drift * (elo1 - elo0);
    return kElo * (score(drift) - 0.5) / game_sd;
}

double DriftScale::drift_of_equality() const {
    if (model == Model::Normalized) return -0.5 * (elo0 + elo1) / (elo1 - elo0);
    const double s0 = score_of_elo(elo0);
    const double s1 = score_of_elo(elo1);
    return (0.5 - 0.5 * (s0 + s1)) / (s1 - s0);
}

double DriftScale::drift_of_score(double score_seen) const {
    const double middle = 0.5 * (score(-0.5) + score(0.5));
    return (score_seen - middle) / (score(0.5) - score(-0.5));
}

double DriftScale::drift_of_nelo(double nelo_wanted) const {
    return (nelo_wanted - 0.5 * (nelo(-0.5) + nelo(0.5))) / (nelo(0.5) - nelo(-0.5));
}

double DriftScale::tau_per_unit(int games_per_unit) const {
    const double width = score(0.5) - score(-0.5);
    return games_per_unit * width * width / (game_sd * game_sd);
}

OutcomeProbability outcome_probability(const Boundary& boundary, const Outcome& outcome) {
    const FlatPath flat = flat_path(boundary, outcome);
    const bool running = outcome.place == Outcome::Place::Running;
    if (running && outcome.tau < 1e-4 * boundary.horizon) {
        return [flat](double m) { return flat.probability(m); };
    }
    return outcome_probability(running ? std::make_shared<const ExitLaw>(boundary, outcome.tau)
                                       : std::make_shared<const ExitLaw>(boundary),
                               outcome);
}

OutcomeProbability outcome_probability(std::shared_ptr<const ExitLaw> law, const Outcome& outcome) {
    const FlatPath flat = flat_path(law->boundary(), outcome);
    return [law = std::move(law), flat, outcome](double m) {
        if (std::fabs(m) > kSolvedDrift) return flat.probability(m);
        switch (outcome.place) {
            case Outcome::Place::AcceptedH0:
                return law->left_below_by(outcome.tau, m);
            case Outcome::Place::AcceptedH1:
                return 1 - law->left_above_by(outcome.tau, m);
            case Outcome::Place::AtHorizon:
            case Outcome::Place::Running:
                break;
        }
        return clamp01(law->left_below_by(outcome.tau, m) + law->alive_below(outcome.llr, m));
    };
}

OutcomeProbability wald_outcome_probability(double lower, double upper, double tau, double llr) {
    FlatPath path{lower, upper, std::max(tau, 1e-12), llr};
    if (llr > upper) {
        path.tau *= upper / llr;
        path.place = upper;
    } else if (llr < lower) {
        path.tau *= lower / llr;
        path.place = lower;
    }
    return [path](double drift) { return path.probability(drift); };
}

std::optional<double> drift_with_probability(const OutcomeProbability& probability, double wanted) {
    double low = -1;
    double high = 1;
    // A bracket by doubling: F falls from 1 to 0, and most solutions lie near the bounds.
    while (probability(low) < wanted) {
        low *= 2;
        if (low < -kGreatestDrift) return std::nullopt;
    }
    while (probability(high) > wanted) {
        high *= 2;
        if (high > kGreatestDrift) return std::nullopt;
    }
    for (int step = 0; step < 60 && high - low > 1e-9 * (1 + std::fabs(low)); ++step) {
        // Bisection: F is monotone but not smooth where its two computations meet.
        const double middle = 0.5 * (low + high);
        (probability(middle) > wanted ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

AfterStop after_stop(const OutcomeProbability& probability, const DriftScale& scale, double units) {
    AfterStop result;
    const auto solve = [&](double wanted, std::optional<double>& nelo, std::optional<double>& elo) {
        const std::optional<double> drift = drift_with_probability(probability, wanted);
        if (!drift) return;
        nelo = scale.nelo(*drift);
        elo = scale.elo(*drift);
    };
    solve(0.5, result.nelo.value, result.elo.value);
    solve(0.975, result.nelo.ci95.low, result.elo.ci95.low);
    solve(0.025, result.nelo.ci95.high, result.elo.ci95.high);
    result.p_value = clamp01(1 - probability(-0.5));
    result.p_value_e1 = clamp01(probability(0.5));
    result.los = clamp01(probability(scale.drift_of_equality()));
    result.reliable =
        units >= kLeastUnits && result.nelo.value && std::fabs(*result.nelo.value) < 0.3 * kElo;
    return result;
}

std::optional<WaldOutcome> wald_outcome(const Sample& sample, const SprtSettings& settings,
                                        Decision state, std::optional<double> draw_elo) {
    const Moments moments = moments_of(sample);
    if (!(moments.variance > 0)) return std::nullopt;
    Model model = settings.model;
    double elo0 = settings.elo0;
    double elo1 = settings.elo1;
    if (model == Model::Bayesian) {
        if (!draw_elo && sample.size == 3) {
            draw_elo =
                draw_elo_of(sample.count[2] / moments.total, sample.count[0] / moments.total);
        }
        if (!draw_elo) return std::nullopt;
        elo0 = logistic_of_bayes(elo0, *draw_elo);
        elo1 = logistic_of_bayes(elo1, *draw_elo);
        model = Model::Logistic;
    }
    const DriftScale scale{model, elo0, elo1, std::sqrt(sample.games_per_unit * moments.variance)};
    const double tau = moments.total * scale.tau_per_unit(sample.games_per_unit);
    if (!(tau > 0) || !std::isfinite(tau)) return std::nullopt;
    const double lower = wald_lower(settings.alpha, settings.beta);
    const double upper = wald_upper(settings.alpha, settings.beta);
    // On the scale of a Brownian path; the exact ratio differs from it far from the bounds.
    double place = tau * scale.drift_of_score(moments.mean);
    if (state == Decision::AcceptH1) place = std::max(place, upper);
    if (state == Decision::AcceptH0) place = std::min(place, lower);
    WaldOutcome outcome;
    outcome.probability = wald_outcome_probability(lower, upper, tau, place);
    outcome.scale = scale;
    return outcome;
}

std::optional<AfterStop> after_wald(const Sample& sample, const SprtSettings& settings,
                                    Decision state, std::optional<double> draw_elo) {
    const auto outcome = wald_outcome(sample, settings, state, draw_elo);
    if (!outcome) return std::nullopt;
    return after_stop(outcome->probability, outcome->scale, sample.total());
}

}  // namespace assay::stats
