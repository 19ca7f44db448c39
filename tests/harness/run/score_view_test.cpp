#include "harness/run/score_view.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rules/scores.h"

using assay::adapters::Score;
using assay::harness::GameRecord;
using assay::harness::MoveRecord;
using assay::harness::ScoreViewCheck;

namespace {

/// A game in which the first player is ahead; `turned` reports every score from its view.
GameRecord scored_game(int second, bool turned, int value = 120, int plies = 41) {
    GameRecord game;
    game.program = {1 - second, second};
    for (int ply = 0; ply < plies; ++ply) {
        MoveRecord& move = game.moves.emplace_back();
        move.player = ply % 2;
        move.score = Score{false, ply % 2 == 0 || turned ? value : -value};
    }
    return game;
}

std::optional<std::string> add_to(ScoreViewCheck& check, const GameRecord& game) {
    return check.add(game, static_cast<std::size_t>(game.program[0]),
                     static_cast<std::size_t>(game.program[1]));
}

}  // namespace

TEST_CASE("ScoreViewCheck: a program that reports the first player's view is named, once") {
    ScoreViewCheck check;
    CHECK_FALSE(add_to(check, scored_game(0, false)));
    CHECK_FALSE(add_to(check, scored_game(1, true, 120, 40)));  // 39 comparisons
    const auto text = add_to(check, scored_game(1, true, 120, 2));
    REQUIRE(text);
    CHECK(
        *text ==
        "its scores as second player have the sign of its opponent's in 40 of 40 moves: scores "
        "must be from the mover's point of view, or adjudication goes wrong (a program that judges "
        "positions wrongly looks alike: too few games have ended by the rules to tell)");
    CHECK_FALSE(add_to(check, scored_game(1, true)));
    CHECK(add_to(check, scored_game(0, true, 120, 400)));
}

TEST_CASE("ScoreViewCheck: small scores, bounds and honest programs say nothing") {
    ScoreViewCheck check;
    CHECK_FALSE(add_to(check, scored_game(0, true, 49, 400)));
    GameRecord bounds = scored_game(0, true);
    for (MoveRecord& move : bounds.moves) move.score->bound = Score::Bound::Lower;
    CHECK_FALSE(add_to(check, bounds));
    CHECK_FALSE(add_to(check, scored_game(0, false, 300, 400)));
    CHECK_FALSE(add_to(check, scored_game(0, true, 300, 80)));  // 79 of 478 agree
}

TEST_CASE("ScoreViewCheck: the least number of all is a score like others") {
    ScoreViewCheck check;
    CHECK(add_to(check, scored_game(0, true, std::numeric_limits<int>::min())));
}

TEST_CASE("ScoreViewCheck: moves of one program in a row are not compared with each other") {
    ScoreViewCheck check;
    GameRecord game = scored_game(0, false, 300, 400);
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        game.moves[ply].player = ply % 10 == 9 ? 1 : 0;
        game.moves[ply].score = Score{false, ply % 10 == 9 ? -300 : 300};
    }
    CHECK_FALSE(add_to(check, game));
}

TEST_CASE("ScoreViewCheck: what ends by the rules tells a wrong view from a wrong evaluation") {
    using Texts = std::vector<std::optional<std::string>>;  // by program
    // The first player wins each game, in which program 1 says the opposite of what is true.
    const auto played = [](bool is_turned_as_first) {
        ScoreViewCheck check;
        Texts told(2);
        for (const int second : {1, 0, 1, 0}) {
            GameRecord game = scored_game(second, false, 120, 60);
            for (MoveRecord& move : game.moves)
                if (game.program_of(move.player) == 1 && (second == 1 || is_turned_as_first))
                    move.score->value = -move.score->value;
            game.termination = assay::harness::Termination::by_rules("mate");
            game.scores = assay::rules::scores_with_winner(0, 2);
            if (auto text = add_to(check, game)) told[static_cast<std::size_t>(second)] = text;
        }
        return told;
    };
    CHECK(played(false) ==
          Texts{std::nullopt,
                "its scores as second player have the sign of its opponent's in 118 of 118 moves: "
                "scores must be from the mover's point of view, or adjudication goes wrong"});
    CHECK(played(true) ==
          Texts{std::nullopt,
                "its scores as second player have the sign of its opponent's in 118 of 118 moves, "
                "and as first player the sign of how its games end in only 0 of 30: whichever side "
                "it plays, it seems to take what is good for what is bad, and adjudication goes "
                "wrong"});
}
