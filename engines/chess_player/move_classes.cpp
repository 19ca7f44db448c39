#include "engines/chess_player/move_classes.h"

#include "engines/chess_player/exchange.h"

namespace assay::engines {

namespace {

bool is_forced(const Board& board, Move move) {
    const Color side = board.side();
    return exchange_threat(board, from_of(move), other(side)) > 0;
}

/// What the moved piece attacks after the move, the way that it opens for others aside: the paper
/// too looks at the influence of the piece that moves.
Bitboard attacked_after(const Board& after, Square at) {
    const Piece piece = after.piece_on(at);
    const Bitboard occupied = after.occupied();
    switch (kind_of(piece)) {
        case Kind::Pawn:
            return kTables.pawn_attacks[index(color_of(piece))][at];
        case Kind::Knight:
            return kTables.knight_attacks[at];
        case Kind::Bishop:
            return bishop_attacks(at, occupied);
        case Kind::Rook:
            return rook_attacks(at, occupied);
        case Kind::Queen:
            return bishop_attacks(at, occupied) | rook_attacks(at, occupied);
        default:
            return kTables.king_attacks[at];
    }
}

bool is_forcing(const Board& board, Move move) {
    const Color side = board.side();
    const bool castles = move_kind(move) == MoveKind::Castling;
    const Square to = castles ? castled_rook(side, to_of(move) > from_of(move)) : to_of(move);
    Board after = board;
    Undo undo;
    after.make(move, undo);
    if (after.in_check()) return true;
    for (Bitboard set = attacked_after(after, to) & after.of(other(side)); set != 0;) {
        const Square square = pop(set);
        if (exchange_threat(after, square, side) <= 0) continue;
        if (exchange_threat(board, square, side) <= 0) return true;
    }
    return false;
}

}  // namespace

MoveClass move_class(const Board& board, Move move) {
    const bool safe = exchange_value(board, move) >= 0;
    const bool captures =
        move_kind(move) == MoveKind::EnPassant ||
        (move_kind(move) != MoveKind::Castling && board.piece_on(to_of(move)) != kNoPiece);
    if (captures) return safe ? MoveClass::SafeCapture : MoveClass::UnsafeCapture;
    if (is_forced(board, move)) return safe ? MoveClass::SafeForced : MoveClass::UnsafeForced;
    if (is_forcing(board, move)) return safe ? MoveClass::SafeForcing : MoveClass::UnsafeForcing;
    return safe ? MoveClass::SafeOther : MoveClass::UnsafeOther;
}

}  // namespace assay::engines
