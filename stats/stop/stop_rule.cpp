// What all rules share, and the rule of a fixed number of pairs. The others, each a small class
// behind StopRule, are in boundary_rule.cpp, sprt_rule.cpp and evidence.cpp. A rule sees pairs in
// the order of the schedule only, never in that of their ends: short games end first, and their
// results are not those of long ones.
#include "stats/stop/stop_rule.h"

#include "base/check.h"
#include "base/diagnostic.h"
#include "stats/test/sign_flip.h"

namespace assay::stats {

namespace {

/// One look, at the end, by the exact test.
class FixedRule final : public StopRule {
public:
    FixedRule(double alpha, std::int64_t pairs) : alpha_(alpha), cap_(pairs) {
        if (!(alpha > 0 && alpha < 1)) throw Error("alpha must be between 0 and 1");
        if (pairs < 1) throw Error("a fixed test needs at least 1 pair");
    }

    [[nodiscard]] TestState state() const override {
        TestState state;
        state.rule = "fixed";
        state.alpha = alpha_;
        state.state = name_of(decision());
        state.at_cap = pairs().pairs() >= cap_;
        return state;
    }

    [[nodiscard]] std::optional<std::int64_t> cap() const override { return cap_; }

    [[nodiscard]] std::optional<AfterStop> after_stop() const override { return std::nullopt; }

    [[nodiscard]] std::unique_ptr<StopRule> fresh() const override {
        return std::make_unique<FixedRule>(alpha_, cap_);
    }

    [[nodiscard]] std::optional<double> outcome_probability_at(double /*nelo*/) const override {
        return std::nullopt;
    }

private:
    Decision on_pair(int /*category*/, int /*draws*/) override {
        if (pairs().pairs() != cap_ || sign_flip_test(pairs()).p_value > alpha_) {
            return Decision::Continue;
        }
        return pairs().balance() > 0 ? Decision::AcceptH1 : Decision::AcceptH0;
    }

    double alpha_;
    std::int64_t cap_;
};

}  // namespace

Decision StopRule::add(int category, int draws) {
    ASSAY_CHECK(category >= 0 && category < kPairCategories);
    if (decision_ != Decision::Continue) return decision_;
    pairs_.add(category);
    decision_ = on_pair(category, draws);
    return decision_;
}

std::unique_ptr<StopRule> make_fixed_rule(double alpha, std::int64_t pairs) {
    return std::make_unique<FixedRule>(alpha, pairs);
}

}  // namespace assay::stats
