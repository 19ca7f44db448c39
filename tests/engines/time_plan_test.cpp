#include "engines/search/time_plan.h"

#include <chrono>

#include <doctest/doctest.h>

#include "base/random.h"

using namespace assay::engines;
using assay::Micros;
using namespace std::chrono_literals;

namespace {

ClockTold told(Micros left, Micros increment, int moves_to_go = 0) {
    ClockTold clock;
    clock.left = left;
    clock.increment = increment;
    clock.moves_to_go = moves_to_go;
    clock.overhead = 10ms;
    return clock;
}

}  // namespace

TEST_CASE("Time plan: without a clock there is none; a time a move is used but for the overhead") {
    CHECK(!plan_time({}).wanted);
    CHECK(!plan_time({}).most);
    ClockTold clock;
    clock.move_time = 100ms;
    clock.overhead = 10ms;
    CHECK(plan_time(clock).most == Micros(90ms));
    clock.move_time = 4ms;
    CHECK(plan_time(clock).most == Micros(1ms));
}

TEST_CASE("Time plan: never more than is left, never less than nothing") {
    assay::Random random(1);
    for (int n = 0; n < 10'000; ++n) {
        const Micros left(static_cast<long long>(random.below(3'000'000)) - 10'000);
        const Micros increment(static_cast<long long>(random.below(2) * random.below(5'000'000)));
        const TimePlan plan = plan_time(told(left, increment, static_cast<int>(random.below(45))));
        REQUIRE(plan.wanted);
        CHECK(plan.wanted->count() >= 0);
        CHECK(*plan.most >= *plan.wanted);
        CHECK(*plan.most <= std::max(left, Micros(0)));
    }
}

TEST_CASE("Time plan: games of 300 moves at 1+0.01 survive a machine that takes 40 ms at times") {
    // Each move takes the most that its plan allows, and the machine adds its own.
    assay::Random random(2);
    for (int game = 0; game < 200; ++game) {
        Micros left = 1010ms;
        for (int move = 0; move < 300; ++move) {
            const TimePlan plan = plan_time(told(left, 10ms));
            const Micros thought = random.below(4) == 0 ? *plan.most : *plan.wanted;
            const Micros lost = random.below(12) == 0 ? Micros(40ms) : Micros(500);
            left -= thought + lost;
            REQUIRE(left.count() > 0);
            left += 10ms;
        }
    }
}

TEST_CASE(
    "Time plan: where delays are long the reserve is larger, and at its end nothing is planned") {
    ClockTold quiet = told(900ms, 10ms);
    ClockTold busy = quiet;
    busy.delay = 80ms;
    CHECK(*plan_time(busy).wanted < *plan_time(quiet).wanted);
    busy.left = 250ms;  // three delays and the overhead
    CHECK(*plan_time(busy).wanted == 0ms);
    CHECK(*plan_time(busy).most == 0ms);
    busy.left = 0ms;
    CHECK(*plan_time(busy).most == 0ms);
    busy.move_time = 100ms;
    CHECK(*plan_time(busy).most == 25ms);
}

TEST_CASE("Delays: what the clock lost beyond the own time is seen, and gaps between looks are") {
    DelayMeter meter;
    ClockTold clock = told(1000ms, 10ms);
    meter.start(clock);
    CHECK(meter.worst() == 0ms);
    meter.add_gap(3ms);
    meter.finish(clock, 20ms);
    clock.left = 950ms;  // 990 ms would be left without a delay
    meter.start(clock);
    CHECK(meter.worst() == 40ms);
    // It is forgotten in time, and a clock that gains says nothing.
    for (int move = 0; move < 60; ++move) {
        meter.finish(clock, 5ms);
        clock.left = *clock.left + 6ms;
        meter.start(clock);
    }
    CHECK(meter.worst() > 0ms);
    CHECK(meter.worst() < 4ms);
    // Another game's clock is no delay, nor is a clock with periods, and an hour is none.
    meter = {};
    meter.finish(told(60s, 0ms), 1s);
    meter.forget_clock();
    meter.start(told(1s, 0ms));
    CHECK(meter.worst() == 0ms);
    meter.finish(told(60s, 0ms, 5), 1s);
    meter.start(told(30s, 0ms, 4));
    CHECK(meter.worst() == 0ms);
    meter.finish(told(2h, 0ms), 1s);
    meter.start(told(1h, 0ms));
    CHECK(meter.worst() == 1s);
    meter.add_gap(8h);  // a lid was closed
    CHECK(meter.worst() == 1s);
}

TEST_CASE("Time plan: with the delays measured, games of 300 moves survive 100 ms at times") {
    assay::Random random(7);
    DelayMeter meter;
    int lost = 0;
    for (int game = 0; game < 500; ++game) {
        meter.forget_clock();
        Micros left = 1010ms;
        for (int move = 0; move < 300; ++move) {
            ClockTold clock = told(left, 10ms);
            meter.start(clock);
            clock.delay = meter.worst();
            clock.usual_delay = meter.usual();
            const TimePlan plan = plan_time(clock);
            const Micros thought = random.below(4) == 0 ? *plan.most : *plan.wanted;
            meter.finish(clock, thought);
            left -= thought + (random.below(25) == 0 ? Micros(100ms) : Micros(500));
            if (left.count() <= 0) {
                ++lost;
                break;
            }
            left += 10ms;
        }
    }
    // The delays alone eat half of the increment: where they come in a row nothing helps.
    CHECK(lost <= 3);
}

TEST_CASE("Time plan: moves to the next period share what is left, and the last takes most of it") {
    const TimePlan many = plan_time(told(60s, 0ms, 40));
    const TimePlan one = plan_time(told(60s, 0ms, 1));
    CHECK(*many.wanted < 4s);
    CHECK(*one.wanted > 50s);
    CHECK(*one.most < 60s);
}

TEST_CASE("Stability: the same move for long needs less time, a falling value more") {
    Stability steady;
    steady.add(1, 20);
    const double at_first = steady.factor();
    for (int n = 0; n < 6; ++n) steady.add(1, 20);
    CHECK(steady.factor() < at_first / 1.5);
    steady.add(1, -50);
    const double fallen = steady.factor();
    CHECK(fallen > 0.9);
    steady.add(2, -50);
    CHECK(steady.factor() == doctest::Approx(at_first));
}
