#include "stats/estimate/likelihood_ratio.h"

#include <cmath>

#include <doctest/doctest.h>

#include "base/random.h"
#include "stats/estimate/t_value_search.h"

using namespace assay::stats;

namespace {

Llr llr(Pentanomial pairs, double elo0, double elo1, Model model = Model::Normalized) {
    return log_likelihood_ratio(sample_of(pairs), model, elo0, elo1);
}

}  // namespace

TEST_CASE("LLR: published results are met") {
    CHECK(*llr({{775, 7232, 13896, 7255, 842}}, 0, 3).value ==
          doctest::Approx(0.0572).epsilon(1e-3));
    CHECK(*llr({{241, 3440, 6895, 3664, 258}}, 0, 3).value ==
          doctest::Approx(2.8955).epsilon(1e-4));
    CHECK(*llr({{5, 942, 2469, 1050, 5}}, -3, 1).value == doctest::Approx(2.9043).epsilon(1e-4));
    const Sample games = sample_of(Wdl{880, 1863, 759});
    CHECK(*log_likelihood_ratio(games, Model::Logistic, 0, 5).value ==
          doctest::Approx(2.947).epsilon(1e-3));
    CHECK(*log_likelihood_ratio(games, Model::Bayesian, 0, 5).value ==
          doctest::Approx(2.27).epsilon(3e-3));
}

TEST_CASE("LLR: bounds far outside the data give a finite value or a named refusal") {
    for (const Pentanomial pairs : {Pentanomial{{144, 3, 1, 0, 0}}, Pentanomial{{1, 0, 0, 0, 0}},
                                    Pentanomial{{77, 1, 0, 0, 0}}, Pentanomial{{0, 0, 0, 0, 9}}}) {
        for (const auto& [elo0, elo1] : {std::pair{-1500.0, -500.0}, std::pair{500.0, 1500.0},
                                         std::pair{-1e6, 1e6}, std::pair{-3.0, 1e308}}) {
            for (const Model model : {Model::Normalized, Model::Logistic, Model::Bayesian}) {
                const Llr result = llr(pairs, elo0, elo1, model);
                CHECK((result.value ? std::isfinite(*result.value) : !result.reason.empty()));
            }
        }
    }
    CHECK(llr({{1, 0, 0, 0, 0}}, -1500, -500).value);
    CHECK(std::fabs(*llr({{1, 0, 0, 0, 0}}, -1500, -500).value) < 1);
    CHECK(llr({}, 0, 2).reason == "no data");
}

TEST_CASE("LLR: nothing but draws has the closed value -N ln(1 + t^2)") {
    const double t = t_of_nelo(10, 2);
    CHECK(*llr({{0, 0, 1000, 0, 0}}, 0, 10).value ==
          doctest::Approx(-1000 * std::log1p(t * t)).epsilon(1e-9));
}

TEST_CASE("LLR: one kind of result has its closed value, however far the bounds are") {
    const auto won = [](double t) { return std::log(0.5 + 0.5 * t / std::hypot(1, t)); };
    const auto drawn = [](double t) { return -std::log1p(t * t); };
    for (const double elo : {-600.0, -300.0, 5.0, 150.0, 235.0, 250.0, 260.0, 300.0, 340.0, 2e3}) {
        CAPTURE(elo);
        const double t0 = t_of_nelo(elo, 2);
        const double t1 = t_of_nelo(elo + 5, 2);
        CHECK(*llr({{0, 0, 0, 0, 100}}, elo, elo + 5).value ==
              doctest::Approx(100 * (won(t1) - won(t0))).epsilon(1e-8));
        CHECK(*llr({{100, 0, 0, 0, 0}}, elo, elo + 5).value ==
              doctest::Approx(100 * (won(-t1) - won(-t0))).epsilon(1e-8));
        CHECK(*llr({{0, 0, 100, 0, 0}}, elo, elo + 5).value ==
              doctest::Approx(100 * (drawn(t1) - drawn(t0))).epsilon(1e-8));
    }
    CHECK(*log_likelihood_ratio(sample_of(Wdl{5725, 0, 0}), Model::Normalized, 373.94, 375.471)
               .value == doctest::Approx(4.575).epsilon(1e-3));
}

TEST_CASE("LLR: the law is the likeliest one, not only likelier than its neighbours") {
    CHECK(*llr({{13, 56, 167, 53, 11}}, 240.06, 340.06).value ==
          doctest::Approx(-95.306).epsilon(1e-5));
    CHECK(*llr({{0, 4, 22, 21, 3}}, 494.86, 594.86).value == doctest::Approx(-7.853).epsilon(1e-4));
    CHECK(*llr({{1, 2, 6, 1, 0}}, 62.09, 162.09).value == doctest::Approx(-3.1127).epsilon(1e-4));
}

TEST_CASE("LLR: swapping the programs and the bounds changes its sign") {
    assay::Random random(3);
    for (int round = 0; round < 400; ++round) {
        Pentanomial pairs;
        for (int i = 0; i < 5; ++i) {
            pairs.add(i, random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(500)));
        }
        CAPTURE(round);
        for (const Model model : {Model::Normalized, Model::Logistic}) {
            const Llr a = llr(pairs, -3, 7, model);
            const Llr b = llr(pairs.mirrored(), -7, 3, model);
            REQUIRE(a.value.has_value() == b.value.has_value());
            if (a.value) CHECK(*a.value == doctest::Approx(-*b.value).epsilon(1e-7));
        }
    }
}

TEST_CASE("LLR: a better pair raises it") {
    const Pentanomial pairs{{20, 100, 200, 130, 25}};
    for (int category = 0; category < 4; ++category) {
        Pentanomial better = pairs;
        better.add(category, -1);
        better.add(category + 1, 1);
        for (const Model model : {Model::Normalized, Model::Logistic}) {
            CHECK(*llr(better, 0, 5, model).value > *llr(pairs, 0, 5, model).value);
        }
    }
}

TEST_CASE("LLR: finite or refused for every pattern of counts up to a billion") {
    constexpr std::int64_t kCounts[] = {0, 1, 1'000'000'000};
    for (int pattern = 0; pattern < 243; ++pattern) {
        Pentanomial pairs;
        for (int i = 0, rest = pattern; i < 5; ++i, rest /= 3) pairs.add(i, kCounts[rest % 3]);
        CAPTURE(pattern);
        for (const Model model : {Model::Normalized, Model::Logistic}) {
            const Llr result = llr(pairs, 0, 2, model);
            CHECK((result.value ? std::isfinite(*result.value) : !result.reason.empty()));
        }
        if (pattern % 9 != 0) continue;
        const Llr extreme = llr(pairs, -1500, -500);
        CHECK((extreme.value ? std::isfinite(*extreme.value) : !extreme.reason.empty()));
    }
}

TEST_CASE("LLR: a likelihood is never above the unconstrained one, for any few pairs") {
    // [1, 14, 16, 2, 1] sends Newton's first step exactly to the end of its range.
    CHECK(*log_likelihood_of_mean(sample_of(Pentanomial{{1, 14, 16, 2, 1}}), 0.5) ==
          doctest::Approx(-0.0791695753501).epsilon(1e-9));
    assay::Random random(29);
    for (int round = 0; round < 20'000; ++round) {
        Pentanomial pairs;
        for (int i = 0; i < 5; ++i) pairs.add(i, static_cast<std::int64_t>(random.below(20)));
        if (pairs.pairs() == 0) continue;
        const Sample sample = sample_of(pairs);
        const Moments moments = moments_of(sample);
        CAPTURE(round);
        const double at_half = *log_likelihood_of_mean(sample, 0.5);
        CHECK(at_half <= 0);
        // The likelihood falls away from the observed mean.
        const double between = *log_likelihood_of_mean(sample, 0.5 + 0.5 * moments.edge);
        CHECK(between >= at_half - 1e-12);
    }
}

TEST_CASE("LLR: a start from the pair before changes nothing but rounding") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        assay::Random random(seed);
        Pentanomial pairs;
        std::array<GlrStart, 2> starts;
        for (int i = 0; i < 60; ++i) {
            pairs.add(static_cast<int>(random.below(3) + random.below(3)));
            const Sample sample = sample_of(pairs);
            const Llr cold = log_likelihood_ratio(sample, Model::Normalized, 0, 10);
            const Llr warm =
                log_likelihood_ratio(sample, Model::Normalized, 0, 10, std::nullopt, &starts);
            CAPTURE(seed);
            CAPTURE(i);
            REQUIRE(cold.value.has_value() == warm.value.has_value());
            if (cold.value) CHECK(std::fabs(*cold.value - *warm.value) <= 1e-9);
        }
    }
}

TEST_CASE("LLR: distant bounds have the likelihood of the likeliest of all laws, cold and warm") {
    // Two maxima far apart and nearly as likely: (pairs, nElo).
    const Pentanomial twins{{1, 3, 61, 4, 3}};
    const double t = t_of_nelo(-344.934896, 2);
    CHECK(*log_likelihood_of_t(sample_of(twins), t) == doctest::Approx(-1.05068508233));
    assay::Random random(33);
    for (int round = 0; round < 300; ++round) {
        Pentanomial pairs;
        const bool is_drawish = random.below(2) == 0;
        const double nelo = (random.below(2) == 0 ? -1 : 1) * std::exp(2 + 4 * random.unit());
        GlrStart start;
        for (int i = 0; i < 12; ++i) {
            for (int n = 0; n < 4; ++n) {
                pairs.add(
                    static_cast<int>(is_drawish && random.below(8) > 0 ? 2 : random.below(5)));
            }
            const Sample sample = sample_of(pairs);
            const double wanted = t_of_nelo(nelo, 2);
            const auto cold = log_likelihood_of_t(sample, wanted);
            const auto warm = log_likelihood_of_t(sample, wanted, &start);
            const auto searched = search_log_likelihood_of_t(sample, wanted);
            CAPTURE(round);
            CAPTURE(nelo);
            REQUIRE(cold.has_value() == searched.has_value());
            REQUIRE(warm.has_value() == searched.has_value());
            if (!searched) continue;
            CHECK(*cold == doctest::Approx(searched->value).epsilon(1e-9));
            CHECK(*warm == doctest::Approx(searched->value).epsilon(1e-9));
        }
    }
}
