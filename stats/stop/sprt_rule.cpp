// Wald's test as a rule: the test itself is stats/test/sprt.h. Its LLR has no end in time, so that
// what is left is asked up to a time by which all but a few such tests have ended.
#include <algorithm>
#include <cmath>

#include "stats/stop/stop_rule.h"

namespace assay::stats {

namespace {

class SprtRule final : public StopRule {
public:
    explicit SprtRule(const SprtSettings& settings) : test_(settings) {}

    [[nodiscard]] TestState state() const override {
        const SprtSettings& settings = test_.settings();
        TestState state;
        state.rule = "sprt";
        state.llr = test_.llr().value;
        state.reason = test_.llr().reason;
        state.lower = test_.lower();
        state.upper = test_.upper();
        state.corrected_lower = test_.corrected_lower();
        state.corrected_upper = test_.corrected_upper();
        state.elo0 = settings.elo0;
        state.elo1 = settings.elo1;
        state.alpha = settings.alpha;
        state.beta = settings.beta;
        state.model = name_of(settings.model);
        state.state = name_of(test_.state());
        return state;
    }

    [[nodiscard]] std::optional<std::int64_t> cap() const override { return std::nullopt; }

    [[nodiscard]] std::optional<AfterStop> after_stop() const override {
        return after_wald(sample_of(pairs()), test_.settings(), test_.state(), test_.draw_elo());
    }

    [[nodiscard]] std::optional<PairsLeft> pairs_left(std::int64_t planned) const override {
        const std::int64_t seen = pairs().pairs();
        const Sample sample = sample_of(pairs());
        const auto found = wald_outcome(sample, test_.settings(), test_.state(), test_.draw_elo());
        if (decision() != Decision::Continue || seen < kLeastUnits || !found) return std::nullopt;
        const BoundsAt bounds{test_.lower(), test_.upper()};
        const double per_pair = found->scale.tau_per_unit(2);
        const PairsLeft left =
            pairs_left_between([bounds](double) { return bounds; },
                               found->scale.drift_of_score(moments_of(sample).mean),
                               static_cast<double>(seen) * per_pair, per_pair,
                               std::min(planned - seen, within_reach(per_pair)));
        return PairsLeft{left.expected, std::max<std::int64_t>(planned - seen, 0)};
    }

    [[nodiscard]] std::unique_ptr<StopRule> fresh() const override {
        return std::make_unique<SprtRule>(test_.settings());
    }

    [[nodiscard]] std::optional<double> outcome_probability_at(double nelo) const override {
        const auto outcome =
            wald_outcome(sample_of(pairs()), test_.settings(), test_.state(), test_.draw_elo());
        if (!outcome) return std::nullopt;
        return outcome->probability(outcome->scale.drift_of_nelo(nelo));
    }

private:
    Decision on_pair(int category, int draws) override { return test_.add(category, draws); }

    /// Pairs in which all but some 1e-6 of such tests end, whatever the strength: the slowest part
    /// of the law falls as exp(-pi^2 tau / (2 width^2)).
    [[nodiscard]] std::int64_t within_reach(double per_pair) const {
        const double width = test_.upper() - test_.lower();
        return static_cast<std::int64_t>(std::min(1e15, std::ceil(3 * width * width / per_pair)));
    }

    Sprt test_;
};

}  // namespace

std::unique_ptr<StopRule> make_sprt_rule(const SprtSettings& settings) {
    return std::make_unique<SprtRule>(settings);
}

}  // namespace assay::stats
