#include "harness/suite/positions.h"

#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/make_game.h"

using assay::file_part;
using assay::harness::suite_positions_of;

namespace {

std::string refusal(std::string_view text) {
    try {
        (void)suite_positions_of(text, "t.epd", *assay::rules::make_game("chess"));
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
