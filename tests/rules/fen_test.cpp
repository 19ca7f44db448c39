#include "rules/chess/fen.h"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "rules/chess/movegen.h"
#include "rules/chess/notation.h"

using namespace assay::rules::chess;

namespace {

std::string rewritten(std::string_view text, Variant variant = Variant::Standard) {
    return write_fen(parse_fen(text, variant));
}

std::string refusal(std::string_view text, Variant variant = Variant::Standard) {
    try {
        return "accepted as " + rewritten(text, variant);
    } catch (const assay::Error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("Fen: what is written is what was read") {
    for (const std::string_view fen : {
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
             "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 17",
             "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 3",
             "8/8/4k3/8/8/3K4/8/8 b - - 9999 99999",
         }) {
        CHECK(rewritten(fen) == fen);
    }
}

TEST_CASE("Fen: a four-field EPD keeps its en-passant square and counts from 0 1") {
    // FIELD D1: d5xe6 is legal.
    const Board board =
        parse_fen("rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6", Variant::Standard);
    CHECK(write_fen(board) == "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 1");
    CHECK(read_uci(board, "d5e6", Variant::Standard).has_value());
}

TEST_CASE("Fen: what has one sensible meaning is repaired") {
    struct Case {
        const char* what;
        std::string_view text;
        std::string_view expected;
    };

    const Case cases[] = {
        {"no pawn behind the square", "4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1",
         "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1"},
        {"no pawn to capture with", "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1",
         "4k3/8/8/4p3/8/8/8/4K3 w - - 0 1"},
        {"the square is taken", "4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1",
         "4k3/8/4n3/3Pp3/8/8/8/4K3 w - - 0 1"},
        {"the pawn cannot have come from its home", "4k3/4n3/8/3Pp3/8/8/8/4K3 w - e6 0 1",
         "4k3/4n3/8/3Pp3/8/8/8/4K3 w - - 0 1"},
        {"the capture would open a rank to the king", "4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 1",
         "4k3/8/8/K2Pp2r/8/8/8/8 w - - 0 1"},
        {"one of two capturers is pinned", "3rk3/8/8/3PpP2/8/8/8/3K4 w - e6 0 1",
         "3rk3/8/8/3PpP2/8/8/8/3K4 w - e6 0 1"},
        {"move number 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"blanks", "  4k3/8/8/8/8/8/8/4K3\tw  - - 0 1\r\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"rights in another order", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1",
         "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        {"Shredder's letters", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
         "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        CHECK(rewritten(c.text) == c.expected);
    }
}

TEST_CASE("Fen: chess960 rights are those of the outermost rook or of the named file") {
    struct Case {
        const char* what;
        std::string_view text;
        std::string_view expected;
    };

    const Case cases[] = {
        {"X-FEN, outermost", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
         "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"},
        {"Shredder, outermost", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
         "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"},
        {"an inner rook", "4k3/8/8/8/8/8/8/RR2KR1R w FB - 0 1",
         "4k3/8/8/8/8/8/8/RR2KR1R w FB - 0 1"},
        {"double fischerandom: another file for black", "r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1",
         "r1k4r/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        CHECK(rewritten(c.text, Variant::Chess960) == c.expected);
    }
    const Board inner = parse_fen("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", Variant::Chess960);
    CHECK(inner.castling_rook(right_index(Color::White, false)) == 1);
    CHECK(inner.hash() != parse_fen("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1", Variant::Chess960).hash());
}

TEST_CASE("Fen: a position that cannot be refereed is refused with its reason") {
    struct Case {
        std::string_view text;
        std::string_view expected;
    };

    const Case cases[] = {
        {"", "expected a FEN of 6 fields or an EPD of 4, found 0 in ''"},
        {"4k3/8/8/8/8/8/8/4K3 w -",
         "expected a FEN of 6 fields or an EPD of 4, found 3 in '4k3/8/8/8/8/8/8/4K3 w -'"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0",
         "expected a FEN of 6 fields or an EPD of 4, found 5 in '4k3/8/8/8/8/8/8/4K3 w - - 0'"},
        {"4k3/8/8/8/8/8/4K3 w - -",
         "the board '4k3/8/8/8/8/8/4K3' has not 8 ranks between slashes"},
        {"4k3/8/8/8/8/8/8/4K3/8 w - -",
         "the board '4k3/8/8/8/8/8/8/4K3/8' has not 8 ranks between slashes"},
        {"4k3/8/8/8/8/7/8/4K3 w - -", "rank 3 of the board, '7', has 7 squares, expected 8"},
        {"4k3/8/8/8/8/8/8/4K4 w - -", "rank 1 of the board, '4K4', has more than 8 squares"},
        {"4k3/8/8/8/8/8/8/4KBBBBBBBBBBB w - -",
         "rank 1 of the board, '4KBBBBBBBBBBB', has more than 8 squares"},
        {"4k3/8/8/8/8/8/8/4X3 w - -",
         "rank 1 of the board, '4X3': expected a piece or a digit, found 'X'"},
        {"4k3/8/8/8/8/8/8/4K3 W - -", "side to move: expected 'w' or 'b', found 'W'"},
        {"4k3/8/8/8/8/8/8/8 w - -", "white has no king"},
        {"8/8/8/8/8/8/8/4K3 w - -", "black has no king"},
        {"4k3/8/8/8/8/8/8/K3K3 w - -", "white has 2 kings"},
        {"4k3/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - -",
         "white has 17 pieces; more than 16 cannot be refereed"},
        {"1k6/8/8/8/8/PPPPPPPP/P7/K7 w - -", "white has 9 pawns; no game has more than 8"},
        {"k7/8/8/pppppppp/pp6/8/8/K7 w - -", "black has 10 pawns; no game has more than 8"},
        {"4k2P/8/8/8/8/8/8/K7 w - -", "a pawn stands on h8"},
        {"4k3/8/8/8/8/8/8/K6p w - -", "a pawn stands on h1"},
        {"4k3/8/8/8/8/8/8/K3R3 w - -", "black is in check, but it is white's move"},
        {"4k3/8/8/8/8/8/4K3/8 w K -", "castling right 'K': the king on e2 has left its first rank"},
        {"4k3/8/8/8/8/8/8/4K3 w K -", "castling right 'K': there is no rook to castle with"},
        {"4k3/8/8/8/8/8/8/R3K3 w K -", "castling right 'K': there is no rook to castle with"},
        {"r3k3/8/8/8/8/8/8/4K3 w k -", "castling right 'k': there is no rook to castle with"},
        {"4k3/8/8/8/8/8/8/4K2R w KK -",
         "castling right 'K' is given twice for one side of the king"},
        {"4k3/8/8/8/8/8/8/4K2R w KH -",
         "castling right 'H' is given twice for one side of the king"},
        {"4k3/8/8/8/8/8/8/4K2R w K- -",
         "castling right '-': expected '-' or letters of KQkq or of the rooks' files"},
        {"4k3/8/8/8/8/8/8/4K1R1 w K -",
         "castling right 'K': king on e1 and rook on g1 castle in chess960 only"},
        {"4k3/8/8/8/8/8/8/3K3R w K -",
         "castling right 'K': king on d1 and rook on h1 castle in chess960 only"},
        {"4k3/8/8/8/8/8/8/4K3 w - e3",
         "en-passant square 'e3': expected '-' or a square of rank 6, as white is to move"},
        {"4k3/8/8/8/8/8/8/4K3 b - e6",
         "en-passant square 'e6': expected '-' or a square of rank 3, as black is to move"},
        {"4k3/8/8/8/8/8/8/4K3 w - e66",
         "en-passant square 'e66': expected '-' or a square of rank 6, as white is to move"},
        {"4k3/8/8/8/8/8/8/4K3 w - - x 1",
         "half-move clock: expected a number from 0 to 9999, found 'x'"},
        {"4k3/8/8/8/8/8/8/4K3 w - - -1 1",
         "half-move clock: expected a number from 0 to 9999, found '-1'"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 10000 1",
         "half-move clock: expected a number from 0 to 9999, found '10000'"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999",
         "move number: expected a number from 0 to 99999, found '99999999999999'"},
        {"4k3/8/8/8/1n6/8/2n5/r3K2q w - -",
         "the king of white is attacked by more than two pieces"},
        {"\x01\xff w - -", "the board '\\x01\\xff' has not 8 ranks between slashes"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        CHECK(refusal(c.text) == c.expected);
    }
    CHECK(refusal("4k3/8/8/8/8/8/8/3K3R w K -", Variant::Chess960) ==
          "accepted as 4k3/8/8/8/8/8/8/3K3R w K - 0 1");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K1R1 w Q -", Variant::Chess960) ==
          "castling right 'Q': there is no rook to castle with");
}

TEST_CASE("Fen: the position with most moves, Petrovic 1964, has all 218") {
    const Board board =
        parse_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -", Variant::Standard);
    MoveList moves;
    generate_list(board, moves);
    CHECK(moves.size() == 218);
}
