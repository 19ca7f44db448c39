#include "stats/test/sprt.h"

#include <cmath>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"

using namespace assay::stats;

namespace {

SprtSettings bounds(double elo0, double elo1) {
    SprtSettings settings;
    settings.elo0 = elo0;
    settings.elo1 = elo1;
    return settings;
}

}  // namespace

TEST_CASE("Sprt: a run of pairs ends at the first look past a bound, and stays there") {
    Sprt test(bounds(0, 30));
    assay::Random random(5);
    int pairs = 0;
    while (test.state() == Decision::Continue && pairs < 100'000) {
        test.add(static_cast<int>(1 + random.below(4)));
        ++pairs;
    }
    CHECK(test.state() == Decision::AcceptH1);
    const auto counted = test.pairs();
    for (int i = 0; i < 1000; ++i) test.add(0);
    CHECK(test.state() == Decision::AcceptH1);
    CHECK(test.pairs() == counted);
}

TEST_CASE("Sprt: with looks in batches nothing is decided between them") {
    SprtSettings settings = bounds(0, 30);
    settings.pairs_per_look = 32;
    Sprt test(settings);
    for (int i = 0; i < 31; ++i) test.add(4);
    CHECK_FALSE(test.llr().value);
    test.add(4);
    CHECK(test.llr().value);
}

TEST_CASE("Sprt: the ladder's correction stops no later than the plain test") {
    assay::Random random(11);
    for (int round = 0; round < 50; ++round) {
        SprtSettings settings = bounds(0, 40);
        settings.pairs_per_look = 8;
        Sprt corrected(settings);
        settings.ladder = false;
        Sprt plain(settings);
        for (int i = 0; i < 20'000 && plain.state() == Decision::Continue; ++i) {
            const int category = static_cast<int>(random.below(5));
            corrected.add(category);
            plain.add(category);
        }
        CHECK(corrected.state() != Decision::Continue);
        CHECK(corrected.pairs().pairs() <= plain.pairs().pairs());
    }
}

TEST_CASE("Sprt: bounds are moved by the mean square of a record's step over twice its mean") {
    assay::Random random(12);
    Sprt test(bounds(-20, 20));
    double record = 0;  // of the path upwards
    double sum = 0;
    double squares = 0;
    bool is_known = true;
    for (int i = 0; i < 300 && test.state() == Decision::Continue; ++i) {
        test.add(static_cast<int>(random.below(5)));
        const auto& llr = test.llr().value;
        if (llr && !is_known) record = *llr;
        is_known = llr.has_value();
        if (!llr || *llr <= record) continue;
        sum += *llr - record;
        squares += (*llr - record) * (*llr - record);
        record = *llr;
    }
    REQUIRE(sum > 0);
    CHECK(test.corrected_upper() == doctest::Approx(test.upper() - squares / (2 * sum)));
    CHECK(test.corrected_lower() > test.lower());
}

TEST_CASE("Sprt: one lost pair against extreme bounds keeps playing") {
    Sprt test(bounds(-1500, -500));
    CHECK(test.add(0) == Decision::Continue);
    CHECK(test.llr().value);
}

TEST_CASE("Sprt: swapped programs with mirrored bounds accept the other hypothesis") {
    assay::Random random(2);
    for (int round = 0; round < 20; ++round) {
        Sprt a(bounds(-10, 30));
        Sprt b(bounds(-30, 10));
        for (int i = 0; i < 50'000 && a.state() == Decision::Continue; ++i) {
            const int category = static_cast<int>(random.below(5));
            a.add(category);
            b.add(4 - category);
        }
        CHECK(a.state() != Decision::Continue);
        CHECK(a.pairs() == b.pairs().mirrored());
        CHECK((a.state() == Decision::AcceptH1) == (b.state() == Decision::AcceptH0));
    }
}

TEST_CASE("Sprt: settings that make no test are refused") {
    CHECK_THROWS_AS(Sprt(bounds(2, 2)), assay::Error);
    CHECK_THROWS_AS(Sprt(bounds(0, HUGE_VAL)), assay::Error);
    SprtSettings settings = bounds(0, 2);
    settings.alpha = 0.6;
    settings.beta = 0.4;
    CHECK_THROWS_AS(check_settings(settings), assay::Error);
    settings = bounds(0, 2);
    settings.pairs_per_look = 0;
    CHECK_THROWS_AS(check_settings(settings), assay::Error);
}

TEST_CASE("Sprt: with games as units, and with results before, the LLR is that of all counts") {
    SprtSettings settings;
    settings.model = Model::Logistic;
    settings.elo1 = 5;
    settings.compat = true;
    settings.by_games = true;
    settings.games_before = {10, 20, 5};
    Sprt by_games(settings);
    by_games.add(4);
    by_games.add(1);
    by_games.add(2, 0);
    const Llr games =
        log_likelihood_ratio(regularised(sample_of(Wdl{13, 21, 7})), Model::Logistic, 0, 5);
    REQUIRE(by_games.llr().value);
    CHECK(*by_games.llr().value == doctest::Approx(*games.value));

    settings.by_games = false;
    settings.pairs_before.counts = {1, 2, 3, 4, 5};
    Sprt by_pairs(settings);
    by_pairs.add(4);
    Pentanomial all;
    all.counts = {1, 2, 3, 4, 6};
    const Llr pairs = log_likelihood_ratio(regularised(sample_of(all)), Model::Logistic, 0, 5);
    CHECK(*by_pairs.llr().value == doctest::Approx(*pairs.value));
}
