#include "harness/program/suspend_meter.h"

#include <doctest/doctest.h>

#include "tests/support/fake_clock.h"

using assay::Micros;
using assay::harness::SuspendMeter;
using assay::test::FakeClock;
using namespace std::chrono_literals;

TEST_CASE("SuspendMeter: a late tick is a standstill, but for what the thread was busy") {
    FakeClock clock;
    Micros busy{0};
    SuspendMeter meter([&] { return busy; });
    CHECK(meter.total(clock.now()) == 0us);  // nothing has begun yet
    meter.tick(clock.now());
    for (int i = 0; i < 100; ++i) {
        clock.advance(11ms);
        meter.tick(clock.now());
    }
    CHECK(meter.total(clock.now()) == 0us);

    clock.advance(3s);
    CHECK(meter.total(clock.now()) == 2980ms);  // seen before the tick
    meter.tick(clock.now());
    CHECK(meter.total(clock.now()) == 2980ms);  // and once only

    clock.advance(1s);
    busy += 900ms;
    meter.tick(clock.now());
    CHECK(meter.total(clock.now()) == 3060ms);
    clock.advance(100ms);
    busy += 200ms;
    meter.tick(clock.now());
    CHECK(meter.total(clock.now()) == 3060ms);
}
