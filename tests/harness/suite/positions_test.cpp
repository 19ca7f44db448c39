#include "harness/suite/positions.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/make_game.h"

using assay::file_part;
using assay::harness::suite_positions_of;

namespace {

constexpr std::string_view kBoard = "6k1/8/8/8/8/8/4R3/R3K2R w KQ - ";

std::string refusal(std::string_view text, bool needs_solutions = false) {
    try {
        (void)suite_positions_of(text, "t.epd", *assay::rules::make_game("chess"), needs_solutions);
    } catch (const assay::Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("Suite positions: ids come from the opcode, or are the position's number") {
    const auto positions = suite_positions_of(
        "# a comment\n"
        "1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - - bm Nxd6; id \"CMB.01\";\n\n"
        "8/8/4k3/8/8/3PK3/8/8 w - - 3 40\r\n",
        "t.epd", *assay::rules::make_game("chess"));
    REQUIRE(positions.size() == 2);
    CHECK(positions[0].id == "CMB.01");
    CHECK(positions[0].text == "1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - - 0 1");
    CHECK(positions[1].id == "2");
    CHECK(positions[1].text == "8/8/4k3/8/8/3PK3/8/8 w - - 3 40");
}

TEST_CASE("Suite positions: what is wrong is said with file, line and column, all at once") {
    CHECK(refusal("") == "t.epd: there is no position in it");
    const std::string said = refusal(
        "8/8/4k3/8/8/3PK3/8/8 w - - id \"a\";\n"
        "8/8/8/8/8/8/8/8 w - -\n"
        "8/8/4k3/8/8/3PK3/8/8 b - - id \"a\";\n");
    CHECK(said.find("t.epd:2:1: error: ") != std::string::npos);
    CHECK(said.find("t.epd:3:1: error: the id 'a' is that of line 1 too") != std::string::npos);
}

TEST_CASE("Suite positions: any name becomes one part of a path, different ones different parts") {
    CHECK(file_part("CMB.01") == "CMB.01");
    CHECK(file_part("../a b") == "%2E.%2Fa%20b");
    CHECK(file_part("a/b") != file_part("a_b"));
    CHECK(file_part("") == "%");
    const std::string long_name(500, 'x');
    CHECK(file_part(long_name).size() <= 120);
    CHECK(file_part(long_name) != file_part(long_name + "y"));
}

TEST_CASE("Suite positions: bm and am take SAN and UCI, several moves, marks and commas") {
    using Moves = std::vector<std::string>;
    const auto positions = suite_positions_of(
        std::string(kBoard) + "bm Ra8+ h1h8 O-O; id \"a\"; c0 \"a comment; with a semicolon\";\n" +
            std::string(kBoard) + "0 1 am Rd2, Kf1!?, e1c1,e2e3 ;id b c\n" + std::string(kBoard) +
            "id \"first\"; acd 12; bm Ra8 Ra8+ a1a8; id \"second\"",
        "t.epd", *assay::rules::make_game("chess"), true);
    REQUIRE(positions.size() == 3);
    CHECK(positions[0].best == Moves{"a1a8", "h1h8", "e1g1"});
    CHECK(positions[0].avoid.empty());
    CHECK(positions[0].id == "a");
    CHECK(positions[0].comment == "a comment; with a semicolon");
    CHECK(positions[1].avoid == Moves{"e2d2", "e1f1", "e1c1", "e2e3"});
    CHECK(positions[1].id == "b c");
    CHECK(positions[2].id == "first second");
    CHECK(positions[2].best == Moves{"a1a8"});
}

TEST_CASE("Suite positions: Windows line ends and a byte order mark change nothing") {
    const std::string unix_text = std::string(kBoard) + "bm Ra8+; id \"a\";\n\n# none\n" +
                                  std::string(kBoard) + "am Rd2; id \"b\";\n";
    std::string windows = "\xEF\xBB\xBF";
    for (const char c : unix_text) windows += c == '\n' ? "\r\n" : std::string(1, c);
    CHECK(suite_positions_of(windows, "t.epd", *assay::rules::make_game("chess"), true) ==
          suite_positions_of(unix_text, "t.epd", *assay::rules::make_game("chess"), true));
    CHECK(refusal("\xEF\xBB\xBF" + std::string(kBoard) + "bm Ra9;\r\n") ==
          "t.epd:1:35: error: 'Ra9' is no legal move here; did you mean 'Ra3'?\n"
          "  6k1/8/8/8/8/8/4R3/R3K2R w KQ - bm Ra9;\n"
          "                                    ^~~");
    CHECK(refusal("\xFF\xFE" + std::string("4\0k\0", 4))
              .starts_with("t.epd:1:1: error: this is UTF-16; save the file as UTF-8"));
}

TEST_CASE("Suite positions: a wrong solution is said with its place and what was meant") {
    const auto said = [](std::string_view operations, bool needs = true) {
        const std::string text = refusal(std::string(kBoard) + std::string(operations), needs);
        return text.substr(0, text.find('\n'));
    };
    CHECK(said("bm Ra8") == "accepted");
    CHECK(said("bm Re3 Rxe9;") ==
          "t.epd:1:39: error: 'Rxe9' is no legal move here; did you mean 'Re3'?");
    CHECK(said("bm Rb1;") == "accepted");
    CHECK(said("bm;") == "t.epd:1:32: error: 'bm' names no move");
    CHECK(said("am Rd2; bm Re3 Rd2;") == "t.epd:1:43: error: 'e2d2' is in both bm and am");
    CHECK(said("bm Ra8; id \"abc;") == "t.epd:1:43: error: this quote is not closed");
    CHECK(said("bn Ra8;") ==
          "t.epd:1:39: error: expected a solution after the position, such as 'bm Nf3;' or 'am "
          "Qxb2;'; did you mean 'bm'?");
    CHECK(said("dm 5; pm Ra8;") ==
          "t.epd:1:45: error: expected a solution after the position, such as 'bm Nf3;' or 'am "
          "Qxb2;'");
    CHECK(said("dm 5;", false) == "accepted");
    const std::string two_rooks = "4k3/8/8/8/8/8/7K/R4R2 w - - bm Rd1;";
    CHECK(refusal(two_rooks).starts_with(
        "t.epd:1:32: error: 'Rd1' is no move by itself; did you mean Rad1 or Rfd1?\n"));
    CHECK(refusal("k7/8/8/8/8/8/6q1/7K w - - am Kxg2;")
              .starts_with("t.epd:1:30: error: am leaves no legal move"));
}

TEST_CASE("Suite positions: a file cut at any byte is read up to there or refused with a place") {
    const std::string text = "\xEF\xBB\xBF" + std::string(kBoard) +
                             "bm Ra8+ h1h8; id \"a;b\"; c0 \"x\";\r\n" + std::string(kBoard) +
                             "3 14 am Rd2, Kf1; id \"b\";\n" + std::string(kBoard) +
                             "bm O-O-O; id \"c\";\n";
    const auto whole = suite_positions_of(text, "t.epd", *assay::rules::make_game("chess"), true);
    REQUIRE(whole.size() == 3);
    std::size_t refused = 0;
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
        CAPTURE(cut);
        try {
            const auto part = suite_positions_of(text.substr(0, cut), "t.epd",
                                                 *assay::rules::make_game("chess"), true);
            REQUIRE(!part.empty());
            REQUIRE(part.size() <= whole.size());
            // Only the last one can have lost something of what is behind its position.
            for (std::size_t i = 0; i + 1 < part.size(); ++i) CHECK(part[i] == whole[i]);
            CHECK(part.back().has_solution());
        } catch (const assay::SyntaxError& error) {
            ++refused;
            CHECK(error.diagnostics().front().line >= 1);
            CHECK(error.diagnostics().front().column >= 1);
        } catch (const assay::Error& error) {
            CHECK(error.what() == std::string("t.epd: there is no position in it"));
        }
    }
    CHECK(refused > 60);
}
