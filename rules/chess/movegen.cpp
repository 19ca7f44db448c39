// Questions about legality that need no list of moves. The generator is a template over a sink: it
// hands over sets of target squares, and what is done with them (a list, a count, a search for one
// move, whether there is any) is compiled into it. has_legal_move() stops at the first set that is
// not empty; is_legal() looks from the target square backwards, where pieces other than pawns move
// alike in both directions.
//
// Legality of a single move is decided by making it on a copy of the occupied squares and asking
// who attacks the king: pins, checks and discovered checks are all in that one question.
#include "rules/chess/movegen.h"

namespace assay::rules::chess {

namespace {

/// Looks for one move.
class SearchSink {
public:
    SearchSink(Move move, Kind kind) : move_(move), kind_(kind) {}

    [[nodiscard]] bool wants(Kind kind) const { return kind == kind_; }

    void targets(Kind /*kind*/, Square from, Bitboard to) { match(from, to, MoveKind::Plain); }

    void pawns(Bitboard to, int step) {
        match(static_cast<Square>(to_of(move_) - step), to, MoveKind::Plain);
    }

    void promotions(Bitboard to, int step) {
        match(static_cast<Square>(to_of(move_) - step), to, MoveKind::Promotion);
    }

    void single(Move move) { found_ = found_ || move == move_; }

    [[nodiscard]] bool found() const { return found_; }

private:
    void match(Square from, Bitboard to, MoveKind kind) {
        if ((to >> to_of(move_) & 1U) == 0 || from_of(move_) != from) return;
        // Bits that a move of this kind does not use must be clear: one move, one word.
        const Kind promoted = kind == MoveKind::Promotion ? promoted_kind(move_) : Kind::Knight;
        found_ = found_ || move_ == pack(from, to_of(move_), kind, promoted);
    }

    Move move_;
    Kind kind_;
    bool found_ = false;
};

class AnySink {
public:
    void targets(Kind /*kind*/, Square /*from*/, Bitboard to) { any_ |= to; }

    void pawns(Bitboard to, int /*step*/) { any_ |= to; }

    void promotions(Bitboard to, int /*step*/) { any_ |= to; }

    void single(Move /*move*/) { any_ = ~Bitboard{0}; }

    /// False once a move was found. The king's moves cost most and are generated separately.
    [[nodiscard]] bool wants(Kind kind) const {
        return kind == Kind::King ? wants_king_ : !wants_king_ && any_ == 0;
    }

    void turn_to_king() { wants_king_ = true; }

    [[nodiscard]] bool any() const { return any_ != 0; }

private:
    Bitboard any_ = 0;
    bool wants_king_ = false;
};

/// From where a piece reaches the square: all pieces but pawns move alike in both directions.
Bitboard reaching(Kind kind, Square square, Bitboard occupied) {
    switch (kind) {
        case Kind::Knight:
            return kTables.knight_attacks[square];
        case Kind::Bishop:
            return bishop_attacks(square, occupied);
        case Kind::Rook:
            return rook_attacks(square, occupied);
        case Kind::Queen:
            return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
        case Kind::King:
            return kTables.king_attacks[square];
        case Kind::Pawn:
        case Kind::None:
            break;
    }
    return 0;
}

/// Covers pins, checks that the move must answer, and squares that the king may not enter.
bool is_king_safe_after(const Board& board, Square from, Square to) {
    const Color us = board.side();
    const Bitboard king = board.of(us, Kind::King);
    const Square place = king == bit(from) ? to : first(king);
    const Bitboard occupied = (board.occupied() ^ bit(from)) | bit(to);
    return (board.attackers(place, other(us), occupied) & ~bit(to)) == 0;
}

}  // namespace

Bitboard origins_of(const Board& board, Kind kind, Square to, Bitboard from) {
    const Color us = board.side();
    if ((board.of(us) & bit(to)) != 0) return 0;
    Bitboard candidates = reaching(kind, to, board.occupied()) & board.of(us, kind) & from;
    Bitboard legal = 0;
    while (candidates != 0) {
        const Square square = pop(candidates);
        if (is_king_safe_after(board, square, to)) legal |= bit(square);
    }
    return legal;
}

bool is_legal(const Board& board, Move move) {
    const Square from = from_of(move);
    const Piece piece = board.piece_on(from);
    if (piece == kNoPiece || color_of(piece) != board.side()) return false;
    if (kind_of(piece) != Kind::Pawn && move_kind(move) == MoveKind::Plain) {
        const Square to = to_of(move);
        return move == pack(from, to) && origins_of(board, kind_of(piece), to, bit(from)) != 0;
    }
    SearchSink sink(move, kind_of(piece));
    generate(board, sink);
    return sink.found();
}

bool has_legal_move(const Board& board) {
    AnySink sink;
    generate(board, sink);
    if (sink.any()) return true;
    sink.turn_to_king();
    generate(board, sink);
    return sink.any();
}

}  // namespace assay::rules::chess
