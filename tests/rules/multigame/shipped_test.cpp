// The programs that ship, compiled when the tests were built.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "rules/multigame/compile/write_c.h"
#include "rules/multigame/object/agreement.h"
#include "rules/multigame/play/multigame_game.h"
#include "rules/multigame/shipped/shipped_rules.h"
#include "tests/rules/multigame/programs.h"

namespace assay::tests {

namespace mg = rules::multigame;

TEST_CASE("Shipped rules: each program is a part of the process, and plays as it is interpreted") {
    for (const std::string& name : shipped_programs()) {
        CAPTURE(name);
        const LoadedProgram program = loaded_program(name);
        const auto shipped = mg::shipped_program(mg::hash_of_rules(*program.form));
        // Builds with sanitizers leave them out.
        REQUIRE((shipped != nullptr) == (ASSAY_HAS_SHIPPED_RULES == 1));
        if (shipped) CHECK(mg::disagreement(program.tables, shipped, 300, 1) == "");
    }
}

TEST_CASE("Shipped rules: a move has one code, and a position one verdict, by whatever rules") {
    const auto shipped = [](const mg::Form& form) {
        return mg::shipped_program(mg::hash_of_rules(form));
    };
    Random random(11);
    for (const std::string name : {"chess.mg", "checkers.mg", "othello.mg", "connect4.mg",
                                   "darkchess.mg", "draughts10.mg", "puzzle15.mg"}) {
        CAPTURE(name);
        const std::string path = program_path(name);
        const std::string text = mg::read_rules(path);
        const auto fast_game = mg::make_game_of_rules(name, path, text, shipped);
        const auto slow_game = mg::make_game_of_rules(name, path, text);
        const auto fast = fast_game->start();
        const auto slow = slow_game->start();
        for (int ply = 0; ply < 60; ++ply) {
            REQUIRE(fast->verdict().has_value() == slow->verdict().has_value());
            // A question that is asked again has the same answer.
            REQUIRE(fast->verdict().has_value() == fast->result().has_value());
            std::vector<rules::Move> moves;
            std::vector<rules::Move> same;
            std::vector<rules::ChanceMove> chances;
            fast->chances(chances);
            fast->moves(moves);
            slow->moves(same);
            REQUIRE(moves == same);
            for (const rules::ChanceMove& each : chances) moves.push_back(each.move);
            if (moves.empty()) break;
            const rules::Move move = moves[random.below(moves.size())];
            fast->make(move);
            slow->make(move);
            REQUIRE(fast->hash() == slow->hash());
        }
    }
}

TEST_CASE(
    "Shipped rules: a program that was changed, and one that is based on another, are others") {
    const LoadedProgram changed =
        loaded_text(read_file(program_path("tictactoe.mg")) + "# changed\n");
    CHECK(mg::shipped_program(mg::hash_of_rules(*changed.form)) == nullptr);
    const LoadedProgram based = loaded(
        {{"chess.mg", read_file(program_path("chess.mg"))}, {"t.mg", "based on \"chess.mg\"\n"}});
    CHECK(mg::shipped_program(mg::hash_of_rules(*based.form)) == nullptr);
    CHECK(mg::shipped_program("") == nullptr);
}

}  // namespace assay::tests
