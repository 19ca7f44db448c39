#include "openings/build/book_writer.h"

#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "openings/book.h"
#include "openings/book_survey.h"
#include "rules/make_game.h"
#include "tests/support/temp_dir.h"

using assay::openings::BookFormat;
using assay::openings::Opening;
using assay::openings::write_opening;

TEST_CASE("write_opening: EPD, FEN and PGN of one opening") {
    const auto chess = assay::rules::make_game("chess");
    const Opening opening{"4k3/4p3/8/8/8/8/8/R3K2R b KQ - 3 27", {"e7e5", "e1g1"}, 4, "b \"x\""};
    CHECK(write_opening(opening, BookFormat::Epd, *chess) ==
          "4k3/8/8/4p3/8/8/8/R4RK1 b - - hmvc 1; fmvn 28;\n");
    CHECK(write_opening(opening, BookFormat::Fen, *chess) ==
          "4k3/8/8/4p3/8/8/8/R4RK1 b - - 1 28\n");
    CHECK(
        write_opening(opening, BookFormat::Pgn, *chess) ==
        "[Event \"b \\\"x\\\"\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"5\"]\n[White \"?\"]\n"
        "[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n"
        "[FEN \"4k3/4p3/8/8/8/8/8/R3K2R b KQ - 3 27\"]\n\n27... e5 28. O-O *\n\n");
    CHECK(write_opening({}, BookFormat::Epd, *chess) ==
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
}

TEST_CASE("write_opening: what is written as PGN is read as the same opening") {
    const assay::test::TempDir dir;
    const auto game = assay::rules::make_game("chess960");
    const std::string path = dir.path("b.pgn");
    Opening opening{"4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 9", {"e1f1"}, 0, ""};
    const std::string moves = "e8e7 b1b2 e7d7 b2b3 d7c7 b3b4 c7d7 b4b5 d7e7 b5b6 e7d7 b6b7";
    for (std::size_t i = 0; i < moves.size(); i += 5) opening.moves.push_back(moves.substr(i, 4));
    assay::write_file(path, write_opening(opening, BookFormat::Pgn, *game));
    const auto book = assay::openings::open_book({path, {}, {}, dir.path("cache")}, *game);
    CHECK(book->warnings().empty());
    CHECK(book->at(0).moves == opening.moves);
    CHECK(write_opening(book->at(0), BookFormat::Fen, *game) ==
          write_opening(opening, BookFormat::Fen, *game));
    const std::string text = assay::read_file(path);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t newline = text.find('\n', at);
        CHECK(newline - at <= 80);
        at = newline + 1;
    }
}

TEST_CASE("survey: counts openings, sides, plies and repeated positions") {
    const assay::test::TempDir dir;
    const auto chess = assay::rules::make_game("chess");
    const std::string path = dir.path("b.pgn");
    assay::write_file(
        path, "1. e4 e5 *\n1. e4 *\n1. e3 e5 2. e4 *\n1. e3 e6 2. e4 e5 *\n1. e5 *\n1. d4 *\n");
    const auto book = assay::openings::open_book({path, {}, {}, dir.path("cache")}, *chess);
    const auto found = assay::openings::survey(*book, *chess);
    CHECK(found.openings == 5);
    CHECK(found.skipped == 1);
    CHECK(found.duplicates == 1);
    CHECK(found.fewest_plies == 1);
    CHECK(found.most_plies == 4);
    CHECK(found.to_move[0] == 2);
    CHECK(found.to_move[1] == 3);
    CHECK(found.remarks.size() == 1);
}
