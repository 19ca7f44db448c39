// Paired tests from signs and ranks. Wilcoxon's statistic is the sum of the ranks, by absolute
// size, of the differences above 0. Under the null hypothesis each sign is a fair coin, whatever
// the sizes, so that given the ranks (ties included) its law is that of a sum of independent coins:
// a convolution of n two-point laws over doubled ranks, which are whole numbers also for shared
// ranks. It is exact, takes n * n(n+1) steps, and needs no table. A t-test would be decided by the
// few positions with the largest differences.
#include "stats/test/paired_positions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "stats/data/fair_coin.h"
#include "stats/data/normal.h"

namespace assay::stats {

namespace {

struct Ranked {
    double size;
    bool is_more;
    std::int64_t doubled_rank;
};

/// Sorted by size, with twice the mid-rank.
std::vector<Ranked> ranked(std::span<const double> differences) {
    std::vector<Ranked> out;
    for (const double difference : differences) {
        if (std::isnan(difference) || difference == 0) continue;
        out.push_back({std::abs(difference), difference > 0, 0});
    }
    std::sort(out.begin(), out.end(),
              [](const Ranked& a, const Ranked& b) { return a.size < b.size; });
    for (std::size_t begin = 0; begin < out.size();) {
        std::size_t end = begin + 1;
        while (end < out.size() && out[end].size == out[begin].size) ++end;
        for (std::size_t i = begin; i < end; ++i)
            out[i].doubled_rank = static_cast<std::int64_t>(begin + 1 + end);
        begin = end;
    }
    return out;
}

/// P(sum >= seen) by convolution.
double exact_tail(const std::vector<std::int64_t>& steps, std::int64_t seen) {
    std::int64_t top = 0;
    for (const std::int64_t step : steps) top += step;
    std::vector<double> law(static_cast<std::size_t>(top) + 1, 0.0);
    law[0] = 1;
    std::int64_t reached = 0;
    for (const std::int64_t step : steps) {
        reached += step;
        for (std::int64_t sum = reached; sum >= 0; --sum) {
            double& here = law[static_cast<std::size_t>(sum)];
            here *= 0.5;
            if (sum >= step) here += 0.5 * law[static_cast<std::size_t>(sum - step)];
        }
    }
    double tail = 0;
    for (std::int64_t sum = top; sum >= seen; --sum) tail += law[static_cast<std::size_t>(sum)];
    return std::min(1.0, tail);
}

/// The same by the normal approximation. The variance of the doubled sum is a quarter of the sum of
/// squared doubled ranks, ties included.
double normal_tail(const std::vector<std::int64_t>& steps, std::int64_t seen) {
    double mean = 0;
    double variance = 0;
    for (const std::int64_t step : steps) {
        mean += static_cast<double>(step) / 2;
        variance += static_cast<double>(step) * static_cast<double>(step) / 4;
    }
    return normal_cdf(-(static_cast<double>(seen) - 1 - mean) / std::sqrt(variance));
}

double tail(const std::vector<std::int64_t>& steps, std::int64_t seen) {
    const bool is_exact = static_cast<std::int64_t>(steps.size()) <= kExactPositions;
    return is_exact ? exact_tail(steps, seen) : normal_tail(steps, seen);
}

double both_ways(double one, double other) {
    return std::min(1.0, 2 * std::min(one, other));
}

}  // namespace

PairedPositions test_paired_positions(std::span<const double> differences) {
    PairedPositions out;
    const std::vector<Ranked> all = ranked(differences);
    std::vector<std::int64_t> ranks;
    std::int64_t sum = 0;
    std::int64_t top = 0;
    for (const Ranked& one : all) {
        ++(one.is_more ? out.more : out.fewer);
        ranks.push_back(one.doubled_rank);
        top += one.doubled_rank;
        if (one.is_more) sum += one.doubled_rank;
    }
    out.equal = static_cast<std::int64_t>(differences.size()) - out.changed();
    out.rank_sum_more = static_cast<double>(sum) / 2;
    if (all.empty()) return out;
    out.sign_p_more = fair_coin_tail(out.changed(), out.more);
    out.sign_p = both_ways(out.sign_p_more, fair_coin_tail(out.changed(), out.fewer));
    out.wilcoxon_p_more = tail(ranks, sum);
    out.wilcoxon_p = both_ways(out.wilcoxon_p_more, tail(ranks, top - sum));
    return out;
}

double least_p(std::int64_t changed) {
    return std::ldexp(1.0, -static_cast<int>(std::min<std::int64_t>(changed, 1000)));
}

}  // namespace assay::stats
