// What one task leaves for the next of how fast its machine searches.
#include <string>

#include <doctest/doctest.h>

#include "harness/machine/calibration.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace): the room under test

namespace {

/// A game in which the baseline, program 1, makes these moves of 10 ms.
GameRecord game_in_hour(long long hour, std::uint64_t nodes, int moves) {
    GameRecord game;
    game.ended_us = 1'700'000'000'000'000 + hour * 3'600'000'000;
    game.program = Lineup{0, 1};
    for (int i = 0; i < moves; ++i) {
        MoveRecord& move = game.moves.emplace_back();
        move.player = 1;
        move.used = assay::Micros{10'000};
        move.nodes = nodes;
    }
    return game;
}

/// Adds the game to a watch that has just the text of this one.
void add(DriftWatch& watch, const GameRecord& game) {
    DriftWatch next(1, watch.text());
    next.add(game);
    watch = next;
}

}  // namespace

TEST_CASE("Calibration: a watch goes on from what another has kept") {
    DriftWatch kept(1);
    DriftWatch whole(1);
    CHECK(kept.text().empty());
    for (int hour = 0; hour < 40; ++hour) {
        const std::uint64_t nodes = hour < 39 ? 10'000 : 8'000;
        for (const int moves : {90, 120}) {
            add(kept, game_in_hour(hour, nodes, moves));
            whole.add(game_in_hour(hour, nodes, moves));
        }
        CHECK(kept.trouble() == whole.trouble());
    }
    REQUIRE(kept.trouble().has_value());
    CHECK(*kept.trouble() ==
          "the baseline searched 20 % fewer nodes a second in hour 40 than at first");
    CHECK(kept.text().size() < 200);
    CHECK(kept.ratio().value() == doctest::Approx(whole.ratio().value()));
}

TEST_CASE("Calibration: what cannot be read of a watch is left out") {
    for (const char* text : {"", "x", "1\n2", "1\n0 300 3 0\n", "1\n5 300 3 1\n5 300 1 1\n",
                             "1\n0 300 x 1\n1 300 1 1\n"}) {
        CAPTURE(text);
        CHECK_FALSE(DriftWatch(1, text).trouble().has_value());
    }
    CHECK(DriftWatch(1, "1\n0 300 3e6 1\n5 300 1e6 1\n").trouble().has_value());
}
