#include "stats/estimate/estimate.h"

#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "base/random.h"
#include "stats/data/elo.h"

using namespace assay::stats;

namespace {

Strength of(Pentanomial pairs, IntervalMethod method = IntervalMethod::LikelihoodRatio) {
    return estimate_strength(sample_of(pairs), method);
}

double half_width(const Estimate& estimate) {
    return 0.5 * (*estimate.ci95.high - *estimate.ci95.low);
}

bool finite(const std::optional<double>& value) {
    return !value || std::isfinite(*value);
}

bool finite(const Estimate& estimate) {
    return finite(estimate.value) && finite(estimate.ci95.low) && finite(estimate.ci95.high);
}

}  // namespace

TEST_CASE("Estimate: published pentanomial results are met to the printed digits") {
    struct Published {
        Pentanomial pairs;
        double elo, elo_error, nelo, nelo_error, los;
    };

    for (const Published& row :
         {Published{{{43, 61, 144, 55, 37}}, -9.20, 20.93, -11.50, 26.11, 0.1941},
          Published{{{775, 7232, 13896, 7255, 842}}, 0.91, 1.64, 1.54, 2.78, 0.8609},
          Published{{{241, 3440, 6895, 3664, 258}}, 3.09, 2.24, 5.52, 4.00, 0.9966}}) {
        const Strength strength = estimate_strength_compat(sample_of(row.pairs));
        CHECK(std::fabs(*strength.elo.value - row.elo) <= 0.00501);
        CHECK(std::fabs(half_width(strength.elo) - row.elo_error) <= 0.00501);
        CHECK(std::fabs(*strength.nelo.value - row.nelo) <= 0.00501);
        CHECK(std::fabs(half_width(strength.nelo) - row.nelo_error) <= 0.00501);
        CHECK(std::fabs(strength.los - row.los) <= 0.0000501);
    }
    const Strength third =
        estimate_strength_compat(sample_of(Pentanomial{{5, 942, 2469, 1050, 5}}));
    CHECK(std::fabs(*third.elo.value - 4.20) <= 0.00501);
    CHECK(std::fabs(half_width(third.elo) - 3.43) <= 0.00501);
    const Strength games = estimate_strength_compat(sample_of(Wdl{880, 1863, 759}));
    CHECK(std::fabs(*games.elo.value - 12.0) <= 0.0501);
    CHECK(std::fabs(half_width(games.elo) - 7.9) <= 0.0501);
}

TEST_CASE("Estimate: a one-sided result has one end and no value") {
    const Strength won = of({{0, 0, 0, 0, 10}});
    CHECK_FALSE(won.elo.value);
    CHECK_FALSE(won.elo.ci95.high);
    // Clopper and Pearson: 10 of 10 leave 0.025^(1/10).
    CHECK(*won.score_ci95.low == doctest::Approx(0.691503).epsilon(1e-6));
    CHECK(*won.elo.ci95.low == doctest::Approx(elo_of_score(0.6915028921)));
    CHECK_FALSE(won.nelo.value);
    CHECK(*won.nelo.ci95.low > 0);
    CHECK(won.uninformative_variance);
    CHECK(won.los > 0.999);
    const Strength lost = of({{10, 0, 0, 0, 0}});
    CHECK_FALSE(lost.elo.ci95.low);
    CHECK(*lost.elo.ci95.high == doctest::Approx(-*won.elo.ci95.low));
    CHECK(lost.los == doctest::Approx(1 - won.los));
}

TEST_CASE("Estimate: nothing but draws is an Elo of 0 with an interval, and no nElo") {
    const Strength drawn = of({{0, 0, 100, 0, 0}});
    CHECK(*drawn.elo.value == 0);
    CHECK(*drawn.elo.ci95.low < 0);
    CHECK(*drawn.elo.ci95.high == doctest::Approx(-*drawn.elo.ci95.low));
    CHECK_FALSE(drawn.nelo.value);
    CHECK(drawn.los == 0.5);
    const Strength empty = of({});
    CHECK_FALSE(empty.score);
    CHECK_FALSE(empty.elo.value);
    CHECK(empty.los == 0.5);
}

TEST_CASE("Estimate: the three intervals nest and agree for many pairs") {
    const Pentanomial few{{1, 3, 4, 7, 2}};
    const Strength ratio = of(few);
    const Strength careful = of(few, IntervalMethod::Conservative);
    CHECK(*careful.elo.ci95.low < *ratio.elo.ci95.low);
    CHECK(*careful.elo.ci95.high > *ratio.elo.ci95.high);
    const Pentanomial many{{241, 3440, 6895, 3664, 258}};
    const Strength wald = of(many, IntervalMethod::Wald);
    CHECK(*of(many).elo.ci95.low == doctest::Approx(*wald.elo.ci95.low).epsilon(1e-3));
    CHECK(*of(many).elo.ci95.high == doctest::Approx(*wald.elo.ci95.high).epsilon(1e-3));
}

TEST_CASE("Estimate: swapped programs mirror every figure, and a better pair never lowers one") {
    assay::Random random(7);
    for (int round = 0; round < 300; ++round) {
        Pentanomial pairs;
        for (int i = 0; i < 5; ++i) {
            pairs.add(i, random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(60)));
        }
        CAPTURE(round);
        const Strength a = of(pairs);
        const Strength b = of(pairs.mirrored());
        CHECK(a.los == doctest::Approx(1 - b.los));
        CHECK(a.elo.value.has_value() == b.elo.value.has_value());
        if (a.elo.value) CHECK(*a.elo.value == doctest::Approx(-*b.elo.value));
        if (a.elo.ci95.low) CHECK(*a.elo.ci95.low == doctest::Approx(-*b.elo.ci95.high));
        if (a.nelo.ci95.low) CHECK(*a.nelo.ci95.low == doctest::Approx(-*b.nelo.ci95.high));
        if (pairs[0] == 0 || !a.elo.value) continue;
        Pentanomial better = pairs;
        better.add(0, -1);
        better.add(4, 1);
        const Strength c = of(better);
        if (c.elo.value) CHECK(*c.elo.value > *a.elo.value);
        if (c.elo.ci95.low && a.elo.ci95.low) CHECK(*c.elo.ci95.low >= *a.elo.ci95.low);
    }
}

TEST_CASE("Estimate: finite for every pattern of counts up to a billion") {
    constexpr std::int64_t kCounts[] = {0, 1, 1'000'000'000};
    for (int pattern = 0; pattern < 243; ++pattern) {
        Pentanomial pairs;
        for (int i = 0, rest = pattern; i < 5; ++i, rest /= 3) pairs.add(i, kCounts[rest % 3]);
        CAPTURE(pattern);
        for (const auto method : {IntervalMethod::LikelihoodRatio, IntervalMethod::Conservative,
                                  IntervalMethod::Wald}) {
            const Strength strength = of(pairs, method);
            CHECK(finite(strength.elo));
            CHECK(finite(strength.nelo));
            CHECK(strength.los >= 0);
            CHECK(strength.los <= 1);
            if (!strength.elo.value || !strength.elo.ci95.low || !strength.elo.ci95.high) continue;
            CHECK(*strength.elo.ci95.low <= *strength.elo.value);
            CHECK(*strength.elo.ci95.high >= *strength.elo.value);
        }
        const Strength compat = estimate_strength_compat(sample_of(pairs));
        CHECK(finite(compat.elo));
        CHECK(finite(compat.nelo));
    }
}

TEST_CASE("Estimate: nElo's interval is that of the infinitesimal jackknife, also of skew counts") {
    // Another way to the same variance: how much nElo changes by the weight of each category.
    for (const Pentanomial& counts :
         {Pentanomial{{2, 10, 30, 40, 18}}, Pentanomial{{18, 40, 30, 10, 2}},
          Pentanomial{{40, 5, 3, 2, 50}}, Pentanomial{{1, 0, 0, 9, 90}}}) {
        const auto nelo_of = [](const std::array<double, 5>& weights) {
            double mean = 0;
            double variance = 0;
            for (std::size_t i = 0; i < 5; ++i) mean += weights[i] * 0.25 * static_cast<double>(i);
            for (std::size_t i = 0; i < 5; ++i) {
                const double from_mean = 0.25 * static_cast<double>(i) - mean;
                variance += weights[i] * from_mean * from_mean;
            }
            return kElo * (mean - 0.5) / std::sqrt(2 * variance);
        };
        const double total = 100;
        std::array<double, 5> share{};
        for (int i = 0; i < 5; ++i)
            share[static_cast<std::size_t>(i)] = static_cast<double>(counts[i]) / total;
        double variance = 0;
        constexpr double kStep = 1e-5;
        for (std::size_t i = 0; i < 5; ++i) {
            std::array<double, 5> more = share;
            std::array<double, 5> less = share;
            for (double& weight : more) weight *= 1 - kStep;
            for (double& weight : less) weight *= 1 + kStep;
            more[i] += kStep;
            less[i] -= kStep;
            const double slope = (nelo_of(more) - nelo_of(less)) / (2 * kStep);
            variance += share[i] * slope * slope;
        }
        const double half = 1.959964 * std::sqrt(variance / total);
        const Estimate nelo = of(counts).nelo;
        CHECK(*nelo.value == doctest::Approx(nelo_of(share)));
        CHECK(*nelo.ci95.low == doctest::Approx(nelo_of(share) - half).epsilon(1e-5));
        CHECK(*nelo.ci95.high == doctest::Approx(nelo_of(share) + half).epsilon(1e-5));
    }
}
