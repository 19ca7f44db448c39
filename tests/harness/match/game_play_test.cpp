#include "harness/match/game_play.h"

#include <chrono>

#include <doctest/doctest.h>

#include "tests/support/moves_in_row.h"

using namespace assay;
using namespace assay::harness;
using namespace std::chrono_literals;

namespace {

/// A game from a position, both sides with one second.
class GameTest {
public:
    explicit GameTest(const std::string& start) {
        TimeControl control;
        control.periods = {{0, 1s, 0s}};
        plan.time = {control, control};
        opening.start = start;
    }

    const GameRecord& after(std::string_view move, Micros used) {
        play.emplace(*game, plan, std::array<std::string, 2>{"a", "b"}, opening, GamePlay::Setup{});
        const adapters::SearchInfo info;
        play->on_move({move, {}, &info}, {used, 0us});
        REQUIRE(play->is_over());
        return play->record();
    }

    std::unique_ptr<rules::Game> game = rules::make_game("chess");
    MatchPlan plan;
    openings::Opening opening;
    std::optional<GamePlay> play;
};

}  // namespace

TEST_CASE("GamePlay: a fallen flag against a side that cannot mate is a draw, or a loss if asked") {
    GameTest t("4k3/4p3/8/8/8/8/8/4K3 w - - 0 1");
    CHECK(t.after("e1e2", 1001ms).termination == Termination::Time);
    CHECK(t.play->record().scores[0] == 0);

    t.opening.start = "4k3/8/8/8/8/8/Q7/4K3 w - - 0 1";
    CHECK(t.after("a2a3", 1001ms).scores[0] == 0.5F);
    CHECK(t.play->record().guilty == 0);
    CHECK(t.play->record().reason ==
          "a overran its time by 1.000 ms at move 1., but cannot be mated: draw");

    t.plan.adjudicate.flag_vs_bare_king_is_draw = false;
    CHECK(t.after("a2a3", 1001ms).scores[0] == 0);
}

TEST_CASE("GamePlay: an illegal move loses before the flag, a late mate loses by the flag") {
    GameTest t("6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1");
    CHECK(t.after("a1a9", 2s).termination == Termination::IllegalMove);
    CHECK(t.after("", 2s).reason == "a answered without a move at move 1.");
    CHECK(t.after("a1a8", 1001ms).termination == Termination::Time);
    CHECK(t.play->record().scores[0] == 0);
    CHECK(t.after("a1a8", 1s).termination == Termination::by_rules("mate"));
    CHECK(t.play->record().scores[0] == 1);
}

TEST_CASE("GamePlay: the record says who made each move, also where one player moves twice") {
    const auto game = test::make_moves_in_row();
    MatchPlan plan;
    TimeControl control;
    control.periods = {{0, 1s, 0s}};
    plan.time = {control, control};
    GamePlay play(*game, plan, {"a", "b"}, {}, GamePlay::Setup{});
    const adapters::SearchInfo info;
    while (play.record().moves.size() < 6) play.on_move({"step", {}, &info}, {100ms, 0us});
    std::vector<int> players;
    for (const MoveRecord& move : play.record().moves) players.push_back(move.player);
    CHECK(players == std::vector{0, 1, 1, 0, 1, 1});
    CHECK(play.record().moves[3].left == 800ms);
    CHECK(play.record().moves[5].left == 600ms);
}
