#include "harness/program/launch_timer.h"

#include <chrono>

#include <doctest/doctest.h>

using namespace assay;
using namespace assay::harness;
using namespace std::chrono_literals;

TEST_CASE("LaunchTimer: who waits is stuck a minute after the last start got on, and not before") {
    LaunchTimer watch(10s);
    const TimePoint begin{};
    CHECK_FALSE(watch.is_stuck(begin, true, 0));
    CHECK_FALSE(watch.is_stuck(begin + 59s, true, 0));
    CHECK_FALSE(watch.is_stuck(begin + 60s, true, 1));
    CHECK_FALSE(watch.is_stuck(begin + 119s, true, 1));
    CHECK(watch.is_stuck(begin + 120s, true, 1));
}

TEST_CASE("LaunchTimer: a match whose programs all run is never stuck") {
    LaunchTimer watch(10s);
    const TimePoint begin{};
    CHECK_FALSE(watch.is_stuck(begin, false, 4));
    CHECK_FALSE(watch.is_stuck(begin + 2h, false, 4));
    CHECK_FALSE(watch.is_stuck(begin + 3h, true, 4));
    CHECK(watch.is_stuck(begin + 3h + 60s, true, 4));
}

TEST_CASE("LaunchTimer: hung starts have their limit before they make room for others") {
    LaunchTimer watch(45s);
    CHECK(watch.limit() == Micros(90s));
}
