#include "harness/fleet/forecast.h"

#include <cmath>

#include <doctest/doctest.h>

using assay::harness::FleetForecast;
using assay::harness::forecast_of;
using assay::harness::MatchPlan;
using assay::harness::pairs_in_vain;
using assay::harness::RunPlan;
using assay::harness::StopPlan;
using assay::harness::TimeControl;

TEST_CASE("Forecast: pairs in vain are those of the table, and between its points between them") {
    CHECK(std::lround(pairs_in_vain(4, 1)) == 3);
    CHECK(std::lround(pairs_in_vain(64, 4)) == 290);
    CHECK(std::lround(pairs_in_vain(1000, 64)) == 115'000);
    const double between = pairs_in_vain(128, 8);
    CHECK(between > pairs_in_vain(64, 8));
    CHECK(between < pairs_in_vain(256, 8));
    CHECK(pairs_in_vain(128, 8) > pairs_in_vain(128, 4));
    CHECK(pairs_in_vain(1, 1) == 0);
    CHECK(std::lround(pairs_in_vain(5000, 1)) == 3000);  // no further than the table
}

TEST_CASE("Forecast: a task has pairs for three minutes, and at most 64") {
    RunPlan plan;
    plan.programs.resize(2);
    plan.slurm.emplace();
    plan.slurm->slots = 16;
    plan.slurm->cpus = 4;
    MatchPlan& match = plan.matches.emplace_back();
    match.pairs = 1000;
    match.stop.rule = StopPlan::Rule::Closing;
    for (TimeControl& time : match.time) {
        time.kind = TimeControl::Kind::MoveTime;
        time.move_time = std::chrono::milliseconds(100);
    }
    const FleetForecast timed = forecast_of(plan, match);
    CHECK(timed.games_of_task == 4);
    CHECK(timed.pairs_of_task >= 20);
    CHECK(timed.pairs_of_task <= 40);
    CHECK(timed.batches == (1000 + timed.pairs_of_task - 1) / timed.pairs_of_task);
    // A game takes 60 moves a side, and each task plays four at once.
    const double playing = 1000 * 2 * (120 * 0.1) / 4;
    REQUIRE(timed.slot_hours);
    CHECK(*timed.slot_hours == doctest::Approx((playing + timed.dispatch_seconds) / 3600));
    CHECK(timed.overshoot.value_or(0) > 100);
    plan.slurm->batch = 10;
    CHECK(forecast_of(plan, match).batches == 100);
    match.stop.rule = StopPlan::Rule::Fixed;
    CHECK_FALSE(forecast_of(plan, match).overshoot);
}
