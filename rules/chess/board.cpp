// A position as bitboards and a mailbox, changed in place, with its hash kept up by exclusive or
// (Zobrist 1970): a move costs a few words, and undoing restores what cannot be computed back
// (Undo).
//
// The hash stands for "the same position" in the sense of repetitions. So an en passant square
// counts only where a capture there is legal, pins included; a square that is noted after every
// double step would make equal positions different, and a draw by repetition would be missed.
//
// Castling rights are lost by leaving or capturing certain squares: `keeps_` has for each square
// the rights that survive a move from or to it. It depends on where the rooks began, so that
// chess960 needs nothing of its own.
#include "rules/chess/board.h"

namespace assay::rules::chess {

Board::Board(const Setup& setup)
    : rooks_(setup.rooks),
      side_(setup.side),
      halfmoves_(static_cast<std::uint16_t>(setup.halfmoves)),
      fullmoves_(setup.fullmoves) {
    mailbox_.fill(kNoPiece);
    for (Square square = 0; square < 64; ++square) {
        if (setup.pieces[square] != kNoPiece) put(square, setup.pieces[square]);
    }
    if (side_ == Color::Black) hash_ ^= kTables.black_key;

    keeps_.fill(0xf);
    for (std::size_t right = 0; right < rooks_.size(); ++right) {
        if (rooks_[right] == kNoSquare) continue;
        const unsigned mask = 1U << right;
        const Square king_square = king(right < 2 ? Color::White : Color::Black);
        keeps_[rooks_[right]] = static_cast<std::uint8_t>(keeps_[rooks_[right]] & ~mask);
        keeps_[king_square] = static_cast<std::uint8_t>(keeps_[king_square] & ~mask);
        rights_ = static_cast<std::uint8_t>(rights_ | mask);
        hash_ ^= kTables.castling_keys[rooks_[right]];
    }
    if (setup.ep != kNoSquare) set_ep_after_double_push(setup.ep);
}

inline void Board::put(Square square, Piece piece) {
    colors_[index(color_of(piece))] |= bit(square);
    kinds_[index(kind_of(piece))] |= bit(square);
    mailbox_[square] = piece;
    hash_ ^= kTables.piece_keys[piece][square];
}

inline void Board::take(Square square, Piece piece) {
    colors_[index(color_of(piece))] ^= bit(square);
    kinds_[index(kind_of(piece))] ^= bit(square);
    mailbox_[square] = kNoPiece;
    hash_ ^= kTables.piece_keys[piece][square];
}

bool Board::ep_is_legal(Square from, Square to) const {
    // The captured pawn stands beside `from`, on the file of `to`.
    const Bitboard captured = bit(square_at(file_of(to), rank_of(from)));
    const Bitboard after = (occupied() ^ bit(from) ^ captured) | bit(to);
    return (attackers(king(side_), other(side_), after) & ~captured) == 0;
}

void Board::set_ep_after_double_push(Square passed) {
    Bitboard capturers = kTables.pawn_attacks[index(other(side_))][passed] & of(side_, Kind::Pawn);
    while (capturers != 0) {
        if (ep_is_legal(pop(capturers), passed)) {
            ep_ = passed;
            hash_ ^= kTables.ep_keys[file_of(passed)];
            return;
        }
    }
}

void Board::lose_rights(unsigned lost) {
    rights_ = static_cast<std::uint8_t>(rights_ & ~lost);
    for (std::size_t right = 0; right < rooks_.size(); ++right) {
        if ((lost >> right & 1U) != 0) hash_ ^= kTables.castling_keys[rooks_[right]];
    }
}

void Board::castle(Square king_from, Square rook_from) {
    const bool king_side = rook_from > king_from;
    // Both leave before either arrives: in chess960 one may land where the other stood.
    take(king_from, piece_of(side_, Kind::King));
    take(rook_from, piece_of(side_, Kind::Rook));
    put(castled_king(side_, king_side), piece_of(side_, Kind::King));
    put(castled_rook(side_, king_side), piece_of(side_, Kind::Rook));
}

void Board::make(Move move, Undo& undo) {
    const Square from = from_of(move);
    const Square to = to_of(move);
    const Piece moved = mailbox_[from];
    undo = {hash_, halfmoves_, kNoPiece, rights_, ep_};
    if (ep_ != kNoSquare) {
        hash_ ^= kTables.ep_keys[file_of(ep_)];
        ep_ = kNoSquare;
    }
    ++halfmoves_;
    Square passed = kNoSquare;
    if (move_kind(move) == MoveKind::Castling) {
        castle(from, to);
    } else {
        const bool is_ep = move_kind(move) == MoveKind::EnPassant;
        const Square victim = is_ep ? square_at(file_of(to), rank_of(from)) : to;
        if (const Piece captured = mailbox_[victim]; captured != kNoPiece) {
            undo.captured = captured;
            take(victim, captured);
            halfmoves_ = 0;
        }
        take(from, moved);
        const bool promotes = move_kind(move) == MoveKind::Promotion;
        put(to, promotes ? piece_of(side_, promoted_kind(move)) : moved);
        if (kind_of(moved) == Kind::Pawn) {
            halfmoves_ = 0;
            // Two ranks apart on one file: of a pawn only the double step.
            if ((from ^ to) == 16) passed = static_cast<Square>((from + to) / 2);
        }
    }
    const unsigned lost = rights_ & ~(keeps_[from] & keeps_[to]);
    if (lost != 0) lose_rights(lost);
    fullmoves_ += static_cast<std::int32_t>(index(side_));
    side_ = other(side_);
    hash_ ^= kTables.black_key;
    if (passed != kNoSquare) set_ep_after_double_push(passed);
}

void Board::undo(Move move, const Undo& undo) {
    const Square from = from_of(move);
    const Square to = to_of(move);
    side_ = other(side_);
    fullmoves_ -= static_cast<std::int32_t>(index(side_));
    if (move_kind(move) == MoveKind::Castling) {
        const bool king_side = to > from;
        take(castled_king(side_, king_side), piece_of(side_, Kind::King));
        take(castled_rook(side_, king_side), piece_of(side_, Kind::Rook));
        put(from, piece_of(side_, Kind::King));
        put(to, piece_of(side_, Kind::Rook));
    } else {
        const bool promoted = move_kind(move) == MoveKind::Promotion;
        const Piece arrived = mailbox_[to];
        take(to, arrived);
        put(from, promoted ? piece_of(side_, Kind::Pawn) : arrived);
        if (undo.captured != kNoPiece) {
            const bool is_ep = move_kind(move) == MoveKind::EnPassant;
            put(is_ep ? square_at(file_of(to), rank_of(from)) : to, undo.captured);
        }
    }
    hash_ = undo.hash;
    halfmoves_ = undo.halfmoves;
    rights_ = undo.rights;
    ep_ = undo.ep;
}

void Board::pass(Undo& undo) {
    undo = {hash_, halfmoves_, kNoPiece, rights_, ep_};
    if (ep_ != kNoSquare) {
        hash_ ^= kTables.ep_keys[file_of(ep_)];
        ep_ = kNoSquare;
    }
    ++halfmoves_;
    fullmoves_ += static_cast<std::int32_t>(index(side_));
    side_ = other(side_);
    hash_ ^= kTables.black_key;
}

void Board::unpass(const Undo& undo) {
    side_ = other(side_);
    fullmoves_ -= static_cast<std::int32_t>(index(side_));
    hash_ = undo.hash;
    halfmoves_ = undo.halfmoves;
    ep_ = undo.ep;
}

}  // namespace assay::rules::chess
