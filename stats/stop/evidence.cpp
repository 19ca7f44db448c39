// A test by betting. Against H0 "mean score <= s" a player with wealth 1 stakes a share th of it on
// each pair: the wealth is multiplied by 1 + th (x - s), x the pair's score. Under H0 the factor
// has expectation at most 1, so that the wealth is a supermartingale, and by Ville's inequality
// (1939) it ever reaches 1/alpha with probability at most alpha. That holds for every stopping
// time, also one chosen after seeing the data, for pairs of any law, and without an approximation.
//
// When it applies: where the number of looks is not known beforehand, where a run may be extended
// after its end, or where somebody stops it by hand. Where the test's end is fixed by its bounds
// alone, a boundary (boundary.h) needs fewer pairs at the same errors: a guarantee for all times
// costs power.
//
// The best stake is about the edge over the variance of a pair (Kelly 1956), and the edge is not
// known. Instead of an estimate that follows the data, which starts from nothing and pays for its
// errors, the wealth is the mean of six players with fixed stakes, which is a bet too. Its
// logarithm is at most ln 6 below that of the best of the six. Inverting the two one-sided tests at
// alpha/2 each gives the confidence sequence (Waudby-Smith and Ramdas, Estimating means of bounded
// random variables by betting, 2024).
//
// Cost: six additions and an exponential sum a pair; the sequence needs 200 evaluations from
// counts.
#include "stats/stop/evidence.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "stats/data/elo.h"
#include "stats/stop/stop_rule.h"

namespace assay::stats {

namespace {

/// A doubling grid loses at most a few per cent of the growth rate of the best stake between its
/// ends, which suit differences of about 1 to 100 nElo.
constexpr std::array<double, EProcess::kStakes> kStakeOf{.02, .04, .08, .16, .32, .64};

/// ln of the mean of the wealths. The greatest is taken out first: wealth grows exponentially with
/// the number of pairs and would overflow.
double log_mean_exp(const std::array<double, EProcess::kStakes>& logs) {
    const double most = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const double log : logs) sum += std::exp(log - most);
    return most + std::log(sum / static_cast<double>(logs.size()));
}

/// ln E with the scores seen from the one side (+1) or the other (-1).
double log_e(const Sample& sample, double score, double side) {
    std::array<double, EProcess::kStakes> logs{};
    for (std::size_t j = 0; j < logs.size(); ++j) {
        for (std::size_t i = 0; i < sample.size; ++i) {
            if (sample.count[i] <= 0) continue;
            logs[j] += sample.count[i] * std::log1p(side * kStakeOf[j] * (sample.score[i] - score));
        }
    }
    return log_mean_exp(logs);
}

/// The score between `refuted` and `kept` where the bet's evidence falls to `level`. It is monotone
/// between them: a hypothesis nearer to the mean is harder to refute.
template <class Evidence>
double crossing(const Evidence& evidence, double refuted, double kept, double level) {
    for (int step = 0; step < 100; ++step) {
        const double middle = 0.5 * (refuted + kept);
        (evidence(middle) >= level ? refuted : kept) = middle;
    }
    return kept;
}

void check(const EvidenceSettings& settings) {
    const bool is_range = settings.elo0 >= -2000 && settings.elo1 <= 2000;
    if (!is_range || !(settings.elo0 <= settings.elo1)) {
        throw Error("elo0 must not be above elo1, both from -2000 to 2000");
    }
    if (!(settings.alpha > 0 && settings.beta > 0 && settings.alpha + settings.beta < 1)) {
        throw Error("alpha and beta must be positive, with a sum below 1");
    }
}

class EvidenceRule final : public StopRule {
public:
    explicit EvidenceRule(const EvidenceSettings& settings)
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
        state.state = name_of(decision());
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
        // By the greatest wealth so far, not the present one: evidence once reached is not lost.
        after.p_value = std::min(1.0, std::exp(-against_h0_.greatest()));
        after.p_value_e1 = std::min(1.0, std::exp(-against_h1_.greatest()));
        // The order of outcomes that the probability of superiority needs does not exist here: the
        // stopping time may be anything.
        after.los = std::nullopt;
        return after;
    }

    [[nodiscard]] std::unique_ptr<StopRule> fresh() const override {
        return std::make_unique<EvidenceRule>(settings_);
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

    EvidenceSettings settings_;
    EProcess against_h0_;
    EProcess against_h1_;
};

}  // namespace

double log_e_above(const Sample& sample, double score) {
    return log_e(sample, score, 1);
}

double log_e_below(const Sample& sample, double score) {
    return log_e(sample, score, -1);
}

ScoreRange confidence_sequence(const Sample& sample, double alpha) {
    const double level = std::log(2 / alpha);
    // Inside the range of scores, where both bets have a finite logarithm.
    const double mean = std::clamp(moments_of(sample).mean, 1e-9, 1 - 1e-9);
    ScoreRange range;
    if (sample.total() <= 0) return range;
    const auto above = [&](double score) { return log_e_above(sample, score); };
    const auto below = [&](double score) { return log_e_below(sample, score); };
    if (above(0) >= level) range.low = crossing(above, 0.0, mean, level);
    if (below(1) >= level) range.high = crossing(below, 1.0, mean, level);
    return range;
}

Interval confidence_sequence_elo(const Sample& sample, double alpha) {
    const ScoreRange range = confidence_sequence(sample, alpha);
    Interval interval;
    if (range.low > 0) interval.low = elo_of_score(range.low);
    if (range.high < 1) interval.high = elo_of_score(range.high);
    return interval;
}

EProcess::EProcess(double score, bool above) {
    const double side = above ? 1 : -1;
    for (std::size_t i = 0; i < gain_.size(); ++i) {
        // Of the five categories only, so that a pair costs no logarithm.
        const double edge = side * (0.25 * static_cast<double>(i) - score);
        for (std::size_t j = 0; j < kStakes; ++j) gain_[i][j] = std::log1p(kStakeOf[j] * edge);
    }
}

void EProcess::add(int category) {
    const auto& gain = gain_[static_cast<std::size_t>(category)];
    for (std::size_t j = 0; j < kStakes; ++j) wealth_[j] += gain[j];
    log_e_ = log_mean_exp(wealth_);
    greatest_ = std::max(greatest_, log_e_);
}

std::unique_ptr<StopRule> make_evidence_rule(const EvidenceSettings& settings) {
    check(settings);
    return std::make_unique<EvidenceRule>(settings);
}

}  // namespace assay::stats
