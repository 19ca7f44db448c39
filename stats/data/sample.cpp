// Moments of results in few categories, for pairs and for single games alike. The mean's distance
// from equality is summed by itself (`edge`): for nearly equal programs mean - 1/2 is the small
// difference of two large sums, and loses the digits that matter. Central moments take a second
// pass over at most five categories; the one-pass formulas cancel.
//
// The variance has the divisor N, as the maximum of the likelihood has it. With the thousands of
// pairs of a test the difference to N - 1 is below every digit shown.
#include "stats/data/sample.h"

#include <cmath>

namespace assay::stats {

Sample sample_of(const Pentanomial& pairs) {
    Sample sample{5, {0.0, 0.25, 0.5, 0.75, 1.0}, {}, 2};
    for (std::size_t i = 0; i < 5; ++i) sample.count[i] = static_cast<double>(pairs.counts[i]);
    return sample;
}

Sample sample_of(const Wdl& games) {
    return {3,
            {0.0, 0.5, 1.0},
            {static_cast<double>(games.losses), static_cast<double>(games.draws),
             static_cast<double>(games.wins)},
            1};
}

Sample regularised(Sample sample) {
    for (std::size_t i = 0; i < sample.size; ++i) {
        if (sample.count[i] == 0) sample.count[i] = 1e-3;
    }
    return sample;
}

Moments moments_of(const Sample& sample) {
    Moments moments;
    moments.total = sample.total();
    if (moments.total <= 0) return moments;
    double sum = 0;
    for (std::size_t i = 0; i < sample.size; ++i) {
        sum += sample.count[i] * sample.score[i];
        moments.edge += sample.count[i] * (sample.score[i] - 0.5);
    }
    moments.mean = sum / moments.total;
    moments.edge /= moments.total;
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (std::size_t i = 0; i < sample.size; ++i) {
        const double d = sample.score[i] - moments.mean;
        second += sample.count[i] * d * d;
        third += sample.count[i] * d * d * d;
        fourth += sample.count[i] * d * d * d * d;
    }
    // Rounding may leave some 1e-17 of a variance that is 0, and skewness would divide by it.
    if (is_degenerate(sample)) return moments;
    moments.variance = second / moments.total;
    const double sd = std::sqrt(moments.variance);
    moments.skewness = third / moments.total / (moments.variance * sd);
    moments.kurtosis = fourth / moments.total / (moments.variance * moments.variance);
    return moments;
}

bool is_degenerate(const Sample& sample) {
    int seen = 0;
    for (const double count : sample.count) seen += count > 0 ? 1 : 0;
    return seen <= 1;
}

}  // namespace assay::stats
