#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "rules/chess/attacks.h"
#include "rules/chess/types.h"

namespace assay::rules::chess {

/// The four castling rights in the order K Q k q; each is a bit of Board::rights().
[[nodiscard]] constexpr std::size_t right_index(Color color, bool king_side) {
    return index(color) * 2 + (king_side ? 0 : 1);
}

/// The data that a board is built from. fen.h reads it from text and checks its validity.
struct Setup {
    std::array<Piece, 64> pieces{};
    Color side = Color::White;
    /// The rook of each right (right_index), kNoSquare without the right.
    std::array<Square, 4> rooks{kNoSquare, kNoSquare, kNoSquare, kNoSquare};
    Square ep = kNoSquare;  // the square passed over, whether or not a capture is possible
    int halfmoves = 0;
    int fullmoves = 1;

    Setup() { pieces.fill(kNoPiece); }
};

/// What undo() needs and cannot compute. 16 bytes.
struct Undo {
    std::uint64_t hash = 0;
    std::uint16_t halfmoves = 0;
    Piece captured = kNoPiece;
    std::uint8_t rights = 0;
    Square ep = kNoSquare;
};

/// A chess position without its history, made for speed: bitboards and a mailbox, a hash kept up to
/// date, make and undo in place, no allocation. Standard chess, chess960 and double fischerandom
/// alike. Copyable (240 bytes); one thread at a time. Legal moves come from movegen.h.
///
/// Invariants: one king a side, at most 16 pieces a side, no pawns on the first and last rank, the
/// side that is not to move is not in check. ep() is set only where an en-passant capture is legal,
/// so that hash() and FEN are the same for positions with the same future.
class Board {
public:
    /// REQUIRES: the setup satisfies the invariants and its rights have king and rook in place.
    /// An ep square that no legal capture can use is dropped.
    explicit Board(const Setup& setup);

    [[nodiscard]] Color side() const { return side_; }

    [[nodiscard]] Piece piece_on(Square square) const { return mailbox_[square]; }

    [[nodiscard]] Bitboard occupied() const { return colors_[0] | colors_[1]; }

    [[nodiscard]] Bitboard of(Color color) const { return colors_[index(color)]; }

    [[nodiscard]] Bitboard of(Kind kind) const { return kinds_[index(kind)]; }

    [[nodiscard]] Bitboard of(Color color, Kind kind) const { return of(color) & of(kind); }

    [[nodiscard]] Square king(Color color) const { return first(of(color, Kind::King)); }

    [[nodiscard]] Square ep() const { return ep_; }

    /// Bits by right_index.
    [[nodiscard]] unsigned rights() const { return rights_; }

    /// The rook that the right at this right_index castles with. REQUIRES: the right is there.
    [[nodiscard]] Square castling_rook(std::size_t right) const { return rooks_[right]; }

    /// Plies since the last capture or pawn move.
    [[nodiscard]] int halfmoves() const { return halfmoves_; }

    /// FEN's move number: rises after Black's move.
    [[nodiscard]] int fullmoves() const { return fullmoves_; }

    /// Of pieces, side, rights and a possible en-passant capture.
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

    /// Pieces of `by` that attack the square, with `occupied` in the way of sliders.
    [[nodiscard]] Bitboard attackers(Square square, Color by, Bitboard occupied) const;

    [[nodiscard]] bool in_check() const {
        return attackers(king(side_), other(side_), occupied()) != 0;
    }

    /// Whether the pawn of the side to move on `from` may capture en passant on `to`, given that it
    /// attacks it: its king must not be attacked once both pawns are gone from their squares.
    [[nodiscard]] bool ep_is_legal(Square from, Square to) const;

    /// REQUIRES: the move is legal.
    void make(Move move, Undo& undo);
    /// REQUIRES: `move` was the last one made, and filled `undo`.
    void undo(Move move, const Undo& undo);

    /// The side to move plays nothing: no move of chess, but searches ask what would happen then.
    /// REQUIRES: it is not in check.
    void pass(Undo& undo);
    /// REQUIRES: pass() came last, and filled `undo`.
    void unpass(const Undo& undo);

    friend bool operator==(const Board&, const Board&) = default;

private:
    void put(Square square, Piece piece);
    void take(Square square, Piece piece);
    void castle(Square king_from, Square rook_from);
    void lose_rights(unsigned lost);
    void set_ep_after_double_push(Square passed);

    std::array<Bitboard, 2> colors_{};
    std::array<Bitboard, kKinds> kinds_{};
    std::uint64_t hash_ = 0;
    std::array<Piece, 64> mailbox_{};
    std::array<std::uint8_t, 64> keeps_{};  // the rights that survive a move from or to a square
    std::array<Square, 4> rooks_{};
    Color side_ = Color::White;
    std::uint8_t rights_ = 0;
    Square ep_ = kNoSquare;
    std::uint16_t halfmoves_ = 0;
    std::int32_t fullmoves_ = 1;
};

inline Bitboard Board::attackers(Square square, Color by, Bitboard occupied) const {
    const Bitboard queens = of(Kind::Queen);
    return of(by) & ((kTables.pawn_attacks[index(other(by))][square] & of(Kind::Pawn)) |
                     (kTables.knight_attacks[square] & of(Kind::Knight)) |
                     (kTables.king_attacks[square] & of(Kind::King)) |
                     (bishop_attacks(square, occupied) & (of(Kind::Bishop) | queens)) |
                     (rook_attacks(square, occupied) & (of(Kind::Rook) | queens)));
}

/// Where king and rook stand after castling on this side.
[[nodiscard]] constexpr Square castled_king(Color color, bool king_side) {
    return square_at(king_side ? 6 : 2, color == Color::White ? 0 : 7);
}

[[nodiscard]] constexpr Square castled_rook(Color color, bool king_side) {
    return square_at(king_side ? 5 : 3, color == Color::White ? 0 : 7);
}

}  // namespace assay::rules::chess
