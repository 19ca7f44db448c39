#include "stats/stop/after_stop.h"

#include <cmath>
#include <memory>

#include <doctest/doctest.h>

using namespace assay::stats;

namespace {

struct Exit {
    char side;
    double tau, llr, p_value, middle, low, high;
};

constexpr Exit kExits[] = {
    {'U', 1.5, 3.1471, .00181, 1.9411, .3034, 3.5645},
    {'U', 4, 3.1232, .01747, .6278, -.4176, 1.6402},
    {'U', 8, 2.9469, .03426, .2278, -.5597, .9683},
    {'U', 14, 2.0685, .04574, .0459, -.6001, .6693},
    {'V', 1, -2.5184, .95624, -2.2743, -4.2778, -.2349},
    {'V', 2, -2.8879, .83294, -1.2222, -2.6560, .2672},
    {'V', 4, -3.2273, .58725, -.6182, -1.6452, .4834},
    {'V', 8, -3.2159, .25643, -.2497, -.9883, .5775},
    {'V', 14, -2.2751, .07395, -.0598, -.6640, .6112},
};

bool near(double value, double expected) {
    return std::fabs(value - expected) <= 5e-4 * std::fabs(expected) + 2e-4;
}

}  // namespace

TEST_CASE("After a stop: exits of closing-ff give the tabled estimates and p-values") {
    const Boundary boundary = calibrated_boundary(Shape::ClosingFastFail, 0.05, 0.05);
    const auto law = std::make_shared<const ExitLaw>(boundary);
    for (const Exit& exit : kExits) {
        CAPTURE(exit.side);
        CAPTURE(exit.tau);
        const auto place =
            exit.side == 'U' ? Outcome::Place::AcceptedH1 : Outcome::Place::AcceptedH0;
        const auto probability = outcome_probability(law, {place, exit.tau, exit.llr});
        CHECK(near(1 - probability(-0.5), exit.p_value));
        CHECK(near(*drift_with_probability(probability, 0.5), exit.middle));
        CHECK(near(*drift_with_probability(probability, 0.975), exit.low));
        CHECK(near(*drift_with_probability(probability, 0.025), exit.high));
        const double bound = exit.side == 'U' ? boundary.upper(exit.tau) : boundary.lower(exit.tau);
        CHECK(std::fabs(bound - exit.llr) <= 2e-4);
    }
}

TEST_CASE("After a stop: outcomes are ordered, and the p-value agrees with the verdict") {
    for (const Shape shape : {Shape::ClosingFastFail, Shape::Capped}) {
        const Boundary boundary = calibrated_boundary(shape, 0.05, 0.05);
        const auto law = std::make_shared<const ExitLaw>(boundary);
        double last = -1;
        const auto at = [&](Outcome outcome) {
            const double f = outcome_probability(law, outcome)(-0.5);
            CHECK(f >= last - 1e-9);
            last = f;
            return 1 - f;
        };
        using Place = Outcome::Place;
        const double horizon = boundary.horizon;
        for (const double tau : {0.5, 6.0}) {
            CHECK(at({Place::AcceptedH0, tau, 0}) > 0.05);
        }
        CHECK(at({Place::AtHorizon, horizon, boundary.centre - 0.01}) > 0.05 - 1e-5);
        CHECK(at({Place::AtHorizon, horizon, boundary.centre + 1e-6}) <= 0.0501);
        for (const double tau : {6.0, 0.5}) {
            CHECK(at({Place::AcceptedH1, tau, 0}) <= 0.05001);
        }
    }
}

TEST_CASE("After a stop: a test that still runs is estimated, whatever its time") {
    const Boundary boundary = calibrated_boundary(Shape::ClosingFastFail, 0.05, 0.05);
    const DriftScale scale{Model::Normalized, 0, 2, 0.26};
    for (const double tau : {1e-4, 0.01, 1.0, 19.9}) {
        for (const double share : {0.1, 0.9}) {
            const double low = boundary.lower(tau);
            const double llr = low + share * (boundary.upper(tau) - low);
            const AfterStop after = after_stop(
                outcome_probability(boundary, {Outcome::Place::Running, tau, llr}), scale, 100);
            CAPTURE(tau);
            CAPTURE(share);
            REQUIRE(after.nelo.value);
            REQUIRE(after.nelo.ci95.low);
            REQUIRE(after.nelo.ci95.high);
            CHECK(*after.nelo.ci95.low < *after.nelo.value);
            CHECK(*after.nelo.value < *after.nelo.ci95.high);
            CHECK(after.p_value >= 0);
            CHECK(after.p_value <= 1);
        }
    }
}

TEST_CASE("After a stop: Wald's series and images meet, and outcomes mirror") {
    for (const double tau : {0.3, 0.34, 0.36, 2.0, 20.0}) {
        for (const double llr : {-2.9, -1.0, 0.0, 1.5, 2.9}) {
            for (const double drift : {-3.0, -0.5, 0.0, 0.7, 2.7}) {
                const double f = wald_outcome_probability(-2.9, 2.9, tau, llr)(drift);
                const double g = wald_outcome_probability(-2.9, 2.9, tau, -llr)(-drift);
                CHECK(std::fabs(f + g - 1) <= 1e-6);
            }
        }
    }
    const double below = wald_outcome_probability(-2.9, 2.9, 0.3363, 0.4)(0.3);
    const double above = wald_outcome_probability(-2.9, 2.9, 0.3365, 0.4)(0.3);
    CHECK(std::fabs(below - above) < 1e-4);
}
