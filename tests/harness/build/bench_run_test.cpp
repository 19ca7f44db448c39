#include "harness/build/bench_run.h"

#include <doctest/doctest.h>

using namespace assay::harness;

namespace {

using State = SpeedFinding::State;

/// So many runs of each, the first program `percent` faster on average, evenly spread over `spread`
/// percent more and less.
SpeedTest speeds_of(double limit, int runs, double percent, double spread) {
    SpeedTest test(limit);
    for (int i = 0; i < runs && !test.is_over(); ++i) {
        const double by = percent + spread * (2.0 * (i % 8) / 7 - 1);
        test.add(1e6 * (1 + by / 100), 1e6);
    }
    return test;
}

}  // namespace

TEST_CASE("SpeedTest: it holds or is broken by its interval, and not by its estimate") {
    // The estimate is above the limit in each case.
    const SpeedFinding clear = speeds_of(-3, 32, 0, 1).finding();
    CHECK(clear.state == State::Holds);
    CHECK(clear.pairs == 8);
    const SpeedTest unclear = speeds_of(-3, 32, -2, 8);
    CHECK(unclear.finding().percent > -3);
    CHECK(unclear.finding().low < -3);
    CHECK(unclear.finding().state == State::Undecided);
    CHECK(unclear.finding().pairs == 32);
    CHECK(unclear.is_over());
    // Here it is below.
    CHECK(speeds_of(-3, 32, -6, 1).finding().state == State::Broken);
    CHECK(speeds_of(-3, 32, -6, 1).finding().pairs == 8);
    CHECK(speeds_of(-3, 32, -4, 8).finding().state == State::Undecided);
    // A gain can be asked for as well.
    CHECK(speeds_of(2, 32, 1, 0.5).finding().state == State::Broken);
    CHECK(speeds_of(2, 32, 4, 0.5).finding().state == State::Holds);
}

TEST_CASE("SpeedTest: it looks after 8, 16 and 32 runs, and not between") {
    CHECK(SpeedTest::next_look(0) == 8);
    CHECK(SpeedTest::next_look(7) == 8);
    CHECK(SpeedTest::next_look(8) == 16);
    CHECK(SpeedTest::next_look(31) == 32);
    CHECK(SpeedTest::next_look(32) == 32);
    const SpeedTest before = speeds_of(-3, 7, -50, 0);
    CHECK_FALSE(before.is_over());
    CHECK(before.finding().state == State::Undecided);
    CHECK(speeds_of(-3, 8, -50, 0).finding().state == State::Broken);
    CHECK(speeds_of(-3, 8, -50, 0).finding().percent == doctest::Approx(-50));
}
