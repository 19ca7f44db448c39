// What must hold of every question that `assay stats` answers, where the tests of its own file do
// not say it: monotone, mirrored under swapping the programs, the same in any order, finite.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "stats/estimate/rating.h"
#include "stats/plan/sample_size.h"
#include "stats/plan/simulate.h"
#include "stats/stop/after_stop.h"
#include "stats/stop/exit_law.h"
#include "stats/test/multiple.h"
#include "stats/test/sign_flip.h"
#include "stats/test/sprt.h"
#include "stats/test/trinomial.h"

using namespace assay;
using namespace assay::stats;

TEST_CASE("Properties: a sign-flip p falls with the score, and is a chance up to a billion") {
    for (const std::int64_t half : {3, 40, 500}) {
        double last = 1;
        for (std::int64_t won = half; won <= 2 * half; ++won) {
            const double p = sign_flip_test(Pentanomial{{0, 2 * half - won, 7, won, 0}}).p_value;
            CHECK(p <= last + 1e-12);
            last = p;
        }
    }
    for (const Pentanomial& pairs :
         {Pentanomial{}, Pentanomial{{0, 0, 7, 0, 0}}, Pentanomial{{1, 0, 0, 1000, 0}},
          Pentanomial{{1'000'000'000, 1, 0, 0, 999'999'000}},
          Pentanomial{{0, 1'000'000'000, 0, 1'000'000'000, 1}}}) {
        const SignFlip test = sign_flip_test(pairs);
        CHECK(test.p_value >= 0);
        CHECK(test.p_value <= 1);
        CHECK(test.mid_p >= 0);
        CHECK(test.mid_p <= test.p_value + 1e-12);
    }
}

TEST_CASE(
    "Properties: between equals a score and its mirror have the same p, with p and r swapped") {
    for (const std::int64_t score : {-9, -1, 0, 4, 17}) {
        const TrinomialTest one = trinomial_test(60, score, {.40, .25}, .05);
        const TrinomialTest other = trinomial_test(60, -score, {.35, .25}, .05);
        CHECK(one.p_value == doctest::Approx(other.p_value).epsilon(1e-12));
        CHECK(one.critical_score == other.critical_score);
    }
}

TEST_CASE("Properties: a boundary's bounds and its horizon grow as the errors fall") {
    // The mirror of fast fail is fast fail with everything swapped, which has a test of its own.
    for (const Shape shape : {Shape::Closing, Shape::ClosingFastFail, Shape::Capped}) {
        const Boundary large = calibrated_boundary(shape, .2, .2);
        const Boundary small = calibrated_boundary(shape, 1e-6, 1e-6);
        CHECK(small.horizon > large.horizon);
        CHECK(small.a_upper > large.a_upper);
        CHECK(small.a_lower > large.a_lower);
        CHECK(large.a_upper + large.a_lower > 0);
        CHECK(std::isfinite(small.a_upper + small.a_lower));
        // Alpha alone moves its own bound up.
        CHECK(calibrated_boundary(shape, .01, .2).a_upper > large.a_upper);
    }
}

TEST_CASE("Properties: a plan mirrors, passes more often for the stronger, and ends for all") {
    const TestPlan plan = plan_boundary(Shape::ClosingFastFail, 0, 3, .05, .1, {-1, 2});
    const TestPlan mirror = plan_boundary(Shape::ClosingFastFailMirror, -3, 0, .1, .05, {1, 2});
    CHECK(plan.at_e0.pass == doctest::Approx(1 - mirror.at_e1.pass).epsilon(1e-6));
    CHECK(plan.prior.pass == doctest::Approx(1 - mirror.prior.pass).epsilon(1e-4));
    CHECK(plan.at_e1.mean_pairs == doctest::Approx(mirror.at_e0.mean_pairs).epsilon(1e-6));
    CHECK(plan.prior.mean_pairs == doctest::Approx(mirror.prior.mean_pairs).epsilon(1e-4));
    CHECK(plan.cap == mirror.cap);
    CHECK(plan.at_e0.pass < plan.middle.pass);
    CHECK(plan.middle.pass < plan.at_e1.pass);
    double last = 1e300;
    for (const double width : {.5, 8.0, 100.0}) {
        const TestPlan wider = plan_wald(0, width, .05, .05);
        CHECK(wider.middle.mean_pairs < last);
        CHECK(wider.middle.pairs_95 <= wider.middle.pairs_999);
        last = wider.middle.mean_pairs;
    }
    CHECK(fixed_pairs(5, .05, .9) > fixed_pairs(5, .05, .8));
    CHECK(fixed_pairs(5, .05, .8) == fixed_pairs(-5, .05, .8));
}

TEST_CASE("Properties: after a stop a better score is a higher estimate, mirrored and finite") {
    SprtSettings settings;
    settings.elo0 = -4;
    settings.elo1 = 4;
    const auto after = [&](const Pentanomial& pairs) {
        const Sample sample = sample_of(pairs);
        return *after_wald(sample, settings, sprt_of_counts(sample, settings).state);
    };
    double last = -1e300;
    for (std::int64_t won = 200; won <= 300; won += 4) {
        const AfterStop seen = after(Pentanomial{{20, 500 - won, 400, won, 20}});
        CHECK(*seen.nelo.value >= last);
        CHECK(*seen.nelo.ci95.low <= *seen.nelo.value);
        CHECK(*seen.nelo.value <= *seen.nelo.ci95.high);
        last = *seen.nelo.value;
        const AfterStop mirror = after(Pentanomial{{20, won, 400, 500 - won, 20}});
        CHECK(*seen.nelo.value == doctest::Approx(-*mirror.nelo.value).epsilon(1e-6));
        CHECK(*seen.los == doctest::Approx(1 - *mirror.los).epsilon(1e-9));
    }
    const std::array<std::int64_t, 3> counts{0, 1, 1'000'000'000};
    for (int code = 0; code < 243; ++code) {
        Pentanomial pairs;
        for (int i = 0, rest = code; i < 5; ++i, rest /= 3) {
            pairs.counts[static_cast<std::size_t>(i)] = counts[static_cast<std::size_t>(rest % 3)];
        }
        const Sample sample = sample_of(pairs);
        const auto seen = after_wald(sample, settings, sprt_of_counts(sample, settings).state);
        if (!seen) continue;
        for (const Estimate& one : {seen->nelo, seen->elo}) {
            for (const auto& figure : {one.value, one.ci95.low, one.ci95.high}) {
                if (figure) CHECK(std::isfinite(*figure));
            }
        }
        CHECK(seen->p_value >= 0);
        CHECK(seen->p_value <= 1);
    }
}

TEST_CASE("Properties: an estimate after a stop is marked where its figures are a guess") {
    SprtSettings settings;
    const auto reliable = [&](const Pentanomial& pairs) {
        return after_wald(sample_of(pairs), settings, Decision::Continue)->reliable;
    };
    CHECK_FALSE(reliable(Pentanomial{{0, 0, 1, 0, 2}}));
    CHECK_FALSE(reliable(Pentanomial{{0, 4, 9, 6, 0}}));
    CHECK(reliable(Pentanomial{{0, 5, 9, 6, 0}}));
    CHECK_FALSE(reliable(Pentanomial{{0, 0, 900, 0, 2000}}));
}

TEST_CASE("Properties: a simulation with the programs swapped has the mirrored figures") {
    SimulationSettings settings;
    settings.boundary.elo1 = 40;
    settings.law = tilted_law({.05, .2, .4, .3, .05}, 12);
    settings.runs = 80;
    const SimulationResult one = simulate(settings);
    settings.boundary.shape = Shape::ClosingFastFailMirror;
    settings.boundary.elo0 = -40;
    settings.boundary.elo1 = 0;
    std::reverse(settings.law.begin(), settings.law.end());
    settings.seed = 2;
    const SimulationResult other = simulate(settings);
    CHECK(std::fabs(one.pass - (1 - other.pass)) <=
          4 * std::hypot(one.pass_error, other.pass_error));
    CHECK(std::fabs(one.mean_pairs - other.mean_pairs) <=
          4 * std::hypot(one.mean_pairs_error, other.mean_pairs_error));
}

TEST_CASE("Simulation: tells how many tests have ended, and plays the same whether asked or not") {
    SimulationSettings settings;
    settings.kind = SimulationSettings::Kind::Sprt;  // which needs no calibration
    settings.sprt.elo1 = 80;
    settings.runs = 30;
    const double silent = simulate(settings).mean_pairs;
    std::vector<int> told;
    settings.threads = 2;
    settings.on_progress = [&](int finished) { told.push_back(finished); };
    CHECK(simulate(settings).mean_pairs == silent);
    CHECK(std::is_sorted(told.begin(), told.end()));
    if (!told.empty()) CHECK(told.back() <= settings.runs);
    settings.threads = 1;
    told.clear();
    (void)simulate(settings);
    CHECK(told.size() == 30);
    CHECK(told.back() == 30);
}

TEST_CASE(
    "Properties: a won game raises a rating and lowers the other's, in whatever order it stands") {
    RatingSettings quick;
    quick.draws = 500;
    const std::vector<RatedGames> games{{0, 1, 20, 30, 15, -1, false},
                                        {1, 2, 18, 25, 22, -1, false},
                                        {2, 0, 12, 20, 17, -1, false}};
    const RatingTable before(3, games, quick);
    for (std::size_t i = 0; i < games.size(); ++i) {
        std::vector<RatedGames> more = games;
        more[i].wins += 1;
        const RatingTable after(3, more, quick);
        CHECK(after.ratings()[more[i].first].elo > before.ratings()[more[i].first].elo);
        CHECK(after.ratings()[more[i].second].elo < before.ratings()[more[i].second].elo);
        std::reverse(more.begin(), more.end());
        const RatingTable turned(3, more, quick);
        for (std::size_t a = 0; a < 3; ++a) {
            CHECK(turned.ratings()[a].elo == doctest::Approx(after.ratings()[a].elo).epsilon(1e-9));
        }
        const RatingDifference ab = after.difference(0, 1);
        const RatingDifference ba = after.difference(1, 0);
        CHECK(ab.elo == doctest::Approx(-ba.elo).epsilon(1e-9));
        CHECK(ab.los == doctest::Approx(1 - ba.los).epsilon(1e-9));
    }
}

TEST_CASE("Properties: a smaller p-value is never adjusted to a greater one, nor costs a claim") {
    Random random(5);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> p;
        for (int i = 0; i < 12; ++i) p.push_back(std::pow(random.unit(), 3));
        const auto claims = [](const std::vector<Adjusted>& all) {
            return std::count_if(all.begin(), all.end(),
                                 [](const Adjusted& one) { return one.is_rejected; });
        };
        for (const auto adjust : {adjust_holm, adjust_bh}) {
            const std::vector<Adjusted> before = adjust(p, .05);
            for (std::size_t i = 0; i < p.size(); ++i) {
                CHECK(before[i].value >= p[i] * (1 - 1e-12));
                CHECK(before[i].value <= 1);
                std::vector<double> lower = p;
                lower[i] *= 0.3;
                const std::vector<Adjusted> after = adjust(lower, .05);
                CHECK(after[i].value <= before[i].value);
                CHECK(claims(after) >= claims(before));
            }
        }
    }
}
