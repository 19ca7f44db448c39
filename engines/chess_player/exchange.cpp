// Static exchange evaluation: the result of all captures on one square, without a search. The two
// sides capture in turn with their least valuable attacker, and each may stop when going on would
// lose. Taking a piece off the board can open a line for another attacker behind it, so that
// attackers are found again after each capture. The gains of the sequence are then folded from its
// end: a side goes on only where that gains. It serves to order moves and to skip captures that
// lose; a quiescence search would also see the rest of the board, but is a search.
#include "engines/chess_player/exchange.h"

#include <algorithm>
#include <array>

#include "engines/chess_player/evaluation.h"

namespace assay::engines {

namespace {

Bitboard least_valuable(const Board& board, Bitboard attackers, Kind& kind) {
    for (const Kind each :
         {Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King}) {
        const Bitboard set = attackers & board.of(each);
        if (set != 0) {
            kind = each;
            return set & (0 - set);
        }
    }
    return 0;
}

/// What `side` wins by capturing on the square, where a piece of this value stands.
int best_capture(const Board& board, Square square, Color side, Bitboard occupied, int standing) {
    std::array<int, 34> gain{};
    int last = 0;
    while (last < 32) {
        const Bitboard attackers = board.attackers(square, side, occupied) & occupied;
        Kind kind = Kind::None;
        const Bitboard from = least_valuable(board, attackers, kind);
        if (from == 0) break;
        // A king does not capture what is guarded.
        if (kind == Kind::King &&
            (board.attackers(square, other(side), occupied ^ from) & occupied) != 0) {
            break;
        }
        gain[static_cast<std::size_t>(last++)] = standing;
        standing = kPieceValues[index(kind)];
        occupied ^= from;
        side = other(side);
    }
    int value = 0;
    while (last > 0) {
        value = std::max(0, gain[static_cast<std::size_t>(--last)] - value);
    }
    return value;
}

}  // namespace

int exchange_value(const Board& board, Move move) {
    if (move_kind(move) == MoveKind::Castling) return 0;
    const Square from = from_of(move);
    const Square to = to_of(move);
    Bitboard occupied = board.occupied() ^ bit(from);
    int won = kPieceValues[index(kind_of(board.piece_on(to)))];
    int standing = kPieceValues[index(kind_of(board.piece_on(from)))];
    if (move_kind(move) == MoveKind::EnPassant) {
        occupied ^= bit(square_at(file_of(to), rank_of(from)));
        won = kPieceValues[index(Kind::Pawn)];
    }
    if (move_kind(move) == MoveKind::Promotion) {
        standing = kPieceValues[index(promoted_kind(move))];
        won += standing - kPieceValues[index(Kind::Pawn)];
    }
    return won - best_capture(board, to, other(board.side()), occupied | bit(to), standing);
}

int exchange_threat(const Board& board, Square square, Color by) {
    const Kind kind = kind_of(board.piece_on(square));
    if (kind == Kind::King || kind == Kind::None) return 0;
    return best_capture(board, square, by, board.occupied(), kPieceValues[index(kind)]);
}

}  // namespace assay::engines
