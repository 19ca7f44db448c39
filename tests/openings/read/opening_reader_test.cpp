#include "openings/read/opening_reader.h"

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rules/game.h"
#include "rules/make_game.h"

using assay::openings::PgnGame;
using assay::openings::PgnReader;
using assay::openings::read_position;
using assay::openings::Reading;

namespace {

struct Case {
    const char* what;
    const char* text;
    const char* expected;
};

/// "start moves… (name) !remark@offset+width"; "none" where there is no opening.
std::string dump(const Reading& reading) {
    std::string out = "none";
    if (reading.opening) {
        out = reading.opening->start.empty() ? "startpos" : reading.opening->start;
        for (const std::string& move : reading.opening->moves) out += " " + move;
    }
    if (!reading.name.empty()) out += " (" + reading.name + ")";
    for (const auto& remark : reading.remarks) {
        out += " !" + remark.message + "@" + std::to_string(remark.offset) + "+" +
               std::to_string(remark.width);
    }
    return out;
}

std::string dump_game(std::string_view text, std::optional<int> plies, const char* game = "chess") {
    const auto rules = assay::rules::make_game(game);
    PgnReader reader(text);
    PgnGame pgn;
    REQUIRE(reader.next(pgn));
    return dump(read_game(pgn, plies, *rules));
}

}  // namespace

TEST_CASE("read_position: EPD and FEN lines") {
    const auto chess = assay::rules::make_game("chess");
    const std::vector<Case> cases{
        {"FEN", "8/8/8/4k3/8/8/4P3/4K3 b - - 3 27", "8/8/8/4k3/8/8/4P3/4K3 b - - 3 27"},
        {"EPD", "8/8/8/4k3/8/8/4P3/4K3 b - -", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"},
        {"CR at the end", "8/8/8/4k3/8/8/4P3/4K3 b - -\r", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"},
        {"opcodes", "8/8/8/4k3/8/8/4P3/4K3 b - - bm Kd4; hmvc 3; fmvn 27; id \"a;b\";",
         "8/8/8/4k3/8/8/4P3/4K3 b - - 3 27 (a;b)"},
        {"one opcode", "8/8/8/4k3/8/8/4P3/4K3 b - - fmvn 27;", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 27"},
        {"counters and opcodes", "8/8/8/4k3/8/8/4P3/4K3 b - - 3 27; id \"x\";",
         "8/8/8/4k3/8/8/4P3/4K3 b - - 3 27 (x)"},
        {"a list for perft", "8/8/8/4k3/8/8/4P3/4K3 b - - ;D1 8 ;D2 48",
         "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"},
        {"no blank before the semicolon", "8/8/8/4k3/8/8/4P3/4K3 b - -; id \"x\";",
         "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1 (x)"},
        // https://github.com/Disservin/fastchess/issues/559: the square has to stay.
        {"en passant without counters", "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6",
         "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 1"},
        {"too few fields", "8/8/8/4k3/8/8/4P3/4K3 b -",
         "none !expected a position of at least 4 fields@25+1"},
        {"one counter", "8/8/8/4k3/8/8/4P3/4K3 b - - 3",
         "none !expected both counters or an opcode after the position, found '3'@28+1"},
        {"a bad counter", "8/8/8/4k3/8/8/4P3/4K3 b - - hmvc x;",
         "none !half-move clock: expected a number from 0 to 9999, found 'x'@0+35"},
        {"no king", "8/8/8/4k3/8/8/4P3/8 b - -", "none !white has no king@0+25"},
        {"no position", " [Event \"x\"] a b",
         "none !the board '[Event' has not 8 ranks between slashes@1+15"},
        {"mate", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
         "none !the game is over in this position: it is mate@0+61"},
        {"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - -",
         "none !the game is over in this position: it is stalemate@0+26"},
        {"two kings", "7k/8/6K1/8/8/8/8/8 w - -",
         "none !the game is over in this position: nobody can win any more@0+24"},
        {"fifty moves", "7k/8/6K1/8/8/8/8/R7 w - - 100 80",
         "none !the game is over in this position: fifty moves passed without progress@0+32"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        CHECK(dump(read_position(c.text, *chess)) == c.expected);
    }
    CHECK(dump(read_position(std::string(70'000, 'x'), *chess)) ==
          "none !a line of more than 65,536 bytes@0+1");
}

TEST_CASE("read_position: the rooks' files of chess960 are kept for its rules alone") {
    const std::string line = "nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w HChc - 0 1";
    const auto chess960 = assay::rules::make_game("chess960");
    CHECK(read_position(line, *chess960).opening.has_value());
    const auto chess = assay::rules::make_game("chess");
    CHECK_FALSE(read_position(line, *chess).opening.has_value());
}

TEST_CASE("read_game: lines of PGN as openings") {
    const std::vector<Case> cases{
        {"moves", "1. e4 e5 2. Nf3 *", "startpos e2e4 e7e5 g1f3"},
        // https://github.com/Disservin/fastchess/issues/215
        {"CR LF", "[Event \"x\"]\r\n\r\n1. e4 e5 *\r\n", "startpos e2e4 e7e5"},
        // https://github.com/Disservin/chess-library/issues/119
        {"no moves", "[Event \"x\"]\n\n{No result} *",
         "startpos !a game without moves: its opening is the start position@0+1"},
        // https://github.com/cutechess/cutechess/issues/226
        {"the variant 'normal'", "[Variant \"normal\"]\n1. e4 *", "startpos e2e4"},
        {"an unknown variant", "[Variant \"Odd\"]\n1. e4 *",
         "startpos e2e4 !unknown variant 'Odd': read by the rules of chess@0+1"},
        {"chess960 in a book of chess", "[Variant \"Chess960\"]\n1. e4 *",
         "startpos e2e4 !this is a game of chess960, variant 'Chess960': read by the rules of "
         "chess@0+1"},
        {"an illegal tail", "1. e4 e5 2. Ke3 d5 *",
         "startpos e2e4 e7e5 !illegal or ambiguous move 'Ke3': the line is cut before it@12+3"},
        {"an illegal first move", "1. e5 *",
         "none !illegal or ambiguous move 'e5': the line is cut before it@3+2"},
        // https://github.com/Disservin/chess-library/issues/145
        {"ambiguous", "[FEN \"4k3/8/8/4N3/8/8/8/4NK2 w - - 0 1\"]\n1. Nf3 *",
         "4k3/8/8/4N3/8/8/8/4NK2 w - - 0 1 !illegal or ambiguous move 'Nf3': the line is cut "
         "before it@44+3"},
        // https://github.com/Disservin/fastchess/pull/645
        {"mate at the end", "1. f3 e5 2. g4 Qh4# 0-1",
         "startpos f2f3 e7e5 g2g4 !'Qh4#' ends the game (it is mate): the line is cut before "
         "it@15+4"},
        {"threefold inside", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *",
         "startpos g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 !'Ng8' ends the game (the position has come "
         "up three times): the line is cut before it@40+3"},
        // https://github.com/Disservin/fastchess/pull/873
        {"black to move", "[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 0 27\"]\n27... e5 *",
         "4k3/4p3/8/8/8/8/8/4K3 b - - 0 27 e7e5"},
        {"an EPD in FEN's place", "[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - -\"]\n*",
         "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"},
        {"SetUp 0", "[SetUp \"0\"]\n[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - -\"]\n1. e4 *",
         "startpos e2e4"},
        {"a FEN without kings", "[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n1. e4 *",
         "none !white has no king@0+1"},
        {"a FEN with too little", "[FEN \"8/8\"]\n1. e4 *",
         "none !expected a position of at least 4 fields@0+1"},
        {"a FEN where the game is over", "[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - -\"]\n*",
         "none !the game is over where it starts: it is stalemate@0+1"},
        {"a name", "[Opening \"Ruy \\\"Lopez\\\"\"]\n1. e4 *", "startpos e2e4 (Ruy \"Lopez\")"},
        {"a fault of the reader", "1. e4 } e5 *", "startpos e2e4 e7e5 !this closes nothing@6+1"},
        {"a null move", "1. e4 -- *",
         "startpos e2e4 !illegal or ambiguous move '--': the line is cut before it@6+2"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        CHECK(dump_game(c.text, std::nullopt) == c.expected);
    }
}

TEST_CASE("read_game: plies limit the line, and what lies behind them is not looked at") {
    const char* const text = "1. f3 e5 2. g4 Qh4# 0-1";
    CHECK(dump_game(text, 2) == "startpos f2f3 e7e5");
    CHECK(dump_game(text, 3) == "startpos f2f3 e7e5 g2g4");
    CHECK(dump_game("1. e4 e5 2. Ke3 *", 2) == "startpos e2e4 e7e5");
    CHECK(dump_game("1. e4 *", 9) == "startpos e2e4");
}

TEST_CASE("read_game: castling in chess960 is king takes rook") {
    const char* const text =
        "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4KR2 w F - 0 1\"]\n1. O-O *";
    CHECK(dump_game(text, std::nullopt, "chess960") == "4k3/8/8/8/8/8/8/4KR2 w K - 0 1 e1f1");
}
