#include "stats/plan/simulate.h"

#include <cmath>

#include <doctest/doctest.h>

#include "base/diagnostic.h"

using namespace assay::stats;

namespace {

SimulationSettings settings() {
    SimulationSettings settings;
    settings.boundary.shape = Shape::Capped;
    settings.boundary.elo1 = 60;
    settings.runs = 300;
    settings.seed = 11;
    return settings;
}

}  // namespace

TEST_CASE("Simulation: a tilted law has the nElo asked for") {
    for (const double nelo : {-100.0, 0.0, 5.0, 400.0}) {
        CHECK(nelo_of(tilted_law(kBalancedLaw, nelo)) == doctest::Approx(nelo).epsilon(1e-9));
    }
    // A law of unbalanced openings at nElo 10, as docs/statistics.md section 11 knows it.
    CHECK(nelo_of({.002241, .235857, .494900, .264341, .002661}) ==
          doctest::Approx(10).epsilon(1e-3));
    CHECK_THROWS_AS((void)tilted_law({.5, .5, .5, 0, 0}, 0), assay::Error);
    CHECK_THROWS_AS((void)tilted_law({0, 0, 1, 0, 0}, 5), assay::Error);
}

TEST_CASE("Simulation: depends on the seed and not on the threads") {
    SimulationSettings one = settings();
    one.runs = 60;
    const SimulationResult a = simulate(one);
    one.threads = 3;
    const SimulationResult b = simulate(one);
    CHECK(a.pass == b.pass);
    CHECK(a.mean_pairs == b.mean_pairs);
    CHECK(a.coverage == b.coverage);
    one.seed = 12;
    CHECK(simulate(one).mean_pairs != a.mean_pairs);
}

TEST_CASE("Simulation: a capped test keeps its error and its cap") {
    const SimulationResult result = simulate(settings());
    CHECK(std::fabs(result.pass - 0.05) <= 4 * 0.0126);
    CHECK(result.pairs_999 <= std::ceil(13.0 * kPairsPerTau / 3600));
    CHECK(result.undecided == 0);
    CHECK(result.coverage >= 0.9);
}

TEST_CASE("Simulation: an sprt that may not end is cut and said to be undecided") {
    SimulationSettings sprt = settings();
    sprt.kind = SimulationSettings::Kind::Sprt;
    sprt.sprt.elo1 = 1;
    sprt.runs = 3;
    sprt.most_pairs = 50;
    CHECK(simulate(sprt).undecided == 3);
}
