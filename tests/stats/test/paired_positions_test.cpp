#include "stats/test/paired_positions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"

namespace assay::stats {

namespace {

/// Mid-rank sums over all 2^n signs, counted one by one.
struct Counted {
    double sign_more = 0;
    double rank_more = 0;
};

double rank_of(const std::vector<double>& differences, std::size_t index) {
    double below = 0;
    double same = 0;
    for (const double other : differences) {
        if (other == 0) continue;
        below += std::abs(other) < std::abs(differences[index]) ? 1 : 0;
        same += std::abs(other) == std::abs(differences[index]) ? 1 : 0;
    }
    return below + (same + 1) / 2;
}

Counted count_all(const std::vector<double>& differences) {
    std::vector<double> ranks;
    double seen_rank = 0;
    double seen_sign = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        if (differences[i] == 0) continue;
        ranks.push_back(rank_of(differences, i));
        if (differences[i] > 0) {
            seen_rank += ranks.back();
            seen_sign += 1;
        }
    }
    Counted out;
    const std::size_t all = std::size_t{1} << ranks.size();
    for (std::size_t signs = 0; signs < all; ++signs) {
        double rank = 0;
        double sign = 0;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if ((signs >> i & 1U) == 0) continue;
            rank += ranks[i];
            sign += 1;
        }
        out.rank_more += rank >= seen_rank ? 1 : 0;
        out.sign_more += sign >= seen_sign ? 1 : 0;
    }
    out.rank_more /= static_cast<double>(all);
    out.sign_more /= static_cast<double>(all);
    return out;
}

}  // namespace

TEST_CASE("Paired positions: the depression data of Hollander and Wolfe (1973) give V = 40") {
    const std::vector<double> first{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const std::vector<double> second{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    std::vector<double> differences;
    for (std::size_t i = 0; i < first.size(); ++i) differences.push_back(first[i] - second[i]);
    const PairedPositions test = test_paired_positions(differences);
    CHECK(test.rank_sum_more == 40);
    CHECK(test.wilcoxon_p_more == doctest::Approx(10.0 / 512));
    CHECK(test.wilcoxon_p == doctest::Approx(20.0 / 512));
    CHECK(test.more == 7);
    CHECK(test.sign_p_more == doctest::Approx(46.0 / 512));
}

TEST_CASE(
    "Paired positions: both exact tests equal a count of all signs, ties and zeros included") {
    Random random(20261128);
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<double> differences(1 + random.below(12));
        for (double& difference : differences)
            difference = static_cast<double>(random.below(9)) - 4;
        const PairedPositions test = test_paired_positions(differences);
        const Counted counted = count_all(differences);
        CAPTURE(trial);
        CHECK(test.wilcoxon_p_more == doctest::Approx(counted.rank_more).epsilon(1e-12));
        CHECK(test.sign_p_more == doctest::Approx(counted.sign_more).epsilon(1e-12));
        CHECK(test.more + test.fewer + test.equal == static_cast<int>(differences.size()));
    }
}

TEST_CASE("Paired positions: one position that is far off decides nothing") {
    std::vector<double> differences{1e9, -1, -2, -3, 4, -5, 6, -7, 8};
    const PairedPositions test = test_paired_positions(differences);
    CHECK(test.wilcoxon_p > 0.5);
    differences[0] = std::numeric_limits<double>::infinity();
    CHECK(test_paired_positions(differences).wilcoxon_p == test.wilcoxon_p);
}

TEST_CASE("Paired positions: without a change nothing is shown, and 2^-n is the least p") {
    const std::vector<double> same{0, 0, 0};
    CHECK(test_paired_positions(same).wilcoxon_p == 1);
    CHECK(test_paired_positions(same).sign_p == 1);
    CHECK(test_paired_positions(same).equal == 3);
    CHECK(test_paired_positions({}).sign_p == 1);
    for (int n = 1; n < 12; ++n) {
        const std::vector<double> all(static_cast<std::size_t>(n), 1.5);
        CHECK(test_paired_positions(all).wilcoxon_p_more == doctest::Approx(least_p(n)));
        CHECK(test_paired_positions(all).sign_p_more == doctest::Approx(least_p(n)));
    }
}

TEST_CASE("Paired positions: the correction for continuity counts the sum that was seen") {
    // Of the ranks 1 to 4k those of the outer two of each four sum to exactly half of all.
    std::vector<double> differences;
    double squares = 0;
    for (int i = 1; i <= kExactPositions + 4; ++i) {
        differences.push_back(i % 4 < 2 ? i : -i);
        squares += static_cast<double>(i) * i;
    }
    const PairedPositions test = test_paired_positions(differences);
    CHECK(test.rank_sum_more == (kExactPositions + 4) * (kExactPositions + 5) / 4.0);
    // By symmetry P(sum >= half) = 1/2 + P(sum = half) / 2, and the latter is the density there.
    const double deviation = std::sqrt(squares / 4);
    CHECK(test.wilcoxon_p_more ==
          doctest::Approx(0.5 + 0.39894228 / (2 * deviation)).epsilon(1e-6));
    CHECK(test.wilcoxon_p == 1);
}

TEST_CASE("Paired positions: the approximation for many positions meets the exact law") {
    Random random(7);
    std::vector<double> differences;
    for (int i = 0; i < kExactPositions; ++i)
        differences.push_back(static_cast<double>(random.below(1000)) - 470);
    const PairedPositions exact = test_paired_positions(differences);
    // One more position of the smallest size hardly moves the sum, and turns the approximation on.
    differences.push_back(0.5);
    const PairedPositions approximate = test_paired_positions(differences);
    CHECK(approximate.wilcoxon_p_more == doctest::Approx(exact.wilcoxon_p_more).epsilon(0.03));
    CHECK(approximate.sign_p_more == doctest::Approx(exact.sign_p_more).epsilon(0.25));
}

}  // namespace assay::stats
