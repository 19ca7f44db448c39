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
