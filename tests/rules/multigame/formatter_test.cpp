#include "rules/multigame/syntax/formatter.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "rules/multigame/check/checker.h"
#include "tests/rules/multigame/programs.h"

namespace assay::tests {

namespace mg = rules::multigame;

TEST_CASE("Formatter: the layout follows from the words, and comments stay on their lines") {
    const std::string text =
        "#  a game  \n"
        "\n\n\n"
        "dimensions(3 ,3)\t# small\n"
        "pieces {\n"
        "mark 'X' 'O' # a comment\n"
        "     # of its own\n"
        "  long_name 'L' 'l'# another\n"
        "}\n"
        "\n"
        "main=try [ find empty field,replace by own mark,\n"
        "rotate - 45, check 1 -1=  -1 ,\n"
        "either [\n"
        "step ] or pass\n"
        "] else draw .\n"
        "a_rule_with_a_name_too_wide = pass,\n"
        "pass.\n\n";
    const std::string expected =
        "#  a game\n"
        "\n"
        "dimensions (3, 3)  # small\n"
        "pieces {\n"
        "  mark       'X' 'O'  # a comment\n"
        "  # of its own\n"
        "  long_name  'L' 'l'  # another\n"
        "}\n"
        "\n"
        "main = try [ find empty field, replace by own mark,\n"
        "             rotate -45, check 1 - 1 = -1,\n"
        "             either [\n"
        "               step ] or pass\n"
        "       ] else draw.\n"
        "a_rule_with_a_name_too_wide = pass,\n"
        "  pass.\n";
    CHECK(mg::formatted("t.mg", text) == expected);
    CHECK(mg::formatted("t.mg", expected) == expected);
    CHECK(mg::formatted("t.mg", "main = pass. # without a last line end") ==
          "main = pass.  # without a last line end\n");
    CHECK(mg::formatted("t.mg", "main = pass.\r\n\r\n# two\r\n") == "main = pass.\n\n# two\n");
}

TEST_CASE("Formatter: every program that is shipped keeps its form, and is formatted once") {
    for (const std::string& name : shipped_programs()) {
        CAPTURE(name);
        std::vector<mg::FormFile> files = mg::files_of(program_path(name), mg::read_rules_file);
        const auto without_places = [](mg::Form form) {
            for (mg::Statement& each : form.statements) each.place = {};
            for (mg::Rule& each : form.rules) each.place = {};
            return mg::dump(form);
        };
        const std::string before = without_places(mg::compiled(files));
        for (mg::FormFile& file : files) {
            const std::string text = mg::formatted(file.path, file.text);
            CHECK(mg::formatted(file.path, text) == text);
            file.text = text;
        }
        CHECK(without_places(mg::compiled(files)) == before);
    }
}

TEST_CASE("Formatter: a text that the parser refuses is refused with its place") {
    CHECK_THROWS_WITH_AS(static_cast<void>(mg::formatted("t.mg", "main = try.\n")),
                         doctest::Contains("t.mg:1:"), SyntaxError);
}

}  // namespace assay::tests
