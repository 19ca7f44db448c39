#include "stats/stop/boundary.h"

#include <cmath>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "stats/data/normal.h"
#include "stats/stop/exit_law.h"
#include "stats/stop/stop_rule.h"

using namespace assay::stats;

namespace {

/// A row of docs/statistics.md section 8; expected times belong to closing-ff and capped.
struct Row {
    double alpha, beta, horizon, centre;
    double closing_upper, closing_lower;
    double ff_upper, ff_lower, ff_tau[3];
    double capped_horizon, capped_upper, capped_lower, capped_tau[3];
};

constexpr Row kRows[] = {
    // clang-format off
    {.05, .05, 20.0000, 0, 3.1360, 3.1360, 3.1484, 3.4643, {5.439, 8.013, 5.417},
     13.0000, 3.4746, 3.4746, {5.764, 7.909, 5.764}},
    {.10, .10, 12.1408, 0, 2.3711, 2.3711, 2.3836, 2.6053, {3.610, 4.642, 3.604},
     7.8915, 2.6543, 2.6543, {3.837, 4.710, 3.837}},
    {.001, .001, 70.5924, 0, 7.0513, 7.0513, 7.0541, 7.9855, {14.152, 35.969, 13.872},
     45.8850, 7.4059, 7.4059, {14.436, 31.141, 14.436}},
    {.01, .05, 29.1447, 1.3532, 4.7816, 3.1492, 4.7974, 3.6411, {6.003, 12.089, 8.495},
     18.9440, 5.1109, 3.5478, {6.477, 11.509, 8.866}},
    {.10, .05, 15.8265, -.5316, 2.4238, 3.0889, 2.4338, 3.3407, {4.866, 6.113, 4.092},
     10.2872, 2.7552, 3.3784, {5.120, 6.152, 4.419}},
    // clang-format on
};

/// The tabled boundary of a shape, by the constants of the same section.
Boundary tabled(Shape shape, const Row& row) {
    Boundary boundary;
    boundary.horizon = row.horizon;
    boundary.centre = row.centre;
    if (shape == Shape::Closing) {
        boundary.a_upper = row.closing_upper;
        boundary.a_lower = row.closing_lower;
    } else if (shape == Shape::ClosingFastFail) {
        boundary.a_upper = row.ff_upper;
        boundary.a_lower = row.ff_lower;
        boundary.dip = 0.45;
        boundary.dip_time = row.horizon / 10;
    } else {
        boundary.horizon = row.capped_horizon;
        boundary.a_upper = row.capped_upper;
        boundary.a_lower = row.capped_lower;
        boundary.power = 4;
        boundary.rest = 0.2;
    }
    return boundary;
}

void check_expected(const ExitLaw& law, const double (&tau)[3]) {
    CHECK(law.expected_tau(-0.5) == doctest::Approx(tau[0]).epsilon(4e-4));
    CHECK(law.expected_tau(0.0) == doctest::Approx(tau[1]).epsilon(4e-4));
    CHECK(law.expected_tau(0.5) == doctest::Approx(tau[2]).epsilon(4e-4));
}

}  // namespace

TEST_CASE("Boundary: the tabled amplitudes have their errors and expected times") {
    for (const Row& row : kRows) {
        for (const Shape shape : {Shape::Closing, Shape::ClosingFastFail, Shape::Capped}) {
            CAPTURE(row.alpha);
            CAPTURE(row.beta);
            CAPTURE(name_of(shape));
            const Boundary boundary = tabled(shape, row);
            const double horizon = horizon_of(shape, row.alpha, row.beta);
            CHECK(boundary.horizon == doctest::Approx(horizon).epsilon(1e-5));
            const ExitLaw law(boundary, SolverGrid::coarse());
            // An amplitude raised by 1 divides its error by about e.
            CHECK(law.pass_probability(-0.5) == doctest::Approx(row.alpha).epsilon(3e-4));
            CHECK(law.fail_probability(0.5) == doctest::Approx(row.beta).epsilon(3e-4));
            if (shape == Shape::ClosingFastFail) check_expected(law, row.ff_tau);
            if (shape == Shape::Capped) check_expected(law, row.capped_tau);
        }
    }
}

TEST_CASE("Boundary: calibration finds the tabled boundary, for equal and for other errors") {
    for (const Row& row : {kRows[2], kRows[3]}) {
        for (const Shape shape : {Shape::Closing, Shape::ClosingFastFail, Shape::Capped}) {
            CAPTURE(row.alpha);
            CAPTURE(name_of(shape));
            const Boundary found = calibrated_boundary(shape, row.alpha, row.beta);
            const Boundary expected = tabled(shape, row);
            CHECK(found.horizon == doctest::Approx(expected.horizon).epsilon(1e-5));
            CHECK(std::fabs(found.centre - expected.centre) <= 1e-4);
            CHECK(std::fabs(found.a_upper - expected.a_upper) <= 3e-4);
            CHECK(std::fabs(found.a_lower - expected.a_lower) <= 3e-4);
            CHECK(found.power == expected.power);
            CHECK(found.rest == expected.rest);
            CHECK(found.dip == expected.dip);
        }
    }
}

TEST_CASE("Boundary: the mirror is fast fail with everything swapped") {
    const Boundary fast = calibrated_boundary(Shape::ClosingFastFail, 0.02, 0.08);
    const Boundary mirror = calibrated_boundary(Shape::ClosingFastFailMirror, 0.08, 0.02);
    for (const double tau : {0.0, 0.5, 3.0, 10.0}) {
        CHECK(mirror.upper(tau) == doctest::Approx(-fast.lower(tau)).epsilon(1e-4));
        CHECK(mirror.lower(tau) == doctest::Approx(-fast.upper(tau)).epsilon(1e-4));
    }
}

TEST_CASE("Boundary: pass probabilities and times over the drifts are the tabled ones") {
    constexpr double kDrifts[] = {-1.5, -1, -.75, -.5, -.25, 0, .25, .5, 1, 1.5};

    struct Curve {
        Shape shape;
        double pass[10];
        double tau[10];
    };

    constexpr Curve kCurves[] = {
        {Shape::ClosingFastFail,
         {.0001, .0019, .0100, .0500, .1995, .5075, .8089, .9500, .9966, .9997},
         {1.840, 2.930, 3.935, 5.439, 7.184, 8.013, 7.111, 5.417, 3.104, 2.093}},
        {Shape::Closing,
         {.0001, .0020, .0101, .0500, .1969, .5000, .8031, .9500, .9980, .9999},
         {2.086, 3.099, 4.020, 5.403, 7.033, 7.848, 7.033, 5.403, 3.099, 2.086}},
        {Shape::Capped,
         {.0000, .0012, .0082, .0500, .2023, .5000, .7977, .9500, .9988, 1.0000},
         {2.311, 3.420, 4.396, 5.764, 7.228, 7.909, 7.228, 5.764, 3.420, 2.311}}};
    for (const Curve& curve : kCurves) {
        const ExitLaw law(tabled(curve.shape, kRows[0]));
        for (int i = 0; i < 10; ++i) {
            CAPTURE(kDrifts[i]);
            CHECK(std::fabs(law.pass_probability(kDrifts[i]) - curve.pass[i]) <= 1.01e-4);
            CHECK(std::fabs(law.expected_tau(kDrifts[i]) - curve.tau[i]) <= 2e-3);
        }
    }
}

TEST_CASE("Boundary: any errors are met, equal or not, and other ones refused") {
    struct Asked {
        Shape shape;
        double alpha, beta;
    };

    for (const Asked& asked : {Asked{Shape::Closing, 1e-6, 0.02},
                               {Shape::Capped, 0.3, 0.003},
                               {Shape::ClosingFastFail, 0.07, 0.3},
                               {Shape::ClosingFastFail, 0.49, 0.02}}) {
        CAPTURE(asked.alpha);
        const ExitLaw law(calibrated_boundary(asked.shape, asked.alpha, asked.beta),
                          SolverGrid::coarse());
        CHECK(law.pass_probability(-0.5) == doctest::Approx(asked.alpha).epsilon(1e-3));
        CHECK(law.fail_probability(0.5) == doctest::Approx(asked.beta).epsilon(1e-3));
    }
    CHECK_THROWS_AS((void)calibrated_boundary(Shape::Closing, 0, 0.05), assay::Error);
    CHECK_THROWS_AS((void)calibrated_boundary(Shape::Closing, 0.05, 0.5), assay::Error);
    CHECK_THROWS_AS((void)calibrated_boundary(Shape::Closing, std::nan(""), 0.5), assay::Error);
}

TEST_CASE("Exit law: flat bounds give Wald's error rates and times") {
    Boundary flat;
    flat.horizon = 120;
    flat.a_upper = std::log(19.0);
    flat.a_lower = std::log(19.0);
    flat.rest = 1;
    const ExitLaw law(flat);
    CHECK(law.pass_probability(-0.5) == doctest::Approx(0.05).epsilon(1e-4));
    CHECK(law.expected_tau(-0.5) == doctest::Approx(5.29999).epsilon(1e-4));
    CHECK(law.expected_tau(0.0) == doctest::Approx(8.66972).epsilon(1e-4));
}

TEST_CASE("Boundary: errors that no quantile has are refused before a look is chosen") {
    for (const double error : {0.0, 5e-324, 0.5, 0.97, std::nan("")}) {
        CHECK_THROWS_AS((void)horizon_of(Shape::Capped, 0.05, error), assay::Error);
        BoundarySettings settings;
        settings.alpha = error;
        CHECK_THROWS_AS((void)make_boundary_rule(settings), assay::Error);
    }
    // Bounds that nearly touch: more pairs than can be counted, and no overflow.
    BoundarySettings close;
    close.elo1 = 1e-8;
    CHECK(*make_boundary_rule(close)->cap() == 9'000'000'000'000'000'000);
}
