#include "stats/plan/sample_size.h"

#include <cmath>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "stats/stop/capped.h"
#include "stats/stop/exit_law.h"

using namespace assay::stats;

TEST_CASE("Plan: the default prior's cost of closing-ff and of Wald's test is the tabled one") {
    const TestPlan closing = plan_boundary(Shape::ClosingFastFail, 0, 2, 0.05, 0.05);
    CHECK(closing.prior.mean_pairs == doctest::Approx(58'108).epsilon(1e-3));
    CHECK(closing.pairs_per_improvement() == doctest::Approx(341'516).epsilon(1e-3));
    CHECK(*closing.cap == doctest::Approx(301'777).epsilon(1e-4));
    CHECK(closing.middle.pairs_999 == doctest::Approx(281'000).epsilon(0.01));
    const TestPlan wald = plan_wald(0, 2, 0.05, 0.05);
    CHECK(wald.prior.mean_pairs == doctest::Approx(59'460).epsilon(1e-3));
    CHECK(wald.pairs_per_improvement() == doctest::Approx(352'536).epsilon(1e-3));
    CHECK(wald.middle.pairs_999 == doctest::Approx(758'000).epsilon(0.01));
    CHECK_FALSE(wald.cap);
}

TEST_CASE("Plan: a capped test's three quantities derive each other") {
    CHECK(capped_width(5'000, 0.05, 0.05) == doctest::Approx(12.53).epsilon(1e-3));
    CHECK(capped_width(20'000, 0.05, 0.05) == doctest::Approx(6.26).epsilon(1e-3));
    CHECK(capped_width(2'400, 0.05, 0.05) == doctest::Approx(18.1).epsilon(2e-3));
    CHECK(cap_in_pairs(Shape::Capped, 10, 0.05, 0.05) == 7847);
    const double width = capped_width(10'000, 0.05, 0.05);
    CHECK(capped_error(10'000, width) == doctest::Approx(0.05).epsilon(1e-3));
    CHECK(cap_in_pairs(Shape::Capped, width, 0.05, 0.05) == doctest::Approx(10'000).epsilon(1e-3));
    CHECK(std::fabs(capped_error(8 * 60'355, 1) - .099) < 1e-3);
    CHECK_THROWS_AS((void)capped_error(10, 1), assay::Error);
}

TEST_CASE("Plan: a fixed number of pairs, and an interval's width, follow the normal law") {
    CHECK(fixed_pairs(5, 0.05, 0.8) == doctest::Approx(18950).epsilon(1e-3));
    CHECK(half_width_of_pairs(pairs_for_half_width(7)) == doctest::Approx(7));
    CHECK(half_width_of_pairs(50) == doctest::Approx(68.1).epsilon(1e-3));
}

TEST_CASE("Plan: a game's variance falls with draws and with the openings' bias") {
    CHECK(*game_variance(0, 0) == doctest::Approx(0.25));
    CHECK(*game_variance(0.5, 0) == doctest::Approx(0.125));
    CHECK(*game_variance(0.49, 191) == doctest::Approx(0.064937).epsilon(1e-3));
    CHECK_FALSE(game_variance(0.9, 400));
}

TEST_CASE("Plan: a prior of any width gives what its drifts give") {
    // Nearly all changes lie far from the bounds: they pass as often as they are above the middle.
    for (const TestPlan& plan : {plan_boundary(Shape::ClosingFastFail, 0, 2, .05, .05, {0, 1e4}),
                                 plan_wald(0, 2, .05, .05, {0, 1e4})}) {
        CHECK(plan.prior.pass == doctest::Approx(0.5 - 0.4 / 1e4).epsilon(0.01));
        CHECK(plan.prior.mean_pairs > 0);
        CHECK(plan.prior.mean_pairs < plan.at_e0.mean_pairs);
        CHECK(plan.prior.pairs_95 <= plan.prior.pairs_999);
        CHECK(plan.improvement <= plan.prior.pass);
    }
    const ExitLaw law(calibrated_boundary(Shape::ClosingFastFail, .05, .05), SolverGrid::coarse());
    for (const double sd : {20.0, 50.0}) {
        CAPTURE(sd);
        const ExitLaw::Prior prior{-0.5, sd / 2};  // bounds 0 and 2
        CHECK(law.pass_probability(prior) == doctest::Approx(0.5 - 0.4 / sd).epsilon(0.01));
        CHECK(law.expected_tau(prior) > 0);
        CHECK(law.expected_tau(prior) < law.expected_tau(-0.5));
        CHECK(law.quantile_tau(prior, 0.95) <= law.quantile_tau(prior, 0.999));
        CHECK(law.pass_probability_above(prior, -0.5) <= law.pass_probability(prior));
    }
    const TestPlan narrow = plan_boundary(Shape::Capped, 0, 0.15, .05, .05);
    CHECK(narrow.prior.pass == doctest::Approx(0.319).epsilon(0.02));
    // Both ways of summing agree where they meet.
    const ExitLaw closing(calibrated_boundary(Shape::Closing, .05, .05), SolverGrid::coarse());
    const ExitLaw::Prior below{0, 2.9995};
    const ExitLaw::Prior above{0, 3.0005};
    CHECK(closing.pass_probability(below) ==
          doctest::Approx(closing.pass_probability(above)).epsilon(1e-3));
    CHECK(closing.expected_tau(below) ==
          doctest::Approx(closing.expected_tau(above)).epsilon(1e-2));
    CHECK(closing.quantile_tau(below, 0.95) ==
          doctest::Approx(closing.quantile_tau(above, 0.95)).epsilon(1e-2));
    CHECK_THROWS_AS(static_cast<void>(plan_boundary(Shape::Capped, 0, 1e-300, .05, .05)),
                    assay::Error);
    CHECK_THROWS_AS(static_cast<void>(plan_wald(0, 2, .05, .05, {0, HUGE_VAL})), assay::Error);
}

TEST_CASE("Plan: bounds however close have a cap that is a number of pairs") {
    CHECK(cap_in_pairs(Shape::Capped, 1e-7, .05, .05) > 1'000'000'000'000'000'000);
    CHECK(cap_in_pairs(Shape::Capped, 1e-200, .05, .05) > 1'000'000'000'000'000'000);
}
