// Programs behind rules/game.h.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "rules/make_game.h"
#include "rules/multigame/play/multigame_game.h"
#include "tests/rules/multigame/programs.h"
#include "tests/support/check_game.h"

namespace multigame_game {

namespace {

using namespace assay::rules;
using assay::rules::multigame::make_game_of_rules;
using assay::rules::multigame::read_rules;

std::unique_ptr<Game> game_called(const std::string& name) {
    const std::string path = assay::tests::program_path(name + ".mg");
    return make_game_of_rules(name, path, read_rules(path));
}

std::unique_ptr<Game> game_of_text(const std::string& text) {
    return make_game_of_rules("t", "t.mg", text);
}

/// Makes the moves of these names.
void play(Position& position, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        CAPTURE(name);
        const auto move = position.move_of(name, Notation::Canonical);
        REQUIRE(move.has_value());
        position.make(*move);
    }
}

}  // namespace

TEST_CASE("Multigame game: every program keeps the promises of a game") {
    for (const char* const name :
         {"antichess",  "breakthrough", "checkers", "chess",   "clobber",       "connect4",
          "darkchess",  "draughts10",   "hex5",     "horde",   "kingofthehill", "knightmate",
          "losalamos",  "minixiangqi",  "morris",   "othello", "puzzle15",      "racingkings",
          "threecheck", "tictactoe",    "xiangqi"}) {
        const auto game = game_called(name);
        CHECK(assay::tests::check_game(*game, 1, 14) == "");
    }
}

TEST_CASE("Multigame game: a win is scored for the player who moved, with its reason") {
    const auto game = game_called("connect4");
    const auto position = game->start();
    play(*position, {"1", "2", "1", "2", "1", "2", "1"});
    REQUIRE(position->result().has_value());
    CHECK(position->result()->word == "four in a row");
    CHECK(position->result()->scores[0] == 1.0F);
    CHECK(position->to_move() == kNobody);
    position->undo();
    CHECK(position->to_move() == 0);
}

TEST_CASE("Multigame game: mate is a leaf for the side to move") {
    const auto game = game_called("chess");
    const auto position = game->start();
    play(*position, {"f2f3", "e7e5", "g2g4", "d8h4"});
    REQUIRE(position->result().has_value());
    CHECK(position->result()->word == "mate");
    CHECK(position->result()->scores[1] == 1.0F);
    std::vector<Move> moves;
    position->moves(moves);
    CHECK(moves.empty());
}

TEST_CASE("Multigame game: the third occurrence of a position draws") {
    const auto game = game_called("chess");
    const auto position = game->start();
    for (int n = 0; n < 2; ++n) {
        CHECK_FALSE(position->result().has_value());
        play(*position, {"g1f3", "g8f6", "f3g1", "f6g8"});
    }
    REQUIRE(position->result().has_value());
    CHECK(position->result()->word == "repetition");
    CHECK(position->result()->basis == OutcomeBasis::Repetition);
    position->undo();
    CHECK_FALSE(position->result().has_value());
}

TEST_CASE("Multigame game: a verdict beside real moves is a claim that a player may make") {
    const auto game = game_of_text(
        "dimensions (3,1)\npieces { man 'W' 'B' }\n"
        "main = try [ either [ find empty field, replace by own man ] or may_claim ] else draw.\n"
        "may_claim = check count own man > 0, draw \"agreed\".\n");
    const auto position = game->start();
    std::vector<Move> claims;
    position->claims(claims);
    CHECK(claims.empty());
    CHECK_FALSE(position->move_of("draw", Notation::Canonical));
    play(*position, {"a1", "b1"});
    position->claims(claims);
    REQUIRE(claims.size() == 1);
    CHECK(position->name_of(claims[0], Notation::Canonical) == "draw");
    CHECK(position->move_of("draw", Notation::Canonical) == claims[0]);
    CHECK(position->is_legal(claims[0]));
    std::vector<Move> moves;
    position->moves(moves);
    CHECK(moves.size() == 1);
    CHECK(moves[0] != claims[0]);
    position->make(claims[0]);
    REQUIRE(position->result());
    CHECK(position->result()->word == "agreed");
    CHECK(position->result()->scores.winner() == -1);
    position->undo();
    CHECK_FALSE(position->result());
    play(*position, {"c1"});
    // No move is left: what was a claim is the result, and nobody's to make.
    position->claims(claims);
    CHECK(claims.empty());
    CHECK(position->result()->word == "agreed");
    CHECK(assay::tests::check_game(*game, 1, 5) == "");
}

TEST_CASE("Multigame game: nothing is asked of the rules behind a verdict") {
    // Where the enemy has no man left, `main` has no output.
    const auto game = game_of_text(
        "dimensions (2,1)\npieces { man 'W' 'B' }\nstart { \"WB\" }\n"
        "main = find own man, pickup, either east or west, step, putdown, win \"taken\".\n");
    const auto position = game->start();
    play(*position, {"a1b1"});
    std::vector<Move> moves;
    position->moves(moves);
    CHECK(moves.empty());
    CHECK_FALSE(position->move_of("a1b1", Notation::Canonical));
    CHECK(position->to_move() == kNobody);
}

TEST_CASE("Multigame game: a search's key tells the counts near a limit apart") {
    const auto game = game_called("chess");
    const auto key = [&](const std::string& clock) {
        return game->parse("4k3/8/8/8/8/8/8/4K2R w - - " + clock + " 60")->search_key();
    };
    const auto hash = [&](const std::string& clock) {
        return game->parse("4k3/8/8/8/8/8/8/4K2R w - - " + clock + " 60")->hash();
    };
    CHECK(hash("98") == hash("10"));
    CHECK(key("10") == key("20"));
    CHECK(key("83") == key("0"));
    CHECK(key("84") != key("0"));
    CHECK(key("98") != key("99"));
    const auto chess = make_game("chess")->start();
    CHECK(chess->search_key() == chess->hash());
}

TEST_CASE("Multigame game: quiet plies begin anew with each change of the number of pieces") {
    const auto position = game_called("chess")->start();
    CHECK(position->quiet_plies() == 0);
    play(*position, {"e2e4", "d7d5", "g1f3"});
    CHECK(position->quiet_plies() == 3);
    play(*position, {"d5e4"});
    CHECK(position->quiet_plies() == 0);
    play(*position, {"f3g1", "g8f6"});
    CHECK(position->quiet_plies() == 2);
    for (int i = 0; i < 3; ++i) position->undo();
    CHECK(position->quiet_plies() == 3);
}

TEST_CASE("Multigame game: who gives check for ever loses in xiangqi") {
    const auto game = game_called("xiangqi");
    const auto position = game->parse("4k4/9/9/9/9/9/9/R8/9/5K3 w - - 0 1");
    play(*position, {"a3e3"});
    for (int n = 0; n < 2; ++n) {
        CHECK_FALSE(position->result().has_value());
        play(*position, {"e10d10", "e3d3", "d10e10", "d3e3"});
    }
    REQUIRE(position->result().has_value());
    CHECK(position->result()->word == "perpetual");
    CHECK(position->result()->scores[1] == 1.0F);
}

TEST_CASE("Multigame game: chance draws after a decision, and its text is read back") {
    const auto game = game_called("darkchess");
    const auto position = game->start();
    CHECK(game->info().has_chance);
    play(*position, {"a1"});
    CHECK(position->to_move() == kChance);
    const std::string row = "????";
    CHECK(position->text() == row + "/" + row + "/" + row + "/" + row + "/" + row + "/" + row +
                                  "/" + row + "/" + row + " w a1");
    std::vector<ChanceMove> chances;
    position->chances(chances);
    CHECK(chances.size() == 7);
    const auto soldier = position->move_of("P", Notation::Canonical);
    REQUIRE(soldier.has_value());
    for (const ChanceMove& each : chances) {
        if (each.move == *soldier) CHECK(each.probability == doctest::Approx(5.0 / 16));
    }
    position->make(*soldier);
    CHECK(position->to_move() == 1);
    CHECK(position->ply() == 2);
}

TEST_CASE("Multigame game: chance may choose the start") {
    const auto game = game_of_text(
        "dimensions (2,1)\npieces { man 'W' 'B' }\nzones { corner (a1) }\n"
        "setup = find empty field, in corner,\n"
        "        random either 1 : replace by own man or 3 : replace by enemy man.\n"
        "main = try [ find empty field, replace by own man, win ] else draw.\n");
    const auto position = game->start();
    CHECK(position->to_move() == kChance);
    std::vector<ChanceMove> chances;
    position->chances(chances);
    REQUIRE(chances.size() == 2);
    CHECK(chances[1].probability == doctest::Approx(0.75));
    position->make(chances[1].move);
    CHECK(position->text() == "B1 w");
    CHECK(position->to_move() == 0);
    CHECK(assay::tests::check_game(*game, 1, 5) == "");
}

TEST_CASE("Multigame game: an outcome that adds nothing to the decision's name has a name") {
    const auto game = game_of_text(
        "dimensions (2,1)\npieces { man 'W' 'B' }\n"
        "main = try [ find empty field, write field, replace by own man,\n"
        "             random either 1 : [ write \"-\", again ] or 2 : pass ] else draw.\n");
    const auto position = game->start();
    play(*position, {"a1"});
    std::vector<ChanceMove> chances;
    position->chances(chances);
    REQUIRE(chances.size() == 2);
    CHECK(position->name_of(chances[0].move, Notation::Canonical) == "-");
    CHECK(position->name_of(chances[1].move, Notation::Canonical) == "--");
    CHECK(position->move_of("-", Notation::Canonical) == chances[0].move);
    CHECK(position->move_of("--", Notation::Canonical) == chances[1].move);
    CHECK(assay::tests::check_game(*game, 1, 5) == "");
}

TEST_CASE("Multigame game: weights of chance below 0 count as none") {
    const auto game = game_of_text(
        "dimensions (2,1)\npieces { man 'W' 'B' }\nzones { corner (a1) }\n"
        "variables { number n = -2 }\n"
        "setup = find empty field, in corner,\n"
        "        random either 1 : replace by own man or n : pass or 3 : replace by enemy man.\n"
        "main = try [ find empty field, replace by own man, win ] else draw.\n");
    const auto position = game->start();
    std::vector<ChanceMove> chances;
    position->chances(chances);
    REQUIRE(chances.size() == 2);
    CHECK(chances[0].probability == doctest::Approx(0.25));
    CHECK(chances[1].probability == doctest::Approx(0.75));
}

TEST_CASE("Multigame game: an end is a counter's where a count is at most one from its limit") {
    struct Case {
        int fields;  // the block is stuck after one ply less
        OutcomeBasis basis;
    };

    for (const Case& each : {Case{3, OutcomeBasis::Position}, Case{4, OutcomeBasis::Position},
                             Case{5, OutcomeBasis::Counter}, Case{6, OutcomeBasis::Counter},
                             Case{7, OutcomeBasis::Counter}}) {
        CAPTURE(each.fields);
        const auto game = game_of_text(
            "dimensions (" + std::to_string(each.fields) +
            ",1)\npieces { block 'x' }\nstart { \"x" +
            std::string(static_cast<std::size_t>(each.fields) - 1, '.') +
            "\" }\nvariables { silent number clock = 0 }\n"
            "main = try [ check clock < 5, find block, pickup, east, step, putdown, add 1 to clock ] "
            "else lose \"stuck\".\n");
        const auto position = game->start();
        std::vector<Move> moves;
        while (!position->result()) {
            moves.clear();
            position->moves(moves);
            REQUIRE(moves.size() == 1);
            position->make(moves[0]);
        }
        CHECK(position->result()->basis == each.basis);
    }
}

TEST_CASE("Multigame game: a decision whose outcome chance has yet to draw repeats no position") {
    const auto game = game_of_text(
        "dimensions (2,2)\npieces { man 'W' 'B' }\nstart { \"W.\" \"B.\" }\n"
        "variables { number n = 0 }\nrepetition 3 draw\n"
        "main = find own man, pickup, either east or west, step, putdown, write field,\n"
        "       random either 1 : [ write \"x\", set n to 0 ] or 1 : [ write \"y\", set n to 1 ].\n");
    const auto position = game->start();
    int plies = 0;
    for (const char* name : {"b2", "b1", "a2", "a1", "b2", "b1", "a2", "a1"}) {
        for (const char* each : {name, "x"}) {
            CAPTURE(plies);
            CHECK_FALSE(position->result());
            play(*position, {each});
            ++plies;
        }
    }
    REQUIRE(position->result());
    CHECK(position->result()->word == "repetition");
}

TEST_CASE("Multigame game: a one-player game scores the player") {
    const auto game = game_called("puzzle15");
    const auto position = game->start();
    CHECK(game->players() == 1);
    CHECK(position->to_move() == 0);
    play(*position, {"O"});
    REQUIRE(position->result().has_value());
    CHECK(position->result()->word == "solved");
    CHECK(position->result()->scores[0] == 1.0F);
}

TEST_CASE("Multigame game: again lets the side that moved move on") {
    const auto game = game_called("connect6");
    const auto position = game->start();
    CHECK(game->info().players == std::vector<std::string>{"Black", "White"});
    play(*position, {"a1"});
    CHECK(position->to_move() == 1);
    play(*position, {"b1"});
    CHECK(position->to_move() == 1);
    play(*position, {"c1"});
    CHECK(position->to_move() == 0);
}

TEST_CASE("Multigame game: a round begins with the side that starts, whichever it is") {
    const auto othello = game_called("othello");
    const auto position = othello->start();
    CHECK(move_label(othello->info(), *position) == "1.");
    play(*position, {"d6"});
    CHECK(move_label(othello->info(), *position) == "1...");
    play(*position, {"e6"});
    CHECK(move_label(othello->info(), *position) == "2.");
    const auto chess = game_called("chess");
    CHECK(move_label(chess->info(), *chess->parse("4k3/8/8/8/8/8/8/4K3 b - - 0 7")) == "7...");
}

TEST_CASE("Multigame game: two ways of one capture are one move, and both names are known") {
    const auto game = game_called("checkers");
    // Around four men in a diamond, either way.
    const auto position = game->parse("W:WK18:B6,7,14,15");
    std::vector<Move> moves;
    position->moves(moves);
    REQUIRE(moves.size() == 1);
    CHECK(position->name_of(moves[0], Notation::Canonical) == "18x11x2x9x18");
    CHECK(position->move_of("18x9x2x11x18", Notation::Canonical) == moves[0]);
    CHECK_FALSE(position->move_of("18x9", Notation::Canonical).has_value());
}

TEST_CASE("Multigame game: a picture names pieces and owners") {
    const auto game = game_called("othello");
    const auto picture = game->start()->picture();
    REQUIRE(picture.has_value());
    CHECK(picture->columns == 8);
    CHECK(picture->fields[27].letter == 'O');
    CHECK(picture->fields[27].owner == 0);
    CHECK(picture->fields[28].owner == 1);
    CHECK(picture->fields[27].piece.empty());
    const auto lines = game_called("morris")->start()->picture();
    CHECK(lines->fields[1].is_outside);
    CHECK(game_called("morris")->info().board == BoardStyle::Lines);
    CHECK(lines->lines.size() == 32);
    // a1 and a4, and not its neighbour along the diagonal.
    CHECK(std::ranges::find(lines->lines, std::pair(42, 21)) != lines->lines.end());
    CHECK(std::ranges::find(lines->lines, std::pair(42, 36)) == lines->lines.end());
    CHECK(game_called("draughts10")->info().board == BoardStyle::Chequered);
    CHECK(game_called("checkers")->start()->picture()->lines.empty());
    CHECK(game_called("othello")->info().board == BoardStyle::Plain);
    CHECK(game_called("losalamos")->info().board == BoardStyle::Chequered);
    CHECK(game_called("xiangqi")->info().board == BoardStyle::Plain);
    // A side has one kind of piece, beside those of nobody.
    const auto walled = game_of_text(
        "dimensions (2,1)\npieces { man 'W' 'B' wall '#' }\nstart white { \"W#\" }\n"
        "main = lose.\n");
    const auto shown = walled->start()->picture();
    CHECK(shown->fields[0].piece.empty());
    CHECK(shown->fields[1].piece == "wall");
}

}  // namespace multigame_game
