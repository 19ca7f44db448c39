#include "stats/stop/look_law.h"

#include <cmath>
#include <memory>

#include <doctest/doctest.h>

#include "base/random.h"
#include "stats/data/normal.h"
#include "stats/stop/exit_law.h"
#include "stats/stop/stop_rule.h"

using namespace assay::stats;

namespace {

double normal(assay::Random& random) {
    return std::sqrt(-2 * std::log1p(-random.unit())) * std::cos(6.283185307179586 * random.unit());
}

struct Ended {
    double pass = 0;
    double tau = 0;
};

/// Brownian paths seen at the looks alone.
Ended play(const Boundary& boundary, const std::vector<double>& looks, double drift, int paths) {
    assay::Random random(7);
    Ended mean;
    for (int path = 0; path < paths; ++path) {
        double at = 0;
        double before = 0;
        for (std::size_t k = 0; k < looks.size(); ++k) {
            const double step = looks[k] - before;
            at += drift * step + std::sqrt(step) * normal(random);
            before = looks[k];
            const bool is_last = k + 1 == looks.size();
            const double upper = is_last ? boundary.centre : boundary.upper(before);
            const double lower = is_last ? boundary.centre : boundary.lower(before);
            if (at < upper && at > lower) continue;
            mean.pass += at >= upper ? 1.0 / paths : 0;
            mean.tau += before / paths;
            break;
        }
    }
    return mean;
}

}  // namespace

TEST_CASE("Look law: one look is the test of a fixed sample") {
    const Boundary boundary = calibrated_boundary(Shape::Capped, 0.05, 0.05);
    const LookLaw law(boundary, {boundary.horizon});
    const double sd = std::sqrt(boundary.horizon);
    for (const double drift : {-0.5, 0.0, 0.7}) {
        CHECK(law.pass_probability(drift) == doctest::Approx(normal_cdf(drift * sd)).epsilon(1e-9));
        CHECK(law.expected_tau(drift) == doctest::Approx(boundary.horizon).epsilon(1e-9));
    }
}

TEST_CASE("Look law: simulated paths agree within four standard errors") {
    constexpr int kPaths = 40'000;
    for (const Shape shape : {Shape::Capped, Shape::ClosingFastFail}) {
        const Boundary boundary = calibrated_boundary(shape, 0.05, 0.1);
        const std::vector<double> looks = look_times(boundary.horizon / 6.5, boundary.horizon);
        CHECK(looks.size() == 7);
        const LookLaw law(boundary, looks);
        for (const double drift : {-0.5, 0.2}) {
            const Ended seen = play(boundary, looks, drift, kPaths);
            const double p = law.pass_probability(drift);
            CHECK(std::fabs(seen.pass - p) <= 4 * std::sqrt(p * (1 - p) / kPaths));
            CHECK(law.pass_probability(drift) + law.fail_probability(drift) ==
                  doctest::Approx(1).epsilon(1e-7));
            CHECK(seen.tau == doctest::Approx(law.expected_tau(drift)).epsilon(0.02));
        }
    }
}

TEST_CASE("Look law: calibrated bounds have the errors, and end where the horizon is") {
    for (const double step : {6.0, 1.0, 0.3}) {
        const std::vector<double> looks =
            look_times(step, horizon_of(Shape::ClosingFastFail, 0.05, 0.05));
        const Boundary boundary = calibrated_for_looks(Shape::ClosingFastFail, 0.05, 0.05, looks);
        const LookLaw law(boundary, looks);
        CHECK(law.pass_probability(-0.5) == doctest::Approx(0.05).epsilon(2e-5));
        CHECK(law.fail_probability(0.5) == doctest::Approx(0.05).epsilon(2e-5));
        // Fewer looks need less room.
        CHECK(boundary.a_upper < calibrated_boundary(Shape::ClosingFastFail, 0.05, 0.05).a_upper);
    }
}

TEST_CASE("Look law: an outcome's probability agrees with the verdict and falls in the drift") {
    const std::vector<double> looks = look_times(2, horizon_of(Shape::Capped, 0.05, 0.05));
    const Boundary boundary = calibrated_for_looks(Shape::Capped, 0.05, 0.05, looks);
    const LookLaw law(boundary, looks);
    for (const double tau : {2.0, 6.0, boundary.horizon}) {
        const bool is_last = tau == boundary.horizon;
        const double bound = is_last ? boundary.centre : boundary.upper(tau);
        const Outcome won{Outcome::Place::AcceptedH1, tau, bound + 0.01};
        const Outcome lost{Outcome::Place::AcceptedH0, tau,
                           (is_last ? boundary.centre : boundary.lower(tau)) - 0.01};
        CHECK(1 - law.outcome_probability(won, -0.5) <= 0.05);
        CHECK(1 - law.outcome_probability(lost, -0.5) > 0.05);
        double last = 1.1;
        for (int step = -6; step <= 6; ++step) {
            const double drift = 0.5 * step;
            CHECK(law.outcome_probability(won, drift) < last);
            last = law.outcome_probability(won, drift);
        }
        CHECK(law.outcome_probability(lost, 0) < law.outcome_probability(won, 0));
    }
}

TEST_CASE("Look law: a rule that looks seldom uses it, and its verdict and p-value agree") {
    for (const int seed : {1, 2, 3, 4, 5, 6}) {
        // 400 pairs at width 25 are 4 units of information time.
        const auto rule =
            make_boundary_rule({Shape::ClosingFastFail, Model::Normalized, 0, 25, 0.05, 0.05, 400});
        assay::Random random(static_cast<std::uint64_t>(seed));
        while (rule->decision() == Decision::Continue) {
            const double u = random.unit();
            rule->add(u < 0.04 ? 0 : u < 0.27 ? 1 : u < 0.72 ? 2 : u < 0.96 ? 3 : 4);
        }
        CHECK(rule->pairs().pairs() <= *rule->cap());
        CHECK((rule->pairs().pairs() % 400 == 0 || rule->pairs().pairs() == *rule->cap()));
        CHECK(rule->state().corrected_upper == rule->state().upper);
        const auto after = rule->after_stop();
        REQUIRE(after);
        CHECK((rule->decision() == Decision::AcceptH1) == (after->p_value <= 0.05));
        CHECK(*after->nelo.ci95.low < *after->nelo.value);
    }
}
