#include "rules/line.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rules/make_game.h"
#include "tests/support/tic_tac_toe.h"

using assay::rules::make_game;
using assay::rules::text_after;

TEST_CASE("Line: null moves pass, 'none' does nothing, an illegal move ends it") {
    const auto chess = make_game("chess");
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    CHECK(text_after(*chess, start, std::vector<std::string>{"none", "e2e4", "none", "0000"}) ==
          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
    CHECK(text_after(*chess, start, std::vector<std::string>{"0000", "e7e5"}) ==
          "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2");
    CHECK_FALSE(text_after(*chess, start, std::vector<std::string>{"e2e5"}));
    // The side in check cannot pass.
    CHECK_FALSE(
        text_after(*chess, "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", std::vector<std::string>{"0000"}));
}

TEST_CASE("Line: a game without null moves reads their names as moves of its own, or as none") {
    const auto rows = assay::tests::make_tic_tac_toe();
    CHECK(text_after(*rows, "--------- x", std::vector<std::string>{"1", "none", "5"}) ==
          "x---o---- x");
    CHECK_FALSE(text_after(*rows, "--------- x", std::vector<std::string>{"1", "0000"}));
}
