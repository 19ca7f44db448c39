#include "stats/stop/time_left.h"

#include <cmath>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "stats/stop/boundary.h"
#include "stats/stop/exit_law.h"
#include "stats/stop/stop_rule.h"
#include "stats/test/sprt.h"

using namespace assay::stats;

namespace {

double left_of(const Boundary& boundary, const TestPlace& place) {
    return expected_time_left(
        [&](double tau) {
            return BoundsAt{boundary.lower(tau), boundary.upper(tau)};
        },
        place, boundary.horizon);
}

/// The closed form for straight bounds: (P b + (1 - P) a - x) / m, P the chance of the upper one.
double straight(double a, double b, double x, double m) {
    if (m == 0) return (b - x) * (x - a);
    const double up = std::expm1(-2 * m * (x - a)) / std::expm1(-2 * m * (b - a));
    return (up * b + (1 - up) * a - x) / m;
}

}  // namespace

TEST_CASE("Time left: from the beginning it is the mean of the law of the exit") {
    for (const Shape shape : {Shape::ClosingFastFail, Shape::Closing, Shape::Capped}) {
        const Boundary boundary = calibrated_boundary(shape, 0.05, 0.05);
        const ExitLaw law(boundary);
        for (const double drift : {-1.5, -0.5, 0.0, 0.5, 1.5}) {
            CAPTURE(name_of(shape));
            CAPTURE(drift);
            const double left = left_of(boundary, {0, 0, drift});
            CHECK(left == doctest::Approx(law.expected_tau(drift)).epsilon(0.02));
        }
    }
}

TEST_CASE("Time left: between straight bounds it has its closed form, wherever the test stands") {
    const double a = wald_lower(0.05, 0.05);
    const double b = wald_upper(0.05, 0.05);
    for (const double x : {-2.5, -1.0, 0.0, 2.0}) {
        for (const double m : {-2.0, -0.5, 0.0, 0.5, 3.0}) {
            CAPTURE(x);
            CAPTURE(m);
            const double left = expected_time_left(
                [&](double) {
                    return BoundsAt{a, b};
                },
                {7, x, m}, 107);
            CHECK(left == doctest::Approx(straight(a, b, x, m)).epsilon(0.03));
        }
    }
}

TEST_CASE("Time left: a bound that is near, met or passed, and the end of time") {
    const auto bounds = [](double) { return BoundsAt{-3, 3}; };
    CHECK(expected_time_left(bounds, {1, 3, 0.5}, 10) == 0);
    CHECK(expected_time_left(bounds, {1, -4, 0.5}, 10) == 0);
    CHECK(expected_time_left(bounds, {10, 0, 0.5}, 10) == 0);
    CHECK(expected_time_left(bounds, {1, 2.9, 0.5}, 10) < 0.6);
    // So near to the end that no path leaves before.
    CHECK(expected_time_left(bounds, {1, 0, 0}, 1.1) == doctest::Approx(0.1).epsilon(0.01));
}

TEST_CASE(
    "Stop rule: what is left falls to the cap, and a rule that has decided has nothing left") {
    BoundarySettings settings;
    settings.elo0 = 0;
    settings.elo1 = 20;
    const std::unique_ptr<StopRule> rule = make_boundary_rule(settings);
    CHECK_FALSE(rule->pairs_left(100'000));
    const std::int64_t cap = rule->cap().value();
    double last = 1e9;
    while (rule->pairs().pairs() < 640 && rule->decision() == Decision::Continue) {
        for (const int category : {0, 4, 2, 3, 1, 2, 2, 2}) rule->add(category);
        const auto left = rule->pairs_left(100'000);
        if (!left) {
            CHECK(rule->pairs().pairs() < kLeastUnits);
            continue;
        }
        CHECK(left->most == cap - rule->pairs().pairs());
        CHECK(left->expected > 0);
        CHECK(left->expected <= static_cast<double>(left->most));
        last = left->expected;
    }
    REQUIRE(rule->decision() == Decision::Continue);
    CHECK(last < 1e9);
    // A budget that ends first bounds both.
    const auto budget = rule->pairs_left(rule->pairs().pairs() + 10);
    REQUIRE(budget);
    CHECK(budget->most == 10);
    CHECK(budget->expected <= 10);
    while (rule->decision() == Decision::Continue) rule->add(4);
    CHECK_FALSE(rule->pairs_left(100'000));

    SprtSettings wald;
    wald.elo0 = 0;
    wald.elo1 = 20;
    const std::unique_ptr<StopRule> sprt = make_sprt_rule(wald);
    for (int i = 0; i < 10; ++i) {
        for (const int category : {0, 4, 2, 2, 3, 1}) sprt->add(category);
    }
    const auto left = sprt->pairs_left(10'000);
    REQUIRE(left);
    CHECK(left->most == 10'000 - 60);
    CHECK(left->expected < 9000);
    CHECK(left->expected > 100);
    CHECK_FALSE(make_fixed_rule(0.05, 100)->pairs_left(100));
}
