#include <filesystem>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using assay::test::Finished;
using assay::test::run;
using assay::test::TempDir;

namespace {

Finished book(const TempDir& dir, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ASSAY_BINARY_DIR "/assay", "book"});
    return run(arguments, dir.root());
}

}  // namespace

TEST_CASE("assay book info: counts in text and in JSON, warnings where a user looks for them") {
    const TempDir dir;
    assay::write_file(dir.path("b.pgn"), "1. e4 e5 *\n1. d4 *\n1. e5 *\n");
    const Finished text = book(dir, {"info", "b.pgn", "--cache", "cache"});
    CHECK(text.code == 0);
    CHECK(text.err ==
          "b.pgn:3:4: warning: game 3: illegal or ambiguous move 'e5': the line is cut before it\n"
          "  1. e5 *\n     ^~\n");
    CHECK(text.out.find("openings    2, of which 0 repeat a position\nskipped     1\n") !=
          std::string::npos);
    const Finished json = book(dir, {"info", "b.pgn", "--cache", "cache", "--json"});
    CHECK(json.code == 0);
    CHECK(json.err.empty());
    const auto found = boost::json::parse(json.out).as_object();
    CHECK(found.at("openings") == 2);
    CHECK(found.at("skipped") == 1);
    CHECK(found.at("plies") == boost::json::array{1, 2});
    CHECK(found.at("to_move") == boost::json::array{1, 1});
    CHECK(found.at("warnings").at(0).at("line") == 3);
}

TEST_CASE("assay book convert: there and back, packed, each position once") {
    const TempDir dir;
    assay::write_file(dir.path("b.pgn"), "1. e4 e5 *\n1. e3 e6 2. e4 e5 *\n1. d4 *\n");
    const Finished first = book(dir, {"convert", "b.pgn", "c.epd.zst", "--unique"});
    CHECK(first.code == 0);
    CHECK(first.err == "c.epd.zst: 2 openings of 3\n");
    CHECK(book(dir, {"convert", "c.epd.zst", "d.fen"}).code == 0);
    CHECK(assay::read_file(dir.path("d.fen")) ==
          "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
          "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n");
}

TEST_CASE("assay book: a book that the program polyglot made gives the games it was made of") {
    constexpr const char* kPolyglot = "/usr/games/polyglot";
    if (!std::filesystem::exists(kPolyglot)) {
        MESSAGE("skipped: no /usr/games/polyglot (package polyglot)");
        return;
    }
    const TempDir dir;
    // Castling both ways, en passant, a promotion to a knight, a transposition. polyglot gives the
    // moves of the side that lost no weight, so all are drawn.
    const std::vector<std::string> games{
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
        "1. e4 d5 2. e5 f5 3. exf6 Kf7 4. fxg7 Kg6 5. gxh8=N+ Kg7",
        "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O",
        "1. e4 e6 2. Nf3 Nf6 3. e5 d5 4. Bb5+ Ke7 5. Bc6 d4 6. b4 d3",
        "1. Nf3 Nf6 2. e4 e6",
    };
    std::string pgn;
    for (const std::string& game : games) {
        pgn += "[Event \"x\"]\n[Result \"1/2-1/2\"]\n\n" + game + " 1/2-1/2\n\n";
    }
    assay::write_file(dir.path("games.pgn"), pgn);
    const Finished made = run({kPolyglot, "make-book", "-pgn", "games.pgn", "-bin", "book.bin",
                               "-min-game", "1", "-max-ply", "40"},
                              dir.root());
    REQUIRE(made.code == 0);
    const Finished converted = book(dir, {"convert", "book.bin", "lines.pgn", "--cache", "cache"});
    CHECK(converted.code == 0);
    CHECK(converted.err == "lines.pgn: 5 openings of 5\n");
    const std::string lines = assay::read_file(dir.path("lines.pgn"));
    for (std::size_t i = 0; i + 1 < games.size(); ++i) {
        CAPTURE(games[i]);
        CHECK(lines.find("\n" + games[i] + " *\n") != std::string::npos);
    }
}

TEST_CASE("assay book: what is wrong with a file or a name is said, with exit code 2") {
    const TempDir dir;
    assay::write_file(dir.path("b.epd.gz"), std::string("\x1f\x8b\x08\x00\x00", 5));

    struct Case {
        std::vector<std::string> arguments;
        const char* expected;
    };

    const std::vector<Case> cases{
        {{"info", "none.epd"}, "none.epd: cannot open: No such file or directory\n"},
        {{"info", "b.epd.gz"}, "b.epd.gz: error: damaged gzip archive: it is cut short\n"},
        {{"convert", "b.epd.gz", "out.txt"},
         "'out.txt': expected a name that ends in .epd, .fen or .pgn, perhaps with .gz or .zst\n"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.arguments.back());
        const Finished finished = book(dir, c.arguments);
        CHECK(finished.code == 2);
        CHECK(finished.err == c.expected);
    }
}
