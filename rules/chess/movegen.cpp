#include "rules/chess/movegen.h"

namespace assay::rules::chess {

namespace {

/// Looks for one move.
class SearchSink {
public:
    explicit SearchSink(Move move) : move_(move) {}

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
    bool found_ = false;
};

class AnySink {
public:
    void targets(Kind /*kind*/, Square /*from*/, Bitboard to) { any_ |= to; }

    void pawns(Bitboard to, int /*step*/) { any_ |= to; }

    void promotions(Bitboard to, int /*step*/) { any_ |= to; }

    void single(Move /*move*/) { any_ = ~Bitboard{0}; }

    [[nodiscard]] bool any() const { return any_ != 0; }

private:
    Bitboard any_ = 0;
};

}  // namespace

bool is_legal(const Board& board, Move move) {
    SearchSink sink(move);
    generate(board, sink);
    return sink.found();
}

bool has_legal_move(const Board& board) {
    AnySink sink;
    generate(board, sink);
    return sink.any();
}

}  // namespace assay::rules::chess
