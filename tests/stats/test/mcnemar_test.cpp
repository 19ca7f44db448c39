#include "stats/test/mcnemar.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "stats/data/fair_coin.h"
#include "stats/test/paired_positions.h"
#include "tests/support/how_many.h"

namespace assay::stats {

namespace {

/// Each way to give the differing positions to a program, counted one by one.
McNemar count_all(const PairedSuccesses& counts) {
    const auto n = static_cast<std::size_t>(counts.differing());
    const auto seen = counts.only_first;
    const auto far = std::max(counts.only_first, counts.only_second);
    double first_more = 0;
    double second_more = 0;
    double two_sided = 0;
    double farther = 0;  // in either direction than what was seen
    const std::size_t all = std::size_t{1} << n;
    for (std::size_t owners = 0; owners < all; ++owners) {
        std::int64_t first = 0;
        for (std::size_t i = 0; i < n; ++i) first += (owners >> i & 1U) != 0 ? 1 : 0;
        const std::int64_t second = counts.differing() - first;
        first_more += first >= seen ? 1 : 0;
        second_more += second >= counts.only_second ? 1 : 0;
        two_sided += std::max(first, second) >= far ? 1 : 0;
        farther += std::max(first, second) > far ? 1 : 0;
    }
    const auto total = static_cast<double>(all);
    return {two_sided / total, (two_sided + farther) / 2 / total, first_more / total,
            second_more / total};
}

}  // namespace

TEST_CASE("McNemar: the two examples of Fagerland, Lydersen and Laake (2013)") {
    // Airway hyper-responsiveness before and after a transplant, and complete responses.
    const McNemar airway = test_mcnemar({1, 1, 7, 12});
    CHECK(airway.p == doctest::Approx(0.0703).epsilon(0.001));
    CHECK(airway.mid_p == doctest::Approx(0.0391).epsilon(0.002));
    const McNemar response = test_mcnemar({59, 6, 16, 80});
    CHECK(response.p == doctest::Approx(0.0525).epsilon(0.001));
    CHECK(response.mid_p == doctest::Approx(0.0347).epsilon(0.001));
}

TEST_CASE("McNemar: equals a count of all ways to share the differing positions") {
    for (std::int64_t n = 0; n <= 14; ++n) {
        for (std::int64_t first = 0; first <= n; ++first) {
            const PairedSuccesses counts{3, first, n - first, 4};
            CAPTURE(n);
            CAPTURE(first);
            const McNemar test = test_mcnemar(counts);
            const McNemar counted = count_all(counts);
            CHECK(test.first_more == doctest::Approx(counted.first_more).epsilon(1e-12));
            CHECK(test.second_more == doctest::Approx(counted.second_more).epsilon(1e-12));
            CHECK(test.p == doctest::Approx(counted.p).epsilon(1e-12));
            CHECK(test.mid_p == doctest::Approx(counted.mid_p).epsilon(1e-12));
        }
    }
}

TEST_CASE("McNemar: is the sign test of the positions' differences, and the same both ways round") {
    Random random(20261129);
    for (int trial = 0; trial < assay::test::how_many(10, 100); ++trial) {
        PairedSuccesses counts;
        std::vector<double> differences;
        for (std::uint64_t i = 0; i < 400; ++i) {
            const bool first = random.below(100) < 60;
            const bool second = random.below(100) < 55;
            ++(first && second ? counts.both
               : first         ? counts.only_first
               : second        ? counts.only_second
                               : counts.neither);
            differences.push_back((first ? 1 : 0) - (second ? 1 : 0));
        }
        const McNemar test = test_mcnemar(counts);
        const PairedPositions paired = test_paired_positions(differences);
        CHECK(test.p == paired.sign_p);
        CHECK(test.first_more == paired.sign_p_more);
        const McNemar turned =
            test_mcnemar({counts.both, counts.only_second, counts.only_first, counts.neither});
        CHECK(turned.p == test.p);
        CHECK(turned.mid_p == test.mid_p);
        CHECK(turned.first_more == test.second_more);
    }
}

TEST_CASE("McNemar: keeps its level, and mid-p keeps it nearly, over all outcomes of a fair coin") {
    for (const std::int64_t n : {5, 12, 30, 61}) {
        double exact = 0;
        double mid = 0;
        for (std::int64_t first = 0; first <= n; ++first) {
            const McNemar test = test_mcnemar({0, first, n - first, 0});
            if (test.p <= 0.05) exact += fair_coin_point(n, first);
            if (test.mid_p <= 0.05) mid += fair_coin_point(n, first);
        }
        CHECK(exact <= 0.05);
        CHECK(mid <= 0.07);
        CHECK(mid >= exact);
    }
}

TEST_CASE("Fair coin: sums to one, is symmetric, and stands far out and with many throws") {
    for (const std::int64_t n : {0, 1, 2, 7, 100, 1001, 200'000}) {
        CAPTURE(n);
        CHECK(fair_coin_tail(n, 0) == 1);
        CHECK(fair_coin_tail(n, n + 1) == 0);
        CHECK(fair_coin_point(n, n + 1) == 0);
        const std::int64_t k = n / 2 + 1;
        CHECK(fair_coin_tail(n, k) + fair_coin_tail(n, n - k + 1) == doctest::Approx(1));
    }
    CHECK(fair_coin_tail(1000, 1000) == doctest::Approx(std::ldexp(1.0, -1000)));
    CHECK(fair_coin_tail(1000, 999) == doctest::Approx(std::ldexp(1001.0, -1000)));
    // The tail three standard deviations out, with a correction for continuity.
    const double z = (100'671 - 0.5 - 100'000) / std::sqrt(50'000.0);
    CHECK(fair_coin_tail(200'000, 100'671) ==
          doctest::Approx(0.5 * std::erfc(z / std::sqrt(2.0))).epsilon(1e-3));
}

}  // namespace assay::stats
