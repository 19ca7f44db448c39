#include "reports/dropin/classic_numbers.h"

#include <array>
#include <cmath>
#include <numbers>

#include "stats/data/sample.h"
#include "stats/test/sprt.h"

namespace assay::reports::dropin {

namespace {

double elo_of_score(double score) {
    return -400 * std::log10(1 / score - 1);
}

/// Of units whose mean score and variance (of one) are given.
ClassicEstimate estimate_of(double score, double variance, double units, int games_per_unit,
                            double errors) {
    const double of_mean = variance / units;
    const double high = score + errors * std::sqrt(of_mean);
    const double low = score - errors * std::sqrt(of_mean);
    const auto nelo_of = [&](double x) {
        return (x - 0.5) / std::sqrt(games_per_unit * variance) * 800 / std::numbers::ln10;
    };
    ClassicEstimate estimate;
    estimate.elo = elo_of_score(score);
    estimate.elo_error = (elo_of_score(high) - elo_of_score(low)) / 2;
    estimate.nelo = nelo_of(score);
    estimate.nelo_error = (nelo_of(high) - nelo_of(low)) / 2;
    estimate.los = (1 - std::erf(-(score - 0.5) / std::sqrt(2 * of_mean))) / 2;
    return estimate;
}

/// Counts of values, from the highest score to the lowest, evenly spaced from 1 to 0.
template <std::size_t N>
ClassicEstimate estimate_of(const std::array<std::int64_t, N>& counts, int games_per_unit,
                            double errors) {
    double units = 0;
    for (const std::int64_t count : counts) units += static_cast<double>(count);
    const auto value = [](std::size_t i) {
        return 1 - static_cast<double>(i) / static_cast<double>(N - 1);
    };
    double score = 0;
    for (std::size_t i = 0; i < N; ++i) score += static_cast<double>(counts[i]) / units * value(i);
    double variance = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const double off = value(i) - score;
        variance += static_cast<double>(counts[i]) / units * off * off;
    }
    return estimate_of(score, variance, units, games_per_unit, errors);
}

}  // namespace

ClassicEstimate estimate_of_games(const harness::ResultCounts& counts, double errors) {
    return estimate_of(std::array{counts.wins, counts.draws, counts.losses}, 1, errors);
}

ClassicEstimate estimate_of_pairs(const harness::ResultCounts& counts) {
    return estimate_of(
        std::array{counts.pairs_ww, counts.pairs_wd, counts.pairs_wl + counts.pairs_dd,
                   counts.pairs_ld, counts.pairs_ll},
        2, kFastchessErrors);
}

double ClassicSprt::lower() const {
    return stats::wald_lower(alpha, beta);
}

double ClassicSprt::upper() const {
    return stats::wald_upper(alpha, beta);
}

double ClassicSprt::llr(const harness::ResultCounts& counts) const {
    stats::Sample sample;
    if (by_games) {
        sample = stats::sample_of(stats::Wdl{counts.wins, counts.draws, counts.losses});
    } else {
        stats::Pentanomial pairs;
        pairs.counts = {counts.pairs_ll, counts.pairs_ld, counts.pairs_wl + counts.pairs_dd,
                        counts.pairs_wd, counts.pairs_ww};
        sample = stats::sample_of(pairs);
    }
    const stats::Llr llr =
        stats::log_likelihood_ratio(stats::regularised(sample), model, elo0, elo1);
    return llr.value.value_or(0);
}

}  // namespace assay::reports::dropin
