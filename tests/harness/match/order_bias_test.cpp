// Why pairs count in schedule order: with 1,000 games at once the pairs that end first are those
// with quick games, and where a program's lost games are the quick ones, a sequential test that
// counts pairs as they end sees a weaker program than there is.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "harness/fleet/forecast.h"
#include "tests/harness/match/fake_fleet.h"
#include "tests/support/how_many.h"

using assay::harness::pairs_in_vain;
using assay::test::fleet_runs;
using assay::test::FleetRuns;
using assay::test::FleetShape;
using assay::test::is_long;

namespace {

/// 1,000 games at once, of which those that the first program loses are 30 % quicker.
FleetShape quick_losses(bool in_order) {
    FleetShape shape;
    shape.in_order = in_order;
    shape.of_lost = 0.7;
    shape.of_games = 0.5;  // of pairs 0.35
    shape.of_machines = 0.25;
    return shape;
}

}  // namespace

TEST_CASE("Schedule: 1,000 games at once bias no test that counts in schedule order") {
    constexpr int kRuns = 16;
    // At the upper bound 95 % are accepted, at the lower one 5 %; as they end, 10 % and 0.1 %.
    CHECK(fleet_runs(kRuns, 10, quick_losses(true)).accepted >= 13);
    CHECK(fleet_runs(kRuns, 0, quick_losses(true)).accepted <= 3);
    CHECK(fleet_runs(kRuns / 2, 10, quick_losses(false)).accepted <= 3);
}

TEST_CASE(
    "Schedule: the errors of a test are those that were asked for, with 1,000 games at once") {
    if (!is_long()) return;
    // Standard errors: 0.0034 in schedule order, 0.007 and 0.0007 as pairs end.
    constexpr int kRuns = 4000;
    constexpr int kFewer = 2000;
    const FleetRuns low = fleet_runs(kRuns, 0, quick_losses(true));
    const FleetRuns high = fleet_runs(kRuns, 10, quick_losses(true));
    const FleetRuns low_as_they_end = fleet_runs(kFewer, 0, quick_losses(false));
    const FleetRuns high_as_they_end = fleet_runs(kFewer, 10, quick_losses(false));
    MESSAGE("accepted at 0 and 10 nElo: in schedule order ", low.share(), " ", high.share(),
            ", as they end ", low_as_they_end.share(), " ", high_as_they_end.share());
    CHECK(std::abs(low.share() - 0.05) <= 0.01);
    CHECK(std::abs(high.share() - 0.95) <= 0.01);
    CHECK(low_as_they_end.share() < 0.01);
    CHECK(high_as_they_end.share() < 0.2);
}

TEST_CASE("Schedule: pairs in vain at the decision are those of the forecast") {
    struct Case {
        int slots;
        int unit;
        int runs;
    };

    // The forecast's figures are of whole pairs. The mean's standard error is below 3 % in each.
    for (const Case& one : {Case{64, 1, 200}, Case{4, 1, 2000}, Case{16, 1, 1000}, Case{64, 4, 200},
                            Case{64, 16, 200}, Case{256, 1, 200}, Case{1000, 1, 200}}) {
        CAPTURE(one.slots);
        CAPTURE(one.unit);
        FleetShape shape;
        shape.slots = one.slots;
        shape.unit = one.unit;
        shape.of_machines = 0.25;
        const FleetRuns runs = fleet_runs(is_long() ? one.runs : 20, 0, shape);
        const double expected = pairs_in_vain(one.slots, one.unit);
        MESSAGE(one.slots, " slots, unit ", one.unit, ": ", runs.in_vain, " pairs in vain, ",
                runs.counted, " counted; forecast ", expected);
        CHECK(std::abs(runs.in_vain - expected) <= std::max(1.0, 0.15 * expected));
        if (!is_long()) return;
    }
}
