#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "stats/data/elo.h"
#include "stats/stop/anytime.h"
#include "stats/stop/stop_rule.h"

namespace assay::stats {

namespace {

void check(const AnytimeSettings& settings) {
    const bool is_range = settings.elo0 >= -2000 && settings.elo1 <= 2000;
    if (!is_range || !(settings.elo0 <= settings.elo1)) {
        throw Error("elo0 must not be above elo1, both from -2000 to 2000");
    }
    if (!(settings.alpha > 0 && settings.beta > 0 && settings.alpha + settings.beta < 1)) {
        throw Error("alpha and beta must be positive, with a sum below 1");
    }
}

class AnytimeRule final : public StopRule {
public:
    explicit AnytimeRule(const AnytimeSettings& settings)
        : settings_(settings),
          against_h0_(score_of_elo(settings.elo0), true),
          against_h1_(score_of_elo(settings.elo1), false) {}

    [[nodiscard]] TestState state() const override {
        TestState state;
        state.rule = "anytime";
        // The stronger of the two lines of evidence, that for H0 counted negative.
        state.llr =
            against_h0_.log_e() >= against_h1_.log_e() ? against_h0_.log_e() : -against_h1_.log_e();
        state.lower = std::log(settings_.beta);
        state.upper = -std::log(settings_.alpha);
        state.corrected_lower = state.lower;
        state.corrected_upper = state.upper;
        state.elo0 = settings_.elo0;
        state.elo1 = settings_.elo1;
        state.alpha = settings_.alpha;
        state.beta = settings_.beta;
        state.model = name_of(Model::Logistic);
        state.state = state_name(decision());
        return state;
    }

    [[nodiscard]] std::optional<std::int64_t> cap() const override { return std::nullopt; }

    [[nodiscard]] std::optional<AfterStop> after_stop() const override {
        const Sample sample = sample_of(pairs());
        if (sample.total() <= 0) return std::nullopt;
        AfterStop after;
        const double mean = moments_of(sample).mean;
        if (mean > 0 && mean < 1) after.elo.value = elo_of_score(mean);
        after.elo.ci95 = confidence_sequence_elo(sample);
        after.p_value = std::min(1.0, std::exp(-against_h0_.greatest()));
        after.p_value_e1 = std::min(1.0, std::exp(-against_h1_.greatest()));
        after.los = std::nullopt;
        return after;
    }

    [[nodiscard]] std::unique_ptr<StopRule> fresh() const override {
        return std::make_unique<AnytimeRule>(settings_);
    }

    [[nodiscard]] std::optional<double> outcome_probability_at(double /*nelo*/) const override {
        return std::nullopt;
    }

private:
    Decision on_pair(int category, int /*draws*/) override {
        against_h0_.add(category);
        against_h1_.add(category);
        if (against_h0_.log_e() >= -std::log(settings_.alpha)) return Decision::AcceptH1;
        return against_h1_.log_e() >= -std::log(settings_.beta) ? Decision::AcceptH0
                                                                : Decision::Continue;
    }

    AnytimeSettings settings_;
    EProcess against_h0_;
    EProcess against_h1_;
};

}  // namespace

std::unique_ptr<StopRule> make_anytime_rule(const AnytimeSettings& settings) {
    check(settings);
    return std::make_unique<AnytimeRule>(settings);
}

}  // namespace assay::stats
