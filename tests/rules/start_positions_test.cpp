#include "rules/chess/start_positions.h"

#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "rules/chess/fen.h"

using namespace assay::rules::chess;

TEST_CASE("StartPositions: 518 is the standard set-up") {
    CHECK(start_fen(518) == kStartFen);
}

TEST_CASE("StartPositions: the first and the last number are Scharnagl's") {
    CHECK(start_fen(0) == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    CHECK(start_fen(959) == "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
}

TEST_CASE("StartPositions: all 960 are different, valid and keep their rights") {
    std::set<std::string> seen;
    for (int number = 0; number < kStartPositions; ++number) {
        const std::string fen = start_fen(number);
        CAPTURE(fen);
        CHECK(seen.insert(fen).second);
        CHECK(write_fen(parse_fen(fen, Variant::Chess960)) == fen);
    }
    CHECK(seen.size() == 960);
}

TEST_CASE("StartPositions: double fischerandom takes a rank from each number") {
    const std::string fen = start_fen(0, 518);
    CHECK(fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    CHECK(parse_fen(fen, Variant::Chess960).rights() == 0xf);
}

TEST_CASE("StartPositions: other numbers are refused") {
    CHECK_THROWS_WITH_AS((void)start_fen(960),
                         "start position 960: expected a number from 0 to 959", assay::Error);
    CHECK_THROWS_WITH_AS((void)start_fen(0, -1),
                         "start position -1: expected a number from 0 to 959", assay::Error);
}
