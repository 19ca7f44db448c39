#include "harness/run/control_match.h"

#include <doctest/doctest.h>

using namespace assay;
using namespace assay::harness;

namespace {

/// A game of `moves` moves of each program, each of `used` and so many nodes.
GameRecord game_at(long long started_us, int moves, Micros used, std::uint64_t nodes) {
    GameRecord game;
    game.started_us = started_us;
    for (int i = 0; i < 2 * moves; ++i) {
        MoveRecord move;
        move.used = used;
        move.nodes = nodes;
        game.moves.push_back(move);
    }
    return game;
}

SpeedOfRun speed_of(int games, int moves, Micros used) {
    DriftMeter meter(2);
    for (int i = 0; i < games; ++i) meter.add(game_at(i, moves, used, 100'000), {0, 1});
    return meter.speed_of(0);
}

}  // namespace

TEST_CASE("Drift: a speed is said of ten seconds of measured search and more") {
    const SpeedOfRun enough = speed_of(16, 30, Micros(100'000));  // 48 s, its quarters 12 s
    CHECK(enough.all == doctest::Approx(1e6));
    CHECK(enough.first_quarter == doctest::Approx(1e6));
    CHECK(enough.last_quarter == doctest::Approx(1e6));
    const SpeedOfRun some = speed_of(16, 10, Micros(100'000));  // 16 s, its quarters 4 s
    CHECK(some.all == doctest::Approx(1e6));
    CHECK(some.first_quarter == 0);
    const SpeedOfRun milliseconds = speed_of(16, 30, Micros(2000));  // 0.96 s
    CHECK(milliseconds.all == 0);
    CHECK(milliseconds.last_quarter == 0);
}
