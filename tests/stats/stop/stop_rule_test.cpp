#include "stats/stop/stop_rule.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "stats/stop/capped.h"

using namespace assay::stats;

namespace {

BoundarySettings settings(Shape shape, double elo0, double elo1) {
    BoundarySettings settings;
    settings.shape = shape;
    settings.elo0 = elo0;
    settings.elo1 = elo1;
    return settings;
}

/// Categories with the given tilt towards wins, in [-1, 1].
int draw_category(assay::Random& random, double tilt) {
    int category = 0;
    for (int i = 0; i < 4; ++i) category += random.unit() < 0.5 + 0.5 * tilt ? 1 : 0;
    return category;
}

}  // namespace

TEST_CASE("Stop rule: strong, weak and equal programs end each rule as they should") {
    for (const Shape shape :
         {Shape::Closing, Shape::ClosingFastFail, Shape::ClosingFastFailMirror, Shape::Capped}) {
        const auto calibrated = make_boundary_rule(settings(shape, -10, 10));
        REQUIRE(calibrated->cap());
        for (const double tilt : {-0.2, 0.2}) {
            assay::Random random(17);
            const auto rule = calibrated->fresh();
            while (rule->decision() == Decision::Continue) rule->add(draw_category(random, tilt));
            CHECK(rule->decision() == (tilt > 0 ? Decision::AcceptH1 : Decision::AcceptH0));
            const TestState state = rule->state();
            CHECK(state.rule == name_of(shape));
            CHECK(state.state == (tilt > 0 ? "accepted H1" : "accepted H0"));
            CHECK_FALSE(state.at_cap);
            if (tilt > 0) CHECK(*state.llr >= *state.corrected_upper);
            if (tilt < 0) CHECK(*state.llr <= *state.corrected_lower);
            const auto after = rule->after_stop();
            REQUIRE(after);
            CHECK((after->p_value <= 0.05) == (tilt > 0));
            CHECK((*after->nelo.value > 0) == (tilt > 0));
        }
    }
}

TEST_CASE("Stop rule: the bounds told beforehand are those of its looks") {
    const auto wide = capped_width(20, 0.05, 0.05);
    for (const BoundarySettings& chosen :
         {settings(Shape::Closing, -10, 10), settings(Shape::ClosingFastFailMirror, -12, 8),
          settings(Shape::Capped, 0, 50), settings(Shape::Capped, -wide, 0)}) {
        const auto rule = make_boundary_rule(chosen);
        assay::Random random(5);
        int looks = 0;
        std::optional<double> last;
        while (rule->decision() == Decision::Continue) {
            rule->add(draw_category(random, 0));
            const TestState state = rule->state();
            if (state.llr && state.llr != last) {
                const auto told = rule->bounds_after(rule->pairs().pairs());
                REQUIRE(told);
                CHECK(told->lower == *state.lower);
                CHECK(told->upper == *state.upper);
                ++looks;
            }
            last = state.llr;
        }
        CHECK(looks > 2);
    }
    CHECK_FALSE(make_fixed_rule(0.05, 10)->bounds_after(10));
}

TEST_CASE("Stop rule: the last look comes at exactly the cap") {
    const auto rule = make_boundary_rule(settings(Shape::Capped, 0, 50));
    const std::int64_t cap = *rule->cap();
    CHECK(cap == std::ceil(13.0 * kPairsPerTau / 2500));
    // Half way between the bounds: 25 nElo = 0.102 of a pair's standard deviation.
    std::int64_t count = 0;
    double owed = 0;
    while (rule->decision() == Decision::Continue) {
        owed += 0.55;
        const bool win = owed >= 1;
        if (win) owed -= 1;
        rule->add(win ? 4 : 0);
        ++count;
        REQUIRE(count <= cap);
    }
    CHECK(count == cap);
    CHECK(rule->state().at_cap);
    const auto after = rule->after_stop();
    REQUIRE(after);
    CHECK((after->p_value <= 0.05) == (rule->decision() == Decision::AcceptH1));
    rule->add(0);
    CHECK(rule->pairs().pairs() == cap);
}

TEST_CASE("Stop rule: at the cap the centre decides, which errors of two sizes move from 0") {
    for (const bool is_lax : {false, true}) {
        CAPTURE(is_lax);
        BoundarySettings unequal = settings(Shape::Capped, 0, 50);
        unequal.alpha = is_lax ? 0.2 : 0.05;
        unequal.beta = is_lax ? 0.05 : 0.2;
        const auto calibrated = make_boundary_rule(unequal);
        // Half of the difference of the squared quantiles of both errors.
        const double centre = (is_lax ? -1 : 1) * 0.5 * (1.644854 * 1.644854 - 0.841621 * 0.841621);
        int between = 0;
        for (double share = 0.5; share < 0.6; share += 0.001) {
            const auto rule = calibrated->fresh();
            double owed = 0;
            while (rule->decision() == Decision::Continue) {
                owed += share;
                rule->add(owed >= 1 ? 4 : 0);
                if (owed >= 1) owed -= 1;
            }
            const TestState state = rule->state();
            if (!state.at_cap) continue;
            REQUIRE(state.llr);
            CHECK((rule->decision() == Decision::AcceptH1) == (*state.llr >= centre));
            if (*state.llr > std::min(0.0, centre) && *state.llr < std::max(0.0, centre)) ++between;
        }
        CHECK(between > 0);
    }
}

TEST_CASE("Stop rule: one-sided and drawn results end by the cap, without NaN") {
    for (const Shape shape : {Shape::ClosingFastFail, Shape::Capped}) {
        const auto calibrated = make_boundary_rule(settings(shape, -1.75, 0.25));
        for (const int category : {0, 2, 4}) {
            const auto rule = calibrated->fresh();
            while (rule->decision() == Decision::Continue) rule->add(category);
            if (category == 4) CHECK(rule->decision() == Decision::AcceptH1);
            if (category == 0) CHECK(rule->decision() == Decision::AcceptH0);
            const TestState state = rule->state();
            CHECK((!state.llr || std::isfinite(*state.llr)));
        }
    }
    const auto extreme = make_boundary_rule(settings(Shape::ClosingFastFail, -1500, -500));
    extreme->add(0);
    const TestState state = extreme->state();
    CHECK((!state.llr || std::isfinite(*state.llr)));
}

TEST_CASE("Stop rule: swapped programs and mirrored bounds give the mirrored decision") {
    assay::Random random(23);
    const auto fast = make_boundary_rule(settings(Shape::ClosingFastFail, 0, 40));
    const auto mirror = make_boundary_rule(settings(Shape::ClosingFastFailMirror, -40, 0));
    for (int round = 0; round < 3; ++round) {
        const auto a = fast->fresh();
        const auto b = mirror->fresh();
        while (a->decision() == Decision::Continue) {
            const int category = draw_category(random, 0.03);
            a->add(category);
            b->add(4 - category);
        }
        CHECK(b->pairs() == a->pairs().mirrored());
        CHECK((a->decision() == Decision::AcceptH1) == (b->decision() == Decision::AcceptH0));
    }
}

TEST_CASE("Stop rule: logistic bounds take their time from the variance that is seen") {
    BoundarySettings logistic = settings(Shape::Closing, -20, 20);
    logistic.model = Model::Logistic;
    const auto rule = make_boundary_rule(logistic);
    CHECK_FALSE(rule->cap());
    assay::Random random(4);
    int pairs = 0;
    while (rule->decision() == Decision::Continue && pairs < 100'000) {
        rule->add(draw_category(random, 0));
        ++pairs;
    }
    CHECK(rule->decision() != Decision::Continue);
    CHECK(rule->after_stop());
}

TEST_CASE("Stop rule: sprt keeps its estimate in line with its verdict") {
    SprtSettings sprt;
    sprt.elo0 = 0;
    sprt.elo1 = 30;
    const auto rule = make_sprt_rule(sprt);
    assay::Random random(9);
    while (rule->decision() == Decision::Continue) rule->add(draw_category(random, 0.2));
    CHECK(rule->decision() == Decision::AcceptH1);
    CHECK_FALSE(rule->cap());
    const auto after = rule->after_stop();
    REQUIRE(after);
    CHECK(after->p_value <= 0.05);
    CHECK(rule->state().rule == "sprt");
}

TEST_CASE("Stop rule: a Bayesian sprt waits until both programs have won") {
    SprtSettings sprt;
    sprt.model = Model::Bayesian;
    sprt.elo1 = 50;
    const auto rule = make_sprt_rule(sprt);
    rule->add(4);
    CHECK_FALSE(rule->state().llr);
    CHECK_FALSE(rule->state().reason.empty());
    rule->add(1);
    CHECK(rule->state().llr);
}

TEST_CASE("Stop rule: fixed decides after all pairs alone, none never") {
    const auto fixed = make_fixed_rule(0.05, 10);
    for (int i = 0; i < 9; ++i) CHECK(fixed->add(4) == Decision::Continue);
    CHECK(fixed->add(3) == Decision::AcceptH1);
    const auto undecided = make_fixed_rule(0.05, 4);
    for (int i = 0; i < 4; ++i) undecided->add(4);
    CHECK(undecided->decision() == Decision::Continue);
    CHECK(undecided->state().at_cap);
}

TEST_CASE("Stop rule: looks lie close together, and settings that make no test are refused") {
    CHECK(default_pairs_per_look(settings(Shape::Closing, 0, 10)) == 8);
    CHECK(default_pairs_per_look(settings(Shape::Closing, 0, 2)) == 32);
    CHECK(default_pairs_per_look(settings(Shape::Closing, 0, 100)) == 1);
    CHECK_THROWS_AS((void)make_boundary_rule(settings(Shape::Closing, 2, 0)), assay::Error);
    BoundarySettings logistic = settings(Shape::Capped, 0, 2);
    logistic.model = Model::Logistic;
    CHECK_THROWS_AS((void)make_boundary_rule(logistic), assay::Error);
    CHECK_THROWS_AS((void)make_fixed_rule(0, 10), assay::Error);
    CHECK_THROWS_AS((void)make_fixed_rule(0.05, 0), assay::Error);
}
