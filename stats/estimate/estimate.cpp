// The strength of a program from a fixed number of pairs or games. The interval of the mean score
// holds all scores whose likelihood ratio against the best law is within the chi-square quantile
// (Owen 1988), found by bisection on each side. Unlike mean -+ 1.96 standard errors it stays inside
// [0, 1], is skewed where the results are, and covers 94 to 96 % from 20 pairs on, where Wald's
// interval is poor. Its ends are mapped to Elo one by one, so that the interval in Elo is not
// symmetric either.
//
// Where only one category was seen the variance is unknown and no likelihood ratio exists; the
// exact binomial interval (Clopper and Pearson 1934) takes its place. Cost: two bisections of at
// most 200 likelihoods each.
#include "stats/estimate/estimate.h"

#include <algorithm>
#include <cmath>

#include "stats/data/elo.h"
#include "stats/data/normal.h"
#include "stats/estimate/likelihood_ratio.h"

namespace assay::stats {

namespace {

/// The 0.95 quantile of chi-square with one degree of freedom: kZ95 squared.
constexpr double kChiSquare95 = 3.841458820694124;
/// What each side of an exact 95 % interval leaves out.
constexpr double kSide = 0.025;

/// The lower end of { s : -2 N LL(s) <= q }.
double lower_end(const Sample& sample, const Moments& moments, double q) {
    double inside = moments.mean;
    double outside = 0;
    for (int step = 0; step < 200; ++step) {
        const double middle = 0.5 * (inside + outside);
        // The two ends are neighbouring doubles: nothing is left to halve.
        if (middle == inside || middle == outside) break;
        const std::optional<double> value = log_likelihood_of_mean(sample, middle);
        if (value && -2 * moments.total * *value <= q) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    return inside;
}

/// The distances of an interval's ends from 0 and from 1: an end near 1 keeps its digits this way.
struct Ends {
    double low = 0;
    double high = 0;
};

Sample mirrored(const Sample& sample) {
    Sample other = sample;
    for (std::size_t i = 0; i < sample.size; ++i) {
        other.count[i] = sample.count[sample.size - 1 - i];
    }
    return other;
}

Ends score_ends(const Sample& sample, IntervalMethod method) {
    const Moments moments = moments_of(sample);
    const Sample other = mirrored(sample);
    const Moments other_moments = moments_of(other);
    if (method == IntervalMethod::Wald) {
        const double half = kZ95 * std::sqrt(moments.variance / moments.total);
        return {std::max(0.0, moments.mean - half), std::max(0.0, other_moments.mean - half)};
    }
    double q = kChiSquare95;
    if (method == IntervalMethod::Conservative) {
        const double t = student_quantile(1 - kSide, std::max(1.0, moments.total - 1));
        q = t * t * moments.total / std::max(1.0, moments.total - 1);
    }
    return {lower_end(sample, moments, q), lower_end(other, other_moments, q)};
}

/// All `total` units fell on one score a. A law with mean s < a gives a at most the chance s/a,
/// one with s > a at most (1-s)/(1-a): these bound s exactly. With a = 1 it is Clopper and
/// Pearson's interval.
Interval exact_interval(double a, double total) {
    const double share = std::pow(kSide, 1 / total);
    Interval interval;
    if (a > 0) interval.low = a * share;
    if (a < 1) interval.high = 1 - (1 - a) * share;
    return interval;
}

std::optional<double> elo_of(std::optional<double> score) {
    if (!score || *score <= 0 || *score >= 1) return std::nullopt;
    return elo_of_score(*score);
}

/// nElo of a one-sided result has a bound only: the least t of a law that gives the end category
/// its smallest plausible chance puts the rest on the other end.
Interval one_sided_nelo(double mean, double total, int games_per_unit) {
    const double share = std::pow(kSide, 1 / total);
    if (share <= 0.5) return {};
    const double t = (share - 0.5) / std::sqrt(share * (1 - share));
    const double nelo = kElo * t / std::sqrt(static_cast<double>(games_per_unit));
    if (!std::isfinite(nelo)) return {};
    if (mean == 1) return {nelo, std::nullopt};
    return {std::nullopt, -nelo};
}

Estimate nelo_estimate(const Moments& moments, int games_per_unit) {
    const double t = moments.edge / std::sqrt(moments.variance);
    const double scale = kElo / std::sqrt(static_cast<double>(games_per_unit));
    // Delta method for a mean over its own standard deviation.
    const double spread = 1 - t * moments.skewness + 0.25 * t * t * (moments.kurtosis - 1);
    const double half = kZ95 * scale * std::sqrt(std::max(0.0, spread) / moments.total);
    return {scale * t, {scale * t - half, scale * t + half}};
}

Strength degenerate_strength(const Moments& moments, int games_per_unit) {
    Strength strength;
    strength.score = moments.mean;
    strength.uninformative_variance = true;
    strength.score_ci95 = exact_interval(moments.mean, moments.total);
    strength.elo = {elo_of(moments.mean),
                    {elo_of(strength.score_ci95.low), elo_of(strength.score_ci95.high)}};
    if (moments.mean == 0 || moments.mean == 1) {
        strength.nelo.ci95 = one_sided_nelo(moments.mean, moments.total, games_per_unit);
    }
    if (moments.mean != 0.5) {
        // Mid-p of the exact sign test: all units on one side of 1/2.
        const double tail = std::exp2(-moments.total - 1);
        strength.los = moments.mean > 0.5 ? 1 - tail : tail;
    }
    return strength;
}

}  // namespace

Strength estimate_strength(const Sample& sample, IntervalMethod method) {
    const Moments moments = moments_of(sample);
    if (moments.total <= 0) return {};
    if (is_degenerate(sample)) return degenerate_strength(moments, sample.games_per_unit);
    const Ends ends = score_ends(sample, method);
    Strength strength;
    strength.score = moments.mean;
    strength.score_ci95 = {ends.low, 1 - ends.high};
    strength.elo = {elo_of(moments.mean), {elo_of(ends.low), elo_of(ends.high)}};
    if (strength.elo.ci95.high) strength.elo.ci95.high = -*strength.elo.ci95.high;
    if (!strength.elo.value) {
        // The mean is so near to 0 or 1 that it is rounded to it.
        strength.elo.value = -elo_of_score(moments_of(mirrored(sample)).mean);
    }
    strength.nelo = nelo_estimate(moments, sample.games_per_unit);
    strength.los = normal_cdf(moments.edge / std::sqrt(moments.variance / moments.total));
    return strength;
}

Strength estimate_strength_compat(const Sample& sample) {
    if (sample.total() <= 0) return {};
    const Sample full = regularised(sample);
    const Moments moments = moments_of(full);
    Strength strength = estimate_strength(full, IntervalMethod::Wald);
    const double error = kZ95 * std::sqrt(moments.variance / moments.total);
    const auto clamped = [](double score) {
        return elo_of_score(std::clamp(score, 1e-3, 1 - 1e-3));
    };
    strength.elo = {clamped(moments.mean),
                    {clamped(moments.mean - error), clamped(moments.mean + error)}};
    const double half = kZ95 * kElo / std::sqrt(full.games_per_unit * moments.total);
    const double nelo = *strength.nelo.value;
    strength.nelo.ci95 = {nelo - half, nelo + half};
    strength.uninformative_variance = is_degenerate(sample);
    return strength;
}

}  // namespace assay::stats
