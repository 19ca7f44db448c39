// The programs that ship, compiled when the tests were built.
#include <string>

#include <doctest/doctest.h>

#include "rules/multigame/compile/write_c.h"
#include "rules/multigame/object/agreement.h"
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
