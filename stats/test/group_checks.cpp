// Which of several groups is unlike the others. One chi-square test over all groups says that some
// group is, and loses its power where one odd machine stands among a hundred; a test of each group
// against the rest names it. The p-values are then corrected for their number by the caller
// (multiple.h); tests of overlapping tables depend on each other, which Holm's correction allows.
//
// Events such as crashes are few, where chi-square's law does not hold, so that these are tested
// exactly: events that come independently and equally often (a Poisson law of each group) fall,
// given their total K, into a group by Binomial(K, its share of all trials). Cost: O(1) a group.
//
// Source: Przyborowski and Wilenski, Homogeneity of results in testing samples from Poisson series
// (Biometrika 31, 1940), for several groups.
#include "stats/test/group_checks.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "stats/data/normal.h"

namespace assay::stats {

namespace {

constexpr double kLeastExpected = 5;

double sum_of(const GroupResults& results) {
    return static_cast<double>(std::accumulate(results.begin(), results.end(), std::int64_t{0}));
}

std::optional<double> p_value_of(const GroupResults& group, const GroupResults& all) {
    const double total = sum_of(all);
    const double here = sum_of(group);
    const double there = total - here;
    double chi_square = 0;
    int kinds = 0;
    for (std::size_t kind = 0; kind < all.size(); ++kind) {
        if (all[kind] == 0) continue;
        ++kinds;
        const auto count = static_cast<double>(all[kind]);
        const double expected = here * count / total;
        const double expected_there = there * count / total;
        if (expected < kLeastExpected || expected_there < kLeastExpected) return std::nullopt;
        const double gap = static_cast<double>(group[kind]) - expected;
        chi_square += gap * gap * (1 / expected + 1 / expected_there);
    }
    if (kinds < 2) return std::nullopt;
    return chi_square_tail(chi_square, kinds - 1);
}

double p_value_of(const GroupRate& group, const GroupRate& all) {
    if (group.events == 0 || group.trials >= all.trials) return 1;
    return binomial_tail(static_cast<double>(group.events), static_cast<double>(all.events),
                         static_cast<double>(group.trials) / static_cast<double>(all.trials));
}

}  // namespace

std::vector<std::optional<double>> group_p_values(std::span<const GroupResults> groups) {
    GroupResults all{};
    for (const GroupResults& group : groups)
        std::ranges::transform(all, group, all.begin(), std::plus<>());
    std::vector<std::optional<double>> values;
    for (const GroupResults& group : groups) values.push_back(p_value_of(group, all));
    return values;
}

std::vector<double> rate_p_values(std::span<const GroupRate> groups) {
    GroupRate all;
    for (const GroupRate& group : groups) {
        all.events += group.events;
        all.trials += group.trials;
    }
    std::vector<double> values;
    for (const GroupRate& group : groups) values.push_back(p_value_of(group, all));
    return values;
}

}  // namespace assay::stats
