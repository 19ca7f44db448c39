#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "stats/estimate/estimate.h"
#include "stats/estimate/likelihood_ratio.h"
#include "stats/stop/boundary.h"
#include "stats/test/sprt.h"

namespace assay::stats {

class ExitLaw;

/// Turns a drift m (e0 at -1/2, e1 at +1/2) into strengths, through the bounds of the test and the
/// standard deviation of a game that was seen.
struct DriftScale {
    Model model = Model::Normalized;  // a Bayesian test passes its logistic bounds
    double elo0 = 0;
    double elo1 = 2;
    double game_sd = 0.5;  // > 0

    /// The mean score at a drift; may leave [0, 1] where the drift is beyond all strengths.
    [[nodiscard]] double score(double drift) const;
    /// Nullopt where that score is not inside (0, 1).
    [[nodiscard]] std::optional<double> elo(double drift) const;
    [[nodiscard]] double nelo(double drift) const;
    [[nodiscard]] double drift_of_score(double score_seen) const;
    [[nodiscard]] double drift_of_nelo(double nelo) const;
    /// The drift at which both programs are equal.
    [[nodiscard]] double drift_of_equality() const;
    /// Information time of one unit (pair or game): (s1 - s0)^2 over the unit's variance.
    [[nodiscard]] double tau_per_unit(int games_per_unit) const;
};

/// The state or the end of a test, on the scale of information time.
struct Outcome {
    enum class Place { AcceptedH0, AcceptedH1, AtHorizon, Running };

    Place place = Place::Running;
    double tau = 0;
    double llr = 0;  // used where the place is the horizon or inside
};

/// P(outcome <= the observed one) as a function of the drift, in the order early H0 < late H0 <
/// inside by LLR < late H1 < early H1. It falls as the drift rises.
using OutcomeProbability = std::function<double(double drift)>;

/// For a calibrated boundary. It uses the nominal bounds, so that p_value <= alpha exactly where H1
/// was accepted. docs/statistics.md section 9.
[[nodiscard]] OutcomeProbability outcome_probability(const Boundary& boundary,
                                                     const Outcome& outcome);

/// The same where the law of the exit up to the horizon is known already.
/// REQUIRES: outcome.place is not Running.
[[nodiscard]] OutcomeProbability outcome_probability(std::shared_ptr<const ExitLaw> law,
                                                     const Outcome& outcome);

/// For Wald's test with bounds `lower` < 0 < `upper`; an LLR past a bound is put on it and the time
/// moved back along the mean path. docs/statistics.md section 6.
[[nodiscard]] OutcomeProbability wald_outcome_probability(double lower, double upper, double tau,
                                                          double llr);

/// With fewer pairs or games the variance is too uncertain for an interval after a stop.
inline constexpr int kLeastUnits = 20;

/// Estimates after a sequential stop, or of a test that is still running.
struct AfterStop {
    Estimate nelo;  // median-unbiased, with its 95 % interval
    Estimate elo;
    double p_value = 1;     // one-sided, against e0: small where H1 was accepted
    double p_value_e1 = 1;  // one-sided, against e1: small where H0 was accepted
    /// P(outcome <= observed) between equal programs; nullopt for an anytime-valid test.
    std::optional<double> los = 0.5;
    /// Whether the Brownian approximation holds: |mean - 1/2| below 0.3 standard deviations, and at
    /// least kLeastUnits pairs or games.
    bool reliable = true;
};

/// `units`: the number of pairs or games that the outcome is based on.
[[nodiscard]] AfterStop after_stop(const OutcomeProbability& probability, const DriftScale& scale,
                                   double units);

/// The drift at which the outcome has the given probability; nullopt if it lies beyond +-1e5.
[[nodiscard]] std::optional<double> drift_with_probability(const OutcomeProbability& probability,
                                                           double wanted);

/// What after_wald is computed from.
struct WaldOutcome {
    OutcomeProbability probability;
    DriftScale scale;
};

[[nodiscard]] std::optional<WaldOutcome> wald_outcome(const Sample& sample,
                                                      const SprtSettings& settings, Decision state,
                                                      std::optional<double> draw_elo);

/// The sequential estimate of a Wald test from its final counts; nullopt where the sample is
/// empty or of one category, or BayesElo's draw rate undefined. A `state` that has accepted puts
/// the LLR on its bound even where the correction for the overshoot let it stop short of it.
[[nodiscard]] std::optional<AfterStop> after_wald(const Sample& sample,
                                                  const SprtSettings& settings, Decision state,
                                                  std::optional<double> draw_elo = std::nullopt);

}  // namespace assay::stats
