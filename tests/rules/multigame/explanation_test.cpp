#include "rules/multigame/interpret/explanation.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/rules/multigame/programs.h"

namespace assay::tests {

namespace {

namespace mg = rules::multigame;

std::string why(const std::string& game, const std::string& position, const std::string& move) {
    const LoadedProgram program = loaded_program(game);
    const mg::State from = mg::state_of(*program.form, position);
    return mg::text_of(*program.form, mg::explained(program.tables, from, move));
}

}  // namespace

TEST_CASE("Why: the ways of the paper's knight, and where they stop") {
    // Figure 3: of six ways three fail at the second step, c6 is own, a6 and d7 remain.
    const std::string position = "1N5k/8/2P5/8/8/8/8/K7 w - - 0 1";
    CHECK(why("chess.mg", position, "b8c6") ==
          "b8c6 is no move; the derivation that came farthest, called b8:\n"
          "  chess.mg:55          check clock < 100\n"
          "  chess.mg:55          legal_move\n"
          "  chess.mg:60          set enemies to count enemy piece\n"
          "  chess.mg:61          add 1 to clock\n"
          "  chess.mg:63          knight_move\n"
          "  chess.mg:71          find own knight                              b8\n"
          "  chess.mg:72          pickup                                       b8\n"
          "  chess.mg:73          orthogonal                                   b8\n"
          "  chess.mg:74          step                                         b7\n"
          "  chess.mg:75          rotate -45                                   b7\n"
          "  chess.mg:76          step                                         c6\n"
          "  chess.mg:77          not points at own piece                      c6   stops here\n"
          "where derivations called b8 stop:\n"
          "  chess.mg:74          step                                         once\n"
          "  chess.mg:76          step                                         3 times\n"
          "  chess.mg:77          not points at own piece                      once\n");
    const std::string legal = why("chess.mg", position, "b8a6");
    CHECK(legal.starts_with("b8a6 is a move:\n"));
    CHECK(legal.find("putdown                                      a6\n") != std::string::npos);
    CHECK(legal.find("stops") == std::string::npos);
}

TEST_CASE("Why: a move that a test of the whole position refuses stops there") {
    const std::string pinned = why("chess.mg", "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2");
    CHECK(pinned.starts_with("e2d2 is no move; the derivation that came farthest, called e2d2:\n"));
    CHECK(pinned.find("not king_attacked                            d2   stops here\n") !=
          std::string::npos);
    CHECK(why("chess.mg", "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "h1h2") ==
          "h1h2 is no move: no derivation's name begins like it\n");
}

}  // namespace assay::tests
