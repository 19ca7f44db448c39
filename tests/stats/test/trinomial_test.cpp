#include "stats/test/trinomial.h"

#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "stats/data/lattice_law.h"
#include "stats/test/sign_flip.h"

using namespace assay::stats;

TEST_CASE("Trinomial test: the lecture's 105 printed entries are reproduced to 3 digits") {
    const std::string file = assay::read_file(std::string(ASSAY_TEST_DATA) + "/lecture-table.txt");
    int entries = 0;
    std::string_view rest = file;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const auto words = assay::split_words(rest.substr(0, end));
        rest.remove_prefix(end + 1);
        if (words.empty() || words[0] == "#") continue;
        const auto pairs = assay::to_number<int>(words[0]);
        for (std::size_t s = 0; s + 1 < words.size(); ++s) {
            CAPTURE(*pairs);
            CAPTURE(s);
            const TrinomialTest test =
                trinomial_test(*pairs, static_cast<std::int64_t>(s), kChineseChess);
            CHECK(std::round(test.prob_abs_le_s * 1000) ==
                  std::round(*assay::to_number<double>(words[s + 1]) * 1000));
            ++entries;
        }
    }
    CHECK(entries == 105);
}

TEST_CASE("Trinomial test: sigma is 1.161 sqrt(n), and the critical scores follow it") {
    const auto critical = [](std::int64_t pairs) {
        return trinomial_test(pairs, 0, kChineseChess).critical_score;
    };
    CHECK(trinomial_test(10, 0, kChineseChess).sigma == doctest::Approx(3.67).epsilon(1e-3));
    CHECK(critical(5) == 6);
    CHECK(critical(10) == 8);
    CHECK(critical(20) == 11);
    CHECK(critical(50) == 17);
    CHECK(critical(100) == 24);
    CHECK(critical(1000) == 73);
    CHECK(critical(10'000) == 229);
    CHECK(critical(1'000'000) == 2277);
}

TEST_CASE("Trinomial test: the p-value falls with the score and joins at three deviations") {
    double last = 1.1;
    for (std::int64_t s = 0; s <= 400; ++s) {
        const TrinomialTest test = trinomial_test(200, s, kChineseChess);
        CHECK(test.p_value < last);
        CHECK(test.p_value > 0);
        CHECK(test.p_value == trinomial_test(200, -s, kChineseChess).p_value);
        last = test.p_value;
    }
    // Every pair decided the same way twice: 2 a^n.
    const double r = 1 - 0.3918 - 0.3161;
    CHECK(last == doctest::Approx(2 * std::pow(0.3918 * r, 200)).epsilon(1e-9));
}

TEST_CASE("Trinomial test: finite to a billion pairs, whatever the null") {
    for (const TrinomialNull null : {TrinomialNull{0, 0}, TrinomialNull{1, 0}, TrinomialNull{0, 1},
                                     TrinomialNull{0.5, 0}, TrinomialNull{0.001, 0.998}}) {
        for (const std::int64_t pairs : {0LL, 1LL, 1000LL, 1'000'000'000LL}) {
            for (const std::int64_t s : {0LL, 1LL, 1000LL, 100'000LL, 2'000'000'000LL}) {
                const TrinomialTest test = trinomial_test(pairs, s, null);
                CHECK(test.p_value >= 0);
                CHECK(test.p_value <= 1);
                CHECK(test.prob_abs_le_s >= 0);
                CHECK(std::isfinite(test.sigma));
            }
        }
    }
}

TEST_CASE("Trinomial test: a score that cannot be has p-value 0, the least of all too") {
    for (const std::int64_t score : {std::int64_t{21}, std::numeric_limits<std::int64_t>::min(),
                                     std::numeric_limits<std::int64_t>::max()}) {
        const TrinomialTest test = trinomial_test(10, score, {0.5, 0.3});
        CHECK(test.p_value == 0);
        CHECK(test.prob_abs_le_s == 1);
    }
}

TEST_CASE("Trinomial test: a level below the chance of the greatest score has no critical score") {
    for (const std::int64_t pairs : {2, 3}) {
        CHECK_FALSE(trinomial_test(pairs, 0, {1e-6, 0}, 1e-300).critical_score);
    }
    CHECK_FALSE(trinomial_test(2, 0, {1e-6, 0}, 1e-13).critical_score);
    CHECK(trinomial_test(2, 0, {1e-6, 0}, 1e-11).critical_score == 3);
}

TEST_CASE("Trinomial test: what is no probability law is refused") {
    CHECK_THROWS_AS((void)trinomial_test(10, 0, {0.9, 0.2}), assay::Error);
    CHECK_THROWS_AS((void)trinomial_test(10, 0, {-0.1, 0.2}), assay::Error);
    CHECK_THROWS_AS((void)trinomial_test(10, 0, {std::nan(""), 0.2}), assay::Error);
    CHECK_THROWS_AS((void)trinomial_test(-1, 0, kChineseChess), assay::Error);
    CHECK_THROWS_AS((void)trinomial_test(10, 0, kChineseChess, 0), assay::Error);
}

TEST_CASE("Sign-flip test: few pairs are counted by hand") {
    CHECK(sign_flip_test({{0, 0, 0, 3, 0}}).p_value == doctest::Approx(0.25));
    CHECK(sign_flip_test({{0, 0, 0, 3, 0}}).mid_p == doctest::Approx(0.125));
    CHECK(sign_flip_test({{1, 0, 0, 0, 1}}).p_value == 1);
    // S in {-3, -1, 1, 3}, each with chance 1/4.
    CHECK(sign_flip_test({{0, 1, 0, 0, 1}}).p_value == 1);
    CHECK(sign_flip_test({{0, 1, 0, 0, 1}}).mid_p == doctest::Approx(0.75));
    CHECK(sign_flip_test({{0, 0, 7, 0, 0}}).p_value == 1);
    CHECK(sign_flip_test({}).p_value == 1);
}

TEST_CASE("Sign-flip test: mirrored pairs give the same, even pairs do not matter") {
    const Pentanomial pairs{{13, 37, 50, 25, 3}};
    const SignFlip test = sign_flip_test(pairs);
    CHECK(sign_flip_test(pairs.mirrored()).p_value == doctest::Approx(test.p_value));
    Pentanomial more = pairs;
    more.add(2, 1000);
    CHECK(sign_flip_test(more).p_value == doctest::Approx(test.p_value));
    const SignFlip large = sign_flip_test({{0, 0, 0, 500'000'000, 500'000'000}});
    CHECK(large.p_value >= 0);
    CHECK(large.p_value < 1e-300);
}
