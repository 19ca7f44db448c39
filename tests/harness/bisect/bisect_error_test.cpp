#include "harness/bisect/bisect_error.h"

#include <doctest/doctest.h>

using assay::harness::BisectOn;
using assay::harness::BisectRules;
using assay::harness::confidence_of;
using assay::harness::error_of_each;
using assay::harness::judgements_of;

TEST_CASE("Bisection: the bad end is judged, and one commit for each halving") {
    CHECK(judgements_of(1) == 1);
    CHECK(judgements_of(2) == 2);
    CHECK(judgements_of(3) == 3);
    CHECK(judgements_of(4) == 3);
    CHECK(judgements_of(5) == 4);
    CHECK(judgements_of(1000) == 11);
}

TEST_CASE("Bisection: as many judgements as were planned keep the confidence that was asked") {
    BisectRules rules;
    rules.error = error_of_each(0.95, judgements_of(1000));
    CHECK(confidence_of(rules, 11) == doctest::Approx(0.95));
    CHECK(confidence_of(rules, 1) == doctest::Approx(1 - 0.05 / 11));
    rules.error = 0.4;
    CHECK(confidence_of(rules, 3) == 0);
}

TEST_CASE("Bisection: only tests of strength and of speed can err") {
    BisectRules rules;
    rules.error = 0.01;
    for (const BisectOn on : {BisectOn::Query, BisectOn::Bench, BisectOn::Crash}) {
        rules.on = on;
        CHECK(confidence_of(rules, 9) == 1);
    }
    rules.on = BisectOn::Bench;
    rules.percent = -5;
    CHECK(confidence_of(rules, 2) == doctest::Approx(0.9));
}
