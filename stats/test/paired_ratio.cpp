// Under symmetry around the centre the ranks of |value - centre| carry signs like fair coins, so
// the sum of the positive ranks has the law of a sum over a random subset of 1 to n. The test
// accepts those centres for which that sum is in the middle of the law, and they are the ones
// between two of the ordered means of two values (Walsh averages): the sum of positive ranks counts
// the averages above the centre. Cost n^2 log n for the averages and n^3 for the law.
#include "stats/test/paired_ratio.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::stats {

namespace {

std::vector<double> walsh_averages(const std::vector<double>& values) {
    std::vector<double> averages;
    averages.reserve(values.size() * (values.size() + 1) / 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = i; j < values.size(); ++j) {
            averages.push_back((values[i] + values[j]) / 2);
        }
    }
    std::sort(averages.begin(), averages.end());
    return averages;
}

/// The number of lowest rank sums whose joint probability is at most `tail`.
std::size_t sums_in_tail(std::size_t n, double tail) {
    const std::size_t most = n * (n + 1) / 2;
    // Probabilities and not counts, which would overflow for large n.
    std::vector<double> law(most + 1, 0);
    law[0] = 1;
    for (std::size_t rank = 1; rank <= n; ++rank) {
        for (std::size_t sum = rank * (rank + 1) / 2 + 1; sum-- > 0;) {
            law[sum] = (law[sum] + (sum >= rank ? law[sum - rank] : 0)) / 2;
        }
    }
    double below = 0;
    std::size_t count = 0;
    while (count <= most && below + law[count] <= tail) below += law[count++];
    return count;
}

}  // namespace

Centre centre_of(const std::vector<double>& values, double confidence) {
    const std::vector<double> averages = walsh_averages(values);
    const std::size_t middle = averages.size() / 2;
    Centre centre;
    centre.value =
        averages.size() % 2 == 1 ? averages[middle] : (averages[middle - 1] + averages[middle]) / 2;
    const std::size_t outside = sums_in_tail(values.size(), (1 - confidence) / 2);
    if (outside == 0) {
        centre.low = -std::numeric_limits<double>::infinity();
        centre.high = std::numeric_limits<double>::infinity();
        return centre;
    }
    centre.low = averages[outside - 1];
    centre.high = averages[averages.size() - outside];
    return centre;
}

}  // namespace assay::stats
