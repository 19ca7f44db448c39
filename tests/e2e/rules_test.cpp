// Verbs of 'assay rules' from the command line, for what unit tests do not reach.
#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::Finished;
using assay::test::rules_file;
using assay::test::RunFolder;

namespace rules_commands {

using assay::test::times_in;

namespace {

/// The board of a game as SVG.
std::string board_of(const RunFolder& folder, const std::string& game,
                     const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"rules", "board", game, "--svg"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished drawn = folder.assay(words);
    REQUIRE_MESSAGE(drawn.code == 0, drawn.err);
    CHECK(drawn.out.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="));
    CHECK(drawn.out.ends_with("</svg>\n"));
    return drawn.out;
}

}  // namespace

TEST_CASE("Rules commands: a board is drawn as its game has it: squares, colours, lines, discs") {
    const RunFolder folder;
    const std::string squares = board_of(folder, rules_file("othello"));
    CHECK(times_in(squares, "class=\"p\"") == 64);
    CHECK(times_in(squares, "<use href=\"#piece-disc\" class=\"wp\"") == 2);
    CHECK(times_in(squares, "<use href=\"#piece-disc\" class=\"bp\"") == 2);

    const std::string colours = board_of(folder, rules_file("checkers"));
    CHECK(times_in(colours, "class=\"d\"") == 32);
    CHECK(times_in(colours, "class=\"l\"") == 32);
    CHECK(times_in(colours, "#piece-disc\" class=\"bp\"") == 12);

    const std::string lines =
        board_of(folder, rules_file("morris"), {"--text", "W2B2W/7/7/7/7/7/B5W w 6+7 0 1"});
    CHECK(times_in(lines, "<path class=\"bl\" d=\"M") == 1);
    const std::size_t path = lines.find("<path class=\"bl\"");
    const std::string joined = lines.substr(path, lines.find("/>", path) - path);
    CHECK(times_in(joined, "M") == 32);                          // of the 24 points
    CHECK(joined.find("M36 292L36 157") != std::string::npos);   // a1 and a4
    CHECK(joined.find("M36 292L171 292") != std::string::npos);  // a1 and d1
    CHECK(joined.find("M36 292L81 247") == std::string::npos);   // a1 and b2
    CHECK(times_in(lines, "class=\"wp\"") == 3);
    CHECK(times_in(lines, "class=\"bp\"") == 2);

    const std::string chess = board_of(folder, "chess");
    CHECK(times_in(chess, "class=\"d\"") == 32);
    CHECK(times_in(chess, "<use href=\"#piece-pawn\"") == 16);
    const Finished refused =
        folder.assay({"rules", "board", rules_file("morris"), "--svg", "--text", "W w"});
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
}

TEST_CASE("Rules commands: format prints, checks and writes the file in one style") {
    RunFolder folder;
    const std::string untidy =
        "dimensions(1 ,1)\npieces {man 'W' 'B'}\nmain=try [find empty field,"
        "replace by own man] else draw.\n";
    folder.write("t.mg", untidy);
    const Finished printed = folder.assay({"rules", "format", "t.mg"});
    REQUIRE_MESSAGE(printed.code == 0, printed.err);
    CHECK(printed.out.starts_with("dimensions (1, 1)\n"));
    const auto text = [&] { return assay::read_file(folder.root() + "/t.mg"); };
    CHECK(text() == untidy);
    const Finished checked = folder.assay({"rules", "format", "t.mg", "--check"});
    CHECK(checked.code == 1);
    CHECK(checked.out == "t.mg: not formatted; 'assay rules format --write' does it\n");
    CHECK(text() == untidy);

    CHECK(folder.assay({"rules", "format", "t.mg", "--write"}).code == 0);
    CHECK(text() == printed.out);
    const Finished tidy = folder.assay({"rules", "format", "t.mg", "--check"});
    CHECK(tidy.code == 0);
    CHECK(tidy.out.empty());
    CHECK(folder.assay({"rules", "format", "t.mg"}).out == printed.out);

    folder.write("bad.mg", "dimensions (1,1)\nmain = [\n");
    const Finished bad = folder.assay({"rules", "format", "bad.mg", "--write"});
    CHECK(bad.code == 2);
    CHECK(bad.err.find("bad.mg:") != std::string::npos);
    CHECK(assay::read_file(folder.root() + "/bad.mg") == "dimensions (1,1)\nmain = [\n");
    CHECK(folder.assay({"rules", "format", "chess"}).code == 2);
}

TEST_CASE("Rules commands: check ends with 1 where 'setup' makes a rule error") {
    RunFolder folder;
    folder.write("t.mg",
                 "dimensions (2,1)\npieces { man 'W' 'B' }\nstart { \"WW\" }\n"
                 "counts { start 2 }\nsetup = find own man, remove.\n"
                 "main = try [ find own man, remove ] else draw.\n");
    const Finished checked = folder.assay({"rules", "check", "t.mg"});
    CHECK(checked.code == 1);
    CHECK(checked.out ==
          "t.mg:5:1: error: rule error in 'setup': 'setup' gives more than one position without "
          "'random'\n  setup = find own man, remove.\n  ^~~~~\n  position WW w\n");
}

}  // namespace rules_commands
