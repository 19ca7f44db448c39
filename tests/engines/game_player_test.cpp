#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "engines/game_player/game_backend.h"
#include "engines/game_player/game_knowledge.h"
#include "engines/uci/game_argument.h"
#include "engines/uci/uci_go.h"
#include "engines/uci/uci_position.h"
#include "gtql/log/import/open_trees.h"
#include "rules/make_game.h"
#include "tests/engines/uci_answers.h"
#include "tests/support/dice_race.h"
#include "tests/support/how_many.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tic_tac_toe.h"

using namespace assay;
using namespace assay::engines;

namespace {

std::string tic_tac_toe(const std::string& lines) {
    GameBackend backend(tests::make_tic_tac_toe());
    return test::answers(backend, lines);
}

std::string chess(const std::string& lines) {
    GameBackend backend(rules::make_game("chess"));
    return test::answers(backend, lines);
}

/// The best line of a search to this depth.
Line think(GameBackend& backend, const std::string& text, int depth) {
    CHECK(backend.apply_options().empty());
    Limits limits;
    limits.depth = depth;
    Silence silence;
    return backend.search(*backend.game().parse(text), limits, silence).at(0);
}

std::unique_ptr<rules::Game> shipped_game(const std::string& name,
                                          RulesKind kind = RulesKind::Interpreted) {
    return game_of(ASSAY_SOURCE_DIR "/rules/multigame/programs/" + name + ".mg", kind);
}

/// The move that is answered.
std::string best_in(const std::string& text) {
    const std::size_t at = text.find("bestmove ");
    if (at == std::string::npos) return "";
    return text.substr(at + 9, text.find_first_of(" \n", at + 9) - at - 9);
}

}  // namespace

TEST_CASE("Game player: tic-tac-toe is searched to its end, with its own moves and texts") {
    GameBackend backend(tests::make_tic_tac_toe());
    CHECK(think(backend, "--------- x", 9).value == 0);
    const Line won = think(backend, "xx-oo---- x", 3);
    CHECK(score_text(won.value) == "mate 1");
    CHECK(won.moves == std::vector<Move>{3});
    CHECK(think(backend, "xx-oo---- o", 3).moves == std::vector<Move>{6});
    // Who loses whatever he does, as the other has two threats.
    CHECK(score_text(think(backend, "xx-xo---- o", 4).value) == "mate -1");
    CHECK(best_in(tic_tac_toe("position fen xx-oo---- x\ngo depth 3\n")) == "3");
    CHECK(tic_tac_toe("position fen x-o-x-o-- x moves 9\ngo depth 3\n") ==
          "info depth 0 score mate 0\nbestmove (none)\n");
    CHECK(tic_tac_toe("position startpos moves 5 5\n") ==
          "info string position: '5' is not a legal move after 1 plies: it and all later moves are "
          "ignored\n");
}

TEST_CASE("Game player: in games where every move changes the other's pieces none is loud") {
    // Each move of othello and clobber captures: quiescence would search these games to their ends.
    for (const std::string name : {"othello", "clobber"}) {
        CAPTURE(name);
        GameBackend backend(shipped_game(name));
        CHECK(backend.apply_options().empty());
        Limits limits;
        limits.depth = 4;
        limits.nodes = 20'000;
        Silence silence;
        const auto lines = backend.search(*backend.game().start(), limits, silence);
        REQUIRE_FALSE(lines.empty());
        CHECK(lines.front().depth == 4);
        CHECK(lines.front().deepest == 4);
    }
    CHECK(has_quiet_moves(*rules::make_game("chess")));
    CHECK(has_quiet_moves(*tests::make_tic_tac_toe()));
    CHECK(has_quiet_moves(*shipped_game("checkers")));
}

TEST_CASE("Game player: a mate is told in its own moves, whoever moves last") {
    GameBackend backend(rules::make_game(
        rules::GameSource{"t", "t.mg",
                          "dimensions (4,1)\npieces { man 'W' 'B' }\n"
                          "main = try [ find empty field, replace by own man ] else win.\n"}));
    CHECK(score_text(think(backend, "W1B1 w", 3).value) == "mate 1");
    CHECK(score_text(think(backend, "W1BW b", 3).value) == "mate -1");
    CHECK(score_text(think(backend, "W3 b", 4).value) == "mate -2");
    CHECK(score_text(think(backend, "4 w", 5).value) == "mate 2");
}

TEST_CASE("Game player: chess by its rules alone sees a mate, and takes what hangs") {
    GameBackend backend(rules::make_game("chess"));
    const Line mate = think(backend, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 2);
    CHECK(score_text(mate.value) == "mate 1");
    const auto position = backend.game().parse("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1");
    const Line taken = think(backend, position->text(), 3);
    CHECK(position->name_of(taken.moves.front(), rules::Notation::Canonical) == "c3d5");
    // The counter has ended this game; a player that is asked all the same moves for its own side.
    CHECK(best_in(chess("position fen 4k3/8/8/8/8/8/8/R3K3 b - - 100 80\ngo depth 1\n"))
              .starts_with("e8"));
}

TEST_CASE("Game player: pieces are worth what they can do, or what the user says") {
    const auto game = rules::make_game("chess");
    PieceWorths worths = PieceWorths::learn(*game);
    CHECK(worths.of("queen") > worths.of("rook"));
    CHECK(worths.of("rook") > worths.of("pawn"));
    CHECK(worths.of("pawn") == 100);
    CHECK(worths.of("dragon") == 100);
    CHECK(!worths.set("queen 900 dragon 70"));
    CHECK(worths.of("queen") == 900);
    CHECK(worths.of("dragon") == 70);
    CHECK(worths.set("queen 800 rook").value() ==
          "a number from -10000 to 10000 must stand behind 'rook', as in 'queen 900 rook 500'");
    CHECK(worths.of("queen") == 900);
    // A knight that is worth less than nothing is left alone.
    const std::string text = chess(
        "setoption name Worths value knight -500\nposition fen 4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1\n"
        "go depth 1\n");
    CHECK(!best_in(text).starts_with("e4d5"));
    CHECK(
        chess("setoption name Worths value queen\nisready\n")
            .starts_with(
                "info string refused: Worths: a number from -10000 to 10000 must stand behind 'queen'"));
    CHECK(chess("setoption name NullMove value true\nisready\n")
              .starts_with("info string refused: this game does not let a player pass"));
}

TEST_CASE("Game player: neither the tree nor the best line depends on how fast it searches") {
    struct Case {
        const char* game;
        int depth;
        std::uint64_t nodes;
        const char* line;
    };

    // Taken on 2026-11-30, with the default options.
    const std::vector<Case> cases{
        {"chess", 6, 17434, "b1c3 b8a6 a1b1 a6b8 b1a1 b8a6"},
        {"xiangqi", 5, 24966, "f1e2 f10e9 e2f1 b8c8 b3c3"},
        {"checkers", 9, 6379, "9-13 21-17 10-14 17x10 6x15 22-18 15x22 25x18 13-17"},
        {"connect4", 8, 16991, "1 2 3 4 5 6 7 1"},
        {"breakthrough", 5, 4345, "a2a3 a7a6 a1a2 a6a5 a2b3"},
        {"draughts10", 6, 2438, "31-27 17-21 36-31 21-26 41-36 18-23"},
        {"morris", 4, 2626, "a1 d1 g1 b2"},
        {"racingkings", 4, 3164, "e1c2 d1f2 g2f2 b2c2"},
        {"antichess", 6, 17585, "b1a3 b8a6 a1b1 a6b8 d2d4 b8a6"},
    };
    // Interpreted rules come first: compiled ones are used by all games once they were asked for.
    for (const RulesKind kind : {RulesKind::Interpreted, RulesKind::Compiled}) {
        for (const Case& c : cases) {
            CAPTURE(c.game);
            const std::uint64_t most =
                kind == RulesKind::Interpreted ? 5000 : test::how_many(7000U, 100'000U);
            if (c.nodes > most) continue;
            GameBackend backend(shipped_game(c.game, kind));
            const auto start = backend.game().start();
            const Line line = think(backend, start->text(), c.depth);
            CHECK(line.nodes == c.nodes);
            std::string names;
            for (const Move move : line.moves) {
                if (!names.empty()) names += ' ';
                names += start->name_of(move, rules::Notation::Canonical);
                start->make(move);
            }
            CHECK(names == c.line);
        }
    }
}

TEST_CASE("Game player: games that it cannot search are refused") {
    CHECK_THROWS_WITH_AS(GameBackend{tests::make_dice_race()},
                         "in 'dice race' chance decides too, and this player searches games "
                         "without it; 'instant' plays it at random",
                         Error);
}

TEST_CASE("Game player: its tree log has the game's name and the names of its moves") {
    const test::TempDir dir;
    const std::string path = dir.path("log");
    {
        GameBackend backend(tests::make_tic_tac_toe());
        CHECK(!backend.set_option("TreeLog", path));
        think(backend, "xx-oo---- x", 2);
    }
    std::vector<std::string> warnings;
    gtql::OpenOptions all;
    all.choice.all = true;
    const auto trees = gtql::open_trees(path, all, warnings);
    REQUIRE(trees.size() == 2);
    CHECK(warnings.empty());
    CHECK(trees[0]->info().game == "tic-tac-toe");
    const std::vector<std::string>& names = trees[1]->moves();
    for (const char* const name : {"3", "6", "9"}) {
        CHECK(std::find(names.begin(), names.end(), name) != names.end());
    }
}

TEST_CASE("UCI position: events of chance stand among the moves") {
    const auto game = tests::make_dice_race();
    UciPosition position(*game);
    CHECK(position.position().to_move() == rules::kChance);
    CHECK(!position.read("startpos moves 3 walk 2"));
    CHECK(position.position().text() == "3 0 b 2");
    CHECK(!position.read("startpos moves 3 walk 2 stay 1 walk"));
    CHECK(position.position().text() == "4 0 b ?");
    CHECK(position.read("startpos moves 3 4").value() ==
          "'4' is not a legal move after 1 plies: it and all later moves are ignored");
    const auto other = tests::make_tic_tac_toe();
    position.set_game(*other);
    CHECK(!position.read("fen xx-oo---- x moves 3"));
    CHECK(position.position().text() == "xxxoo---- o");
    CHECK(position.read("fen xx-oo---- w").has_value());
    CHECK(!position.is_known());
}
