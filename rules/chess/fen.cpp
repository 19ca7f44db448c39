// Positions come from books and users, and everything behind this file relies on them being
// possible: one king a side, at most 16 pieces, no pawn on the first or last rank, rights for
// castling that the pieces can still have, nobody in check who is not to move. Whatever violates
// that is an error that names the rank or the field, and not a position that is mended silently: a
// book that is wrong at one place is wrong elsewhere too.
//
// Two things are lenient because writers differ: an en passant square that no double step can have
// left is dropped, and castling rights are read as X-FEN (KQkq, the outermost rook) and as
// Shredder-FEN (the rook's file), and written as X-FEN, with the file where the rook is not the
// outermost one.
#include "rules/chess/fen.h"

#include <array>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::rules::chess {

namespace {

constexpr std::string_view kLetters = "PNBRQKpnbrqk";
constexpr std::array<Color, 2> kColors{Color::White, Color::Black};

std::string quoted(std::string_view text) {
    // A long text is not a field: its beginning is enough for a message.
    constexpr std::size_t kShown = 80;
    return "'" + printable_utf8(text.substr(0, kShown)) + "'";
}

std::string_view name_of(Color color) {
    return color == Color::White ? "white" : "black";
}

std::string square_name(Square square) {
    return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

/// The piece of each byte.
constexpr std::array<Piece, 256> kPieceFrom = [] {
    std::array<Piece, 256> table{};
    table.fill(kNoPiece);
    for (std::size_t i = 0; i < kLetters.size(); ++i) {
        table[static_cast<unsigned char>(kLetters[i])] =
            piece_of(i < kKinds ? Color::White : Color::Black, static_cast<Kind>(i % kKinds));
    }
    return table;
}();

char letter_of(Piece piece) {
    return kLetters[index(color_of(piece)) * kKinds + index(kind_of(piece))];
}

/// One rank's letters and digits; `rank` counts from 0.
void read_rank(std::string_view text, unsigned rank, Setup& setup) {
    const auto where = [text, rank] {
        return "rank " + std::to_string(rank + 1) + " of the board, " + quoted(text);
    };
    unsigned file = 0;
    for (const char c : text) {
        if (c >= '1' && c <= '8') {
            file += static_cast<unsigned>(c - '0');
        } else if (const Piece piece = kPieceFrom[static_cast<unsigned char>(c)];
                   piece != kNoPiece) {
            if (file < 8) setup.pieces[square_at(file, rank)] = piece;
            ++file;
        } else {
            throw Error(where() + ": expected a piece or a digit, found " + quoted({&c, 1}));
        }
        if (file > 8) throw Error(where() + ", has more than 8 squares");
    }
    if (file < 8) throw Error(where() + ", has " + std::to_string(file) + " squares, expected 8");
}

void read_pieces(std::string_view text, Setup& setup) {
    std::string_view rest = text;
    for (unsigned rank = 8; rank-- > 0;) {
        const std::size_t slash = rest.find('/');
        if ((slash == std::string_view::npos) != (rank == 0)) {
            throw Error("the board " + quoted(text) + " has not 8 ranks between slashes");
        }
        read_rank(rest.substr(0, slash), rank, setup);
        if (rank > 0) rest.remove_prefix(slash + 1);
    }
}

/// The squares of each piece; those of kNoPiece are the empty ones.
using Sets = std::array<Bitboard, 16>;

Sets sets_of(const Setup& setup) {
    Sets sets{};
    for (Square square = 0; square < 64; ++square) sets[setup.pieces[square]] |= bit(square);
    return sets;
}

Bitboard set_of(const Sets& sets, Color color, Kind kind) {
    return sets[piece_of(color, kind)];
}

void check_pieces(const Sets& sets) {
    for (const Color color : kColors) {
        const std::string_view name = name_of(color);
        const Bitboard kings = set_of(sets, color, Kind::King);
        if (kings == 0) throw Error(std::string(name) + " has no king");
        if (has_several(kings)) {
            throw Error(std::string(name) + " has " + std::to_string(std::popcount(kings)) +
                        " kings");
        }
        Bitboard all = 0;
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            all |= set_of(sets, color, static_cast<Kind>(kind));
        }
        if (std::popcount(all) > 16) {
            throw Error(std::string(name) + " has " + std::to_string(std::popcount(all)) +
                        " pieces; more than 16 cannot be refereed");
        }
        const Bitboard pawns = set_of(sets, color, Kind::Pawn);
        if (const Bitboard stranded = pawns & (kRank1 | kRank8); stranded != 0) {
            throw Error("a pawn stands on " + square_name(first(stranded)));
        }
        // Programs size their tables by it.
        if (std::popcount(pawns) > 8) {
            throw Error(std::string(name) + " has " + std::to_string(std::popcount(pawns)) +
                        " pawns; no game has more than 8");
        }
    }
}

/// The rook of the right that `letter` claims for `color`, by X-FEN's or Shredder's meaning.
std::optional<Square> castling_rook(char letter, Color color, Square king, Bitboard rooks) {
    const unsigned rank = color == Color::White ? 0 : 7;
    const Bitboard there = rooks & rank_bits(rank);
    if (letter == 'k' || letter == 'q') {
        // The outermost rook of the king's side, as seen from the edge.
        for (unsigned i = 0; i < 8; ++i) {
            const Square square = square_at(letter == 'k' ? 7 - i : i, rank);
            if (square == king) return std::nullopt;
            if ((there & bit(square)) != 0) return square;
        }
        return std::nullopt;
    }
    const Square square = square_at(static_cast<unsigned>(letter - 'a'), rank);
    if ((there & bit(square)) == 0) return std::nullopt;
    return square;
}

void read_right(char c, Variant variant, const Sets& sets, Setup& setup) {
    const auto claim = [c] { return "castling right " + quoted({&c, 1}); };
    const char letter = to_lower(c);
    const Color color = c == letter ? Color::Black : Color::White;
    if (letter != 'k' && letter != 'q' && (letter < 'a' || letter > 'h')) {
        throw Error(claim() + ": expected '-' or letters of KQkq or of the rooks' files");
    }
    const Square king = first(set_of(sets, color, Kind::King));
    if (rank_of(king) != (color == Color::White ? 0U : 7U)) {
        throw Error(claim() + ": the king on " + square_name(king) + " has left its first rank");
    }
    const Bitboard rooks = set_of(sets, color, Kind::Rook);
    const auto rook = castling_rook(letter, color, king, rooks);
    if (!rook) throw Error(claim() + ": there is no rook to castle with");
    const bool king_side = *rook > king;
    if (variant == Variant::Standard &&
        (file_of(king) != 4 || file_of(*rook) != (king_side ? 7U : 0U))) {
        throw Error(claim() + ": king on " + square_name(king) + " and rook on " +
                    square_name(*rook) + " castle in chess960 only");
    }
    Square& slot = setup.rooks[right_index(color, king_side)];
    if (slot != kNoSquare) throw Error(claim() + " is given twice for one side of the king");
    slot = *rook;
}

void read_rights(std::string_view text, Variant variant, const Sets& sets, Setup& setup) {
    if (text == "-") return;
    for (const char c : text) read_right(c, variant, sets, setup);
}

void read_ep(std::string_view text, Setup& setup) {
    if (text == "-") return;
    const bool white = setup.side == Color::White;
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] != (white ? '6' : '3')) {
        throw Error("en-passant square " + quoted(text) + ": expected '-' or a square of rank " +
                    (white ? "6" : "3") + ", as " + std::string(name_of(setup.side)) +
                    " is to move");
    }
    const auto file = static_cast<unsigned>(text[0] - 'a');
    const Square passed = square_at(file, white ? 5 : 2);
    const Square pawn = square_at(file, white ? 4 : 3);
    const Square home = square_at(file, white ? 6 : 1);
    const bool is_possible = setup.pieces[pawn] == piece_of(other(setup.side), Kind::Pawn) &&
                             setup.pieces[passed] == kNoPiece && setup.pieces[home] == kNoPiece;
    if (is_possible) setup.ep = passed;
}

int read_counter(std::string_view text, std::string_view what, int most) {
    const auto value = to_number<int>(text);
    if (!value || *value < 0 || *value > most) {
        throw Error(std::string(what) + ": expected a number from 0 to " + std::to_string(most) +
                    ", found " + quoted(text));
    }
    return *value;
}

void check_checks(const Board& board) {
    const Color mover = board.side();
    const Bitboard occupied = board.occupied();
    if (board.attackers(board.king(other(mover)), mover, occupied) != 0) {
        throw Error(std::string(name_of(other(mover))) + " is in check, but it is " +
                    std::string(name_of(mover)) + "'s move");
    }
    // One move can open one line and attack by itself: no more than two pieces.
    if (std::popcount(board.attackers(board.king(mover), other(mover), occupied)) > 2) {
        throw Error("the king of " + std::string(name_of(mover)) +
                    " is attacked by more than two pieces");
    }
}

void append_rights(const Board& board, std::string& out) {
    const std::size_t before = out.size();
    for (std::size_t right = 0; right < 4; ++right) {
        if ((board.rights() >> right & 1U) == 0) continue;
        const Color color = right < 2 ? Color::White : Color::Black;
        const char side = right % 2 == 0 ? 'k' : 'q';
        const Square rook = board.castling_rook(right);
        const bool is_outermost =
            castling_rook(side, color, board.king(color), board.of(color, Kind::Rook)) == rook;
        const char letter = is_outermost ? side : static_cast<char>('a' + file_of(rook));
        out += color == Color::White ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    if (out.size() == before) out += '-';
}

}  // namespace

Board parse_fen(std::string_view text, Variant variant) {
    const std::vector<std::string_view> fields = split_words(trim(text));
    if (fields.size() != 4 && fields.size() != 6) {
        throw Error("expected a FEN of 6 fields or an EPD of 4, found " +
                    std::to_string(fields.size()) + " in " + quoted(text));
    }
    Setup setup;
    read_pieces(fields[0], setup);
    if (fields[1] != "w" && fields[1] != "b") {
        throw Error("side to move: expected 'w' or 'b', found " + quoted(fields[1]));
    }
    setup.side = fields[1] == "w" ? Color::White : Color::Black;
    const Sets sets = sets_of(setup);
    check_pieces(sets);
    read_rights(fields[2], variant, sets, setup);
    read_ep(fields[3], setup);
    if (fields.size() == 6) {
        setup.halfmoves = read_counter(fields[4], "half-move clock", 9999);
        setup.fullmoves = std::max(1, read_counter(fields[5], "move number", 99999));
    }
    const Board board(setup);
    check_checks(board);
    return board;
}

std::string write_fen(const Board& board) {
    std::string out;
    out.reserve(96);
    for (unsigned rank = 8; rank-- > 0;) {
        int empty = 0;
        for (unsigned file = 0; file < 8; ++file) {
            const Piece piece = board.piece_on(square_at(file, rank));
            if (piece == kNoPiece) {
                ++empty;
                continue;
            }
            if (empty > 0) out += static_cast<char>('0' + empty);
            empty = 0;
            out += letter_of(piece);
        }
        if (empty > 0) out += static_cast<char>('0' + empty);
        if (rank > 0) out += '/';
    }
    out += board.side() == Color::White ? " w " : " b ";
    append_rights(board, out);
    out += ' ';
    out += board.ep() == kNoSquare ? "-" : square_name(board.ep());
    out += ' ';
    out += std::to_string(board.halfmoves());
    out += ' ';
    out += std::to_string(board.fullmoves());
    return out;
}

}  // namespace assay::rules::chess
