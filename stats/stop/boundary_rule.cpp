// A calibrated boundary as a rule. The boundary is calibrated for a path that is
// watched all the time, and the LLR is seen after some pairs only. Such a path jumps over a bound
// by 0.5826 standard deviations of a step in the mean (Chernoff 1965; Siegmund 1979), so that
// bounds moved in by this much have the errors of the continuous ones; simulations confirm it for
// steps up to 0.2 of information time. Where looks are farther apart than 0.1 the exact law of
// these looks is used instead, with its own calibration and bounds as they are.
//
// Information time of normalized bounds counts pairs. That of logistic bounds depends on the
// variance seen so far, which changes; there the cap is approximate. The last look has no
// correction, because the path is not watched beyond it: the sign of LLR - centre decides.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/diagnostic.h"
#include "stats/stop/capped.h"
#include "stats/stop/exit_law.h"
#include "stats/stop/look_law.h"
#include "stats/stop/stop_rule.h"

namespace assay::stats {

namespace {

void check_boundary_settings(const BoundarySettings& settings) {
    if (settings.model == Model::Bayesian) {
        throw Error("closing and capped tests take nElo or logistic Elo, not BayesElo");
    }
    if (settings.shape == Shape::Capped && settings.model != Model::Normalized) {
        throw Error("a capped test needs normalized Elo: with logistic Elo its cap is not exact");
    }
    if (settings.pairs_per_look < 0) throw Error("a look needs at least 1 pair");
    SprtSettings bounds;
    bounds.elo0 = settings.elo0;
    bounds.elo1 = settings.elo1;
    bounds.alpha = settings.alpha;
    bounds.beta = settings.beta;
    check_settings(bounds);
}

/// For looks farther apart than this in information time, the exact law of the looks is used
/// (look_law.h).
constexpr double kSeldom = 0.1;

/// Information time of a pair with normalized bounds.
double tau_per_pair(double elo0, double elo1) {
    return (elo1 - elo0) * (elo1 - elo0) / kPairsPerTau;
}

/// LLR of two t-values from mean and variance, for a last look without an exact one.
std::optional<double> closed_form_llr(const Moments& moments, double t0, double t1) {
    if (!(moments.variance > 0)) return std::nullopt;
    const double t = moments.edge / std::sqrt(moments.variance);
    return 0.5 * moments.total *
           (std::log1p((t - t0) * (t - t0)) - std::log1p((t - t1) * (t - t1)));
}

class BoundaryRule final : public StopRule {
public:
    /// REQUIRES: exactly one of the two laws is not null. With a look_law the bounds are not
    /// corrected for discrete looks.
    BoundaryRule(const BoundarySettings& settings, std::shared_ptr<const ExitLaw> law,
                 std::shared_ptr<const LookLaw> look_law)
        : settings_(settings),
          law_(std::move(law)),
          look_law_(std::move(look_law)),
          boundary_(look_law_ ? look_law_->boundary() : law_->boundary()) {
        if (settings_.pairs_per_look == 0) {
            settings_.pairs_per_look = default_pairs_per_look(settings_);
        }
        if (settings_.model == Model::Normalized) {
            cap_ = cap_in_pairs(settings_.shape, settings_.elo1 - settings_.elo0, settings_.alpha,
                                settings_.beta);
        }
        lower_ = boundary_.lower(0);
        upper_ = boundary_.upper(0);
    }

    [[nodiscard]] TestState state() const override {
        TestState state;
        state.rule = name_of(settings_.shape);
        state.llr = llr_.value;
        state.reason = llr_.reason;
        state.lower = lower_;
        state.upper = upper_;
        state.corrected_lower = lower_ + shift_;
        state.corrected_upper = upper_ - shift_;
        state.elo0 = settings_.elo0;
        state.elo1 = settings_.elo1;
        state.alpha = settings_.alpha;
        state.beta = settings_.beta;
        state.model = name_of(settings_.model);
        state.state = name_of(decision());
        state.at_cap = at_cap_;
        return state;
    }

    [[nodiscard]] std::optional<std::int64_t> cap() const override { return cap_; }

    [[nodiscard]] std::optional<LookBounds> bounds_after(std::int64_t pairs) const override {
        if (settings_.model != Model::Normalized) return std::nullopt;
        const bool is_last = cap_ && pairs >= *cap_;
        const double tau = is_last ? boundary_.horizon
                                   : std::min(static_cast<double>(pairs) *
                                                  tau_per_pair(settings_.elo0, settings_.elo1),
                                              boundary_.horizon);
        return LookBounds{boundary_.lower(tau), boundary_.upper(tau)};
    }

    [[nodiscard]] std::optional<AfterStop> after_stop() const override {
        const std::optional<Outcome> seen = outcome();
        if (!seen) return std::nullopt;
        const DriftScale scale = scale_of(moments_of(sample_of(pairs())));
        AfterStop after =
            stats::after_stop(probability_of(*seen), scale, static_cast<double>(pairs().pairs()));
        // The solver has errors of 1e-5, which must not make a p-value contradict the verdict.
        if (decision() == Decision::AcceptH1) {
            after.p_value = std::min(after.p_value, settings_.alpha);
        }
        if (decision() == Decision::AcceptH0) {
            after.p_value = std::max(after.p_value, std::nextafter(settings_.alpha, 1));
            after.p_value_e1 = std::min(after.p_value_e1, settings_.beta);
        }
        return after;
    }

    [[nodiscard]] std::optional<PairsLeft> pairs_left(std::int64_t planned) const override {
        const std::int64_t seen = pairs().pairs();
        const Moments moments = moments_of(sample_of(pairs()));
        if (decision() != Decision::Continue || seen < kLeastUnits || !(moments.variance > 0))
            return std::nullopt;
        const DriftScale scale = scale_of(moments);
        const double per_pair = settings_.model == Model::Normalized
                                    ? tau_per_pair(settings_.elo0, settings_.elo1)
                                    : scale.tau_per_unit(2);
        const double now = static_cast<double>(seen) * per_pair;
        std::int64_t most = planned - seen;
        if (cap_) {
            most = std::min(most, *cap_ - seen);
        } else {
            most = std::min(
                most, static_cast<std::int64_t>(std::ceil((boundary_.horizon - now) / per_pair)));
        }
        return pairs_left_between(
            [this](double tau) {
                return BoundsAt{boundary_.lower(tau), boundary_.upper(tau)};
            },
            scale.drift_of_score(moments.mean), now, per_pair, most);
    }

    [[nodiscard]] std::unique_ptr<StopRule> fresh() const override {
        return std::make_unique<BoundaryRule>(settings_, law_, look_law_);
    }

    [[nodiscard]] std::optional<double> outcome_probability_at(double nelo) const override {
        const std::optional<Outcome> seen = outcome();
        if (!seen) return std::nullopt;
        const DriftScale scale = scale_of(moments_of(sample_of(pairs())));
        return probability_of(*seen)(scale.drift_of_nelo(nelo));
    }

private:
    [[nodiscard]] std::optional<Outcome> outcome() const {
        const Moments moments = moments_of(sample_of(pairs()));
        if (!(moments.variance > 0) || !llr_.value) return std::nullopt;
        Outcome outcome{Outcome::Place::Running, std::min(looked_tau_, boundary_.horizon),
                        *llr_.value};
        if (at_cap_) {
            outcome.place = Outcome::Place::AtHorizon;
            outcome.tau = boundary_.horizon;
        } else if (decision() != Decision::Continue) {
            outcome.place = decision() == Decision::AcceptH1 ? Outcome::Place::AcceptedH1
                                                             : Outcome::Place::AcceptedH0;
        } else {
            // On the scale of a Brownian path, and inside its bounds.
            outcome.llr = std::clamp(outcome.tau * scale_of(moments).drift_of_score(looked_mean_),
                                     lower_, upper_);
        }
        if (!(outcome.tau > 0)) return std::nullopt;
        return outcome;
    }

    [[nodiscard]] OutcomeProbability probability_of(const Outcome& seen) const {
        if (look_law_) {
            return [law = look_law_, seen](double m) { return law->outcome_probability(seen, m); };
        }
        if (seen.place == Outcome::Place::Running) return outcome_probability(boundary_, seen);
        return outcome_probability(law_, seen);
    }

    [[nodiscard]] DriftScale scale_of(const Moments& moments) const {
        return {settings_.model, settings_.elo0, settings_.elo1, std::sqrt(2 * moments.variance)};
    }

    Decision on_pair(int /*category*/, int /*draws*/) override {
        const std::int64_t count = pairs().pairs();
        if (cap_ == count) return last_look();
        if (count % settings_.pairs_per_look != 0) return Decision::Continue;
        const Moments moments = moments_of(sample_of(pairs()));
        if (settings_.model == Model::Normalized) {
            tau_ = static_cast<double>(count) * tau_per_pair(settings_.elo0, settings_.elo1);
        } else if (moments.variance > 0) {
            // The estimated variance changes with each pair, but time must not go backwards.
            tau_ = std::max(tau_, moments.total * scale_of(moments).tau_per_unit(2));
        }
        if (tau_ >= boundary_.horizon) return last_look();
        llr_ = log_likelihood_ratio(sample_of(pairs()), settings_.model, settings_.elo0,
                                    settings_.elo1, std::nullopt, &starts_);
        lower_ = boundary_.lower(tau_);
        upper_ = boundary_.upper(tau_);
        if (!llr_.value) return Decision::Continue;
        // A motion seen only at times delta apart overshoots a bound by 0.5826 sqrt(delta) in the
        // mean (Chernoff; Siegmund): bounds that much nearer keep the errors.
        shift_ = look_law_ ? 0 : 0.582597 * std::sqrt(tau_ - looked_tau_);
        looked_tau_ = tau_;
        looked_mean_ = moments.mean;
        const double high = upper_ - shift_;
        const double low = lower_ + shift_;
        // The corrected bounds have met before the nominal ones: this is the last look.
        if (high <= low) {
            return *llr_.value >= 0.5 * (high + low) ? Decision::AcceptH1 : Decision::AcceptH0;
        }
        if (*llr_.value >= high) return Decision::AcceptH1;
        return *llr_.value <= low ? Decision::AcceptH0 : Decision::Continue;
    }

    Decision last_look() {
        at_cap_ = true;
        tau_ = boundary_.horizon;
        lower_ = boundary_.lower(tau_);
        upper_ = boundary_.upper(tau_);
        shift_ = 0;
        const Sample sample = sample_of(pairs());
        const Moments moments = moments_of(sample);
        const double t0 = t_of_nelo(settings_.elo0, 2);
        const double t1 = t_of_nelo(settings_.elo1, 2);
        llr_ = log_likelihood_ratio(sample, settings_.model, settings_.elo0, settings_.elo1);
        if (!llr_.value) {
            if (const auto closed = closed_form_llr(moments, t0, t1)) llr_ = {closed, {}};
        }
        if (llr_.value) {
            return *llr_.value >= boundary_.centre ? Decision::AcceptH1 : Decision::AcceptH0;
        }
        const double middle = 0.5 * (t0 + t1) * std::sqrt(moments.variance);
        return moments.edge > middle ? Decision::AcceptH1 : Decision::AcceptH0;
    }

    BoundarySettings settings_;
    std::shared_ptr<const ExitLaw> law_;
    std::shared_ptr<const LookLaw> look_law_;
    Boundary boundary_;
    std::optional<std::int64_t> cap_;
    Llr llr_{std::nullopt, "no look yet"};
    std::array<GlrStart, 2> starts_;
    double tau_ = 0;
    double looked_tau_ = 0;
    double looked_mean_ = 0.5;
    double shift_ = 0;
    double lower_ = 0;
    double upper_ = 0;
    bool at_cap_ = false;
};

}  // namespace

int default_pairs_per_look(const BoundarySettings& settings) {
    if (settings.model != Model::Normalized) return 8;
    const double wanted = 0.02 / 16 * fixed_sample_tau(settings.alpha, settings.beta) /
                          tau_per_pair(settings.elo0, settings.elo1);
    int pairs = 1;
    while (pairs < 32 && 2 * pairs <= wanted) pairs *= 2;
    return pairs;
}

std::unique_ptr<StopRule> make_boundary_rule(const BoundarySettings& settings) {
    check_boundary_settings(settings);
    const int pairs =
        settings.pairs_per_look > 0 ? settings.pairs_per_look : default_pairs_per_look(settings);
    const double step = pairs * tau_per_pair(settings.elo0, settings.elo1);
    if (settings.model == Model::Normalized && step > kSeldom) {
        const std::vector<double> looks =
            look_times(step, horizon_of(settings.shape, settings.alpha, settings.beta));
        const Boundary boundary =
            calibrated_for_looks(settings.shape, settings.alpha, settings.beta, looks);
        return std::make_unique<BoundaryRule>(settings, nullptr,
                                              std::make_shared<const LookLaw>(boundary, looks));
    }
    return std::make_unique<BoundaryRule>(settings,
                                          std::make_shared<const ExitLaw>(calibrated_boundary(
                                              settings.shape, settings.alpha, settings.beta)),
                                          nullptr);
}

}  // namespace assay::stats
