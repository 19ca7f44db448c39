#include "harness/match/game_clock.h"

#include <array>

#include <doctest/doctest.h>

using assay::Micros;
using assay::harness::GameClock;
using assay::harness::Period;
using assay::harness::TimeControl;
using namespace std::chrono_literals;

namespace {

TimeControl periods(std::vector<Period> all) {
    TimeControl control;
    control.periods = std::move(all);
    return control;
}

TimeControl of_kind(TimeControl::Kind kind) {
    TimeControl control;
    control.kind = kind;
    return control;
}

}  // namespace

TEST_CASE("GameClock: the increment counts before the first move and after each one") {
    GameClock clock(periods({{0, 10s, 100ms}}));
    CHECK(clock.left() == 10'100ms);
    CHECK(clock.book(4s) == Micros{0});
    CHECK(clock.left() == 6'200ms);
}

TEST_CASE("GameClock: a clock without a period, as a damaged store has it, has no time left") {
    GameClock clock{TimeControl()};
    CHECK(clock.left() == Micros{0});
    CHECK(clock.book(4s) == Micros{4s});
}

TEST_CASE("GameClock: 0+5 can be played") {
    GameClock clock(periods({{0, 0s, 5s}}));
    CHECK(clock.book(4s) == Micros{0});
    CHECK(clock.left() == 6s);
}

TEST_CASE("GameClock: the flag is tested before a period's time is credited") {
    GameClock clock(periods({{2, 1s, 0s}}));
    CHECK(clock.book(900ms) == Micros{0});
    CHECK(clock.book(150ms) == 50ms);
}

TEST_CASE(
    "GameClock: within a period the moves to go count down, and begin anew with the next one") {
    GameClock clock(periods({{3, 10s, 0s}, {2, 10s, 0s}}));
    const auto moves_to_go = [&clock] {
        assay::adapters::SearchRequest request;
        clock.fill_limits(request);
        return request.moves_to_go.value_or(0);
    };
    for (const int left : {3, 2, 1, 2, 1, 2}) {
        CHECK(moves_to_go() == left);
        CHECK(clock.book(1s) == Micros{0});
    }
}

TEST_CASE("GameClock: a new period adds its time to what is left, the last one repeats") {
    GameClock clock(periods({{2, 10s, 0s}, {1, 3s, 1s}}));
    CHECK(clock.book(1s) == Micros{0});
    CHECK(clock.book(1s) == Micros{0});
    CHECK(clock.left() == 12s);  // 8 left, 3 of the period, 1 of its increment
    CHECK(clock.book(2s) == Micros{0});
    CHECK(clock.left() == 14s);
    assay::adapters::SearchRequest request;
    clock.fill_limits(request);
    CHECK(request.moves_to_go == 1);
}

TEST_CASE("GameClock: an overrun within the margin leaves nothing and never less") {
    TimeControl control = periods({{0, 1s, 0s}});
    control.margin = 50ms;
    GameClock clock(control);
    CHECK(clock.book(1'050ms) == Micros{0});
    CHECK(clock.left() == Micros{0});
    CHECK(clock.book(51ms) == 1ms);
}

TEST_CASE("GameClock: a move's time is a limit of its own each move") {
    TimeControl control = of_kind(TimeControl::Kind::MoveTime);
    control.move_time = 100ms;
    GameClock clock(control);
    CHECK(clock.book(100ms) == Micros{0});
    CHECK(clock.book(100'001us) == 1us);
}

TEST_CASE("GameClock: no time decides where nodes or depth do") {
    TimeControl control = of_kind(TimeControl::Kind::Nodes);
    control.nodes = 1000;
    GameClock clock(control);
    CHECK_FALSE(clock.flag_limit());
    CHECK(clock.book(1h) == Micros{0});
    assay::adapters::SearchRequest request;
    clock.fill_limits(request);
    CHECK(request.nodes == 1000);
}

TEST_CASE("GameClock: hourglass gives the used time to the opponent") {
    TimeControl control = of_kind(TimeControl::Kind::Hourglass);
    control.main = 60s;
    GameClock mover(control);
    GameClock opponent(control);
    CHECK(mover.book(10s) == Micros{0});
    opponent.give(10s);
    CHECK(mover.left() == 50s);
    CHECK(opponent.left() == 70s);
    CHECK(mover.book(51s) == 1s);
}

TEST_CASE("GameClock: byoyomi keeps a period that a move ends within") {
    TimeControl control = of_kind(TimeControl::Kind::Byoyomi);
    control.main = 5s;
    control.byoyomi = 10s;
    control.byoyomi_periods = 2;
    GameClock clock(control);
    CHECK(clock.flag_limit() == Micros{25s});
    CHECK(clock.book(15s) == Micros{0});       // main and just one whole period
    CHECK(clock.flag_limit() == Micros{20s});  // both periods are still there
    CHECK(clock.book(10'001ms) == Micros{0});  // one is lost
    CHECK(clock.flag_limit() == Micros{10s});
    CHECK(clock.book(10'000'001us) == 1us);
}

TEST_CASE("GameClock: a request names byoyomi beside the main time, never twice") {
    TimeControl control = of_kind(TimeControl::Kind::Byoyomi);
    control.main = 5s;
    control.byoyomi = 10s;
    const std::array clocks{GameClock(control), GameClock(control)};
    assay::adapters::SearchRequest request;
    assay::harness::fill_clocks(request, clocks, 0);
    clocks[0].fill_limits(request);
    REQUIRE(request.clocks.size() == 2);
    CHECK(request.clocks[0].left + *request.byoyomi == clocks[0].flag_limit());
}

TEST_CASE("GameClock: the opponent's byoyomi period is shown, and one without a clock as oneself") {
    TimeControl control = of_kind(TimeControl::Kind::Byoyomi);
    control.byoyomi = 10s;
    const std::array clocks{GameClock(control), GameClock(control)};
    assay::adapters::SearchRequest request;
    assay::harness::fill_clocks(request, clocks, 0);
    REQUIRE(request.clocks.size() == 2);
    CHECK(request.clocks[1].left == 10s);
    CHECK(request.clocks[1].increment == 10s);

    TimeControl nodes = of_kind(TimeControl::Kind::Nodes);
    nodes.nodes = 1000;
    const std::array odds{GameClock(nodes), GameClock(periods({{0, 8s, 80ms}}))};
    assay::adapters::SearchRequest mixed;
    assay::harness::fill_clocks(mixed, odds, 1);
    REQUIRE(mixed.clocks.size() == 2);
    CHECK(mixed.clocks[0].left == 8'080ms);
    CHECK(mixed.clocks[0].increment == 80ms);
    CHECK(mixed.clocks[1].left == 8'080ms);
    assay::adapters::SearchRequest other;
    assay::harness::fill_clocks(other, odds, 0);
    CHECK(other.clocks.empty());
}

TEST_CASE("GameClock: Canadian overtime refills after its stones") {
    TimeControl control = of_kind(TimeControl::Kind::Canadian);
    control.main = 5s;
    control.byoyomi = 10s;
    control.stones = 2;
    GameClock clock(control);
    CHECK(clock.book(7s) == Micros{0});
    CHECK(clock.left() == 8s);
    CHECK(clock.book(7s) == Micros{0});
    CHECK(clock.left() == 10s);
    CHECK(clock.book(10'001ms) == 1ms);
}

TEST_CASE("GameClock: what an hourglass takes from the mover the others share") {
    TimeControl control = of_kind(TimeControl::Kind::Hourglass);
    control.main = 60s;
    std::vector<GameClock> clocks(3, GameClock(control));
    CHECK(assay::harness::book_move(clocks, 1, 10s) == Micros{0});
    CHECK(clocks[0].left() == 65s);
    CHECK(clocks[1].left() == 50s);
    CHECK(clocks[2].left() == 65s);
    CHECK(assay::harness::book_move(clocks, 1, 51s) == 1s);
    CHECK(clocks[0].left() == 65s);
}
