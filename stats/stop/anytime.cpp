#include "stats/stop/anytime.h"

#include <algorithm>
#include <cmath>

#include "stats/data/elo.h"

namespace assay::stats {

namespace {

/// A doubling grid loses at most a few per cent of the growth rate of the best stake between its
/// ends, which suit differences of about 1 to 100 nElo.
constexpr std::array<double, EProcess::kStakes> kStakeOf{.02, .04, .08, .16, .32, .64};

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

/// The score in [low, high] where the bet's evidence falls to `level`.
template <class Evidence>
double crossing(const Evidence& evidence, double refuted, double kept, double level) {
    for (int step = 0; step < 100; ++step) {
        const double middle = 0.5 * (refuted + kept);
        (evidence(middle) >= level ? refuted : kept) = middle;
    }
    return kept;
}

}  // namespace

double log_e_above(const Sample& sample, double score) {
    return log_e(sample, score, 1);
}

double log_e_below(const Sample& sample, double score) {
    return log_e(sample, score, -1);
}

ScoreRange confidence_sequence(const Sample& sample, double alpha) {
    const double level = std::log(2 / alpha);
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

}  // namespace assay::stats
