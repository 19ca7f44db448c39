#include "stats/stop/evidence.h"

#include <cmath>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "stats/data/elo.h"
#include "stats/plan/simulate.h"
#include "stats/stop/stop_rule.h"

using namespace assay::stats;

TEST_CASE("Evidence: a bet on one pair is fair at the hypothesis and loses below it") {
    // E[1 + th (X - s)] over the law's five outcomes, for the mixture of all stakes.
    const PairLaw law{.05, .25, .4, .25, .05};
    for (const double score : {0.5, 0.6}) {
        double mean = 0;
        for (int category = 0; category < kPairCategories; ++category) {
            Pentanomial one;
            one.add(category);
            mean += law[static_cast<std::size_t>(category)] *
                    std::exp(log_e_above(sample_of(one), score));
        }
        if (score == 0.5) CHECK(mean == doctest::Approx(1).epsilon(1e-12));
        if (score == 0.6) CHECK(mean < 1);
    }
}

TEST_CASE("Evidence: pair by pair is the same as from counts") {
    EProcess above(0.5, true);
    EProcess below(0.51, false);
    Pentanomial pairs;
    assay::Random random(3);
    for (int i = 0; i < 500; ++i) {
        const int category = static_cast<int>(random.below(5));
        pairs.add(category);
        above.add(category);
        below.add(category);
        CHECK(above.log_e() == doctest::Approx(log_e_above(sample_of(pairs), 0.5)).epsilon(1e-9));
        CHECK(below.log_e() == doctest::Approx(log_e_below(sample_of(pairs), 0.51)).epsilon(1e-9));
        CHECK(above.greatest() >= above.log_e());
    }
}

TEST_CASE("Evidence: the confidence sequence holds the mean, mirrors, and narrows") {
    const Pentanomial pairs{{40, 240, 440, 260, 60}};
    const ScoreRange range = confidence_sequence(sample_of(pairs));
    const ScoreRange mirrored = confidence_sequence(sample_of(pairs.mirrored()));
    const double mean = moments_of(sample_of(pairs)).mean;
    CHECK(range.low < mean);
    CHECK(mean < range.high);
    CHECK(range.low == doctest::Approx(1 - mirrored.high).epsilon(1e-9));
    CHECK(log_e_above(sample_of(pairs), range.low) == doctest::Approx(std::log(40)).epsilon(1e-6));
    const ScoreRange wide = confidence_sequence(sample_of(pairs), 0.001);
    CHECK(wide.low < range.low);
    CHECK(range.high < wide.high);
    const ScoreRange more =
        confidence_sequence(sample_of(Pentanomial{{400, 2400, 4400, 2600, 600}}));
    CHECK(more.high - more.low < range.high - range.low);
}

TEST_CASE("Evidence: one-sided, empty and huge samples stay finite") {
    CHECK(confidence_sequence(sample_of(Pentanomial{})).low == 0);
    CHECK(confidence_sequence(sample_of(Pentanomial{})).high == 1);
    const Pentanomial won{{0, 0, 0, 0, 50}};
    CHECK(confidence_sequence(sample_of(won)).high == 1);
    CHECK(confidence_sequence(sample_of(won)).low > 0.5);
    CHECK_FALSE(confidence_sequence_elo(sample_of(won)).high);
    const std::int64_t most = 1'000'000'000;
    for (const Pentanomial& pairs :
         {Pentanomial{{most, most, most, most, most}}, Pentanomial{{most, 0, 0, 0, 0}},
          Pentanomial{{0, 0, most, 0, 1}}, Pentanomial{{1, 0, 0, 0, most}}}) {
        const ScoreRange range = confidence_sequence(sample_of(pairs));
        const double mean = moments_of(sample_of(pairs)).mean;
        CHECK(range.low <= mean);
        CHECK(mean <= range.high);
        CHECK(std::isfinite(log_e_above(sample_of(pairs), 0.5)));
    }
}

TEST_CASE("Evidence: the rule keeps its errors when it looks after every pair") {
    SimulationSettings settings;
    settings.kind = SimulationSettings::Kind::Evidence;
    settings.evidence = {0, 0, 0.1, 0.1};
    settings.law = tilted_law(kBalancedLaw, 0);
    settings.runs = 200;
    settings.most_pairs = 2000;
    settings.seed = 4;
    const SimulationResult null = simulate(settings);
    CHECK(null.pass <= 0.1);
    CHECK(null.coverage >= 0.95);
    settings.law = tilted_law(kBalancedLaw, 60);
    const SimulationResult better = simulate(settings);
    CHECK(better.pass >= 0.95);
    CHECK(better.mean_pairs < 1500);
}

TEST_CASE("Evidence: the rule's p-value is at most alpha exactly where it accepted") {
    for (const double elo1 : {0.0, 3.0}) {
        for (const int seed : {1, 2, 3, 4}) {
            const auto rule = make_evidence_rule({0, elo1, 0.05, 0.05});
            CHECK_FALSE(rule->after_stop());
            CHECK(rule->state().state == "continue");
            assay::Random random(static_cast<std::uint64_t>(seed));
            for (int i = 0; i < 400 && rule->decision() == Decision::Continue; ++i) {
                rule->add(random.below(3) > 0 ? 3 : 1 + static_cast<int>(random.below(2)));
            }
            const auto after = rule->after_stop();
            REQUIRE(after);
            CHECK((rule->decision() == Decision::AcceptH1) == (after->p_value <= 0.05));
            CHECK_FALSE(after->los);
            CHECK(*after->elo.ci95.low <= *after->elo.value);
        }
    }
}

TEST_CASE("Evidence: swapping the programs mirrors the decision, and nonsense is refused") {
    const auto rule = make_evidence_rule({-1, 2, 0.05, 0.1});
    const auto mirror = make_evidence_rule({-2, 1, 0.1, 0.05});
    assay::Random random(5);
    for (int i = 0; i < 3000; ++i) {
        const int category = std::min(4, static_cast<int>(random.below(6)));
        rule->add(category);
        mirror->add(4 - category);
    }
    CHECK(rule->decision() == Decision::AcceptH1);
    CHECK(mirror->decision() == Decision::AcceptH0);
    CHECK(*rule->state().llr == doctest::Approx(-*mirror->state().llr));
    CHECK_THROWS_AS((void)make_evidence_rule({2, 0, 0.05, 0.05}), assay::Error);
    CHECK_THROWS_AS((void)make_evidence_rule({0, 2, 0, 0.05}), assay::Error);
    CHECK_THROWS_AS((void)make_evidence_rule({0, NAN, 0.05, 0.05}), assay::Error);
}
