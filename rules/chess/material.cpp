// Material decides only what no sequence of moves can change. A blocked position may be as dead,
// but to know that is a search; the rule of the game (and of arbiters' programs) stops here too.
// The cases are few enough to be written out, each with the reason in the header.
#include "rules/chess/material.h"

namespace assay::rules::chess {

namespace {

bool on_one_colour(Bitboard set) {
    return (set & kDarkSquares) == 0 || (set & ~kDarkSquares) == 0;
}

}  // namespace

bool is_insufficient(const Board& board) {
    const Bitboard kings = board.of(Kind::King);
    const Bitboard pieces = board.occupied() & ~kings;
    const Bitboard bishops = board.of(Kind::Bishop);
    const Bitboard knights = board.of(Kind::Knight);
    if (pieces == bishops) return on_one_colour(bishops);
    return pieces == knights && !has_several(knights);
}

bool can_mate(const Board& board, Color color) {
    const Bitboard own = board.of(color) & ~board.of(Kind::King);
    const Bitboard enemy = board.of(other(color)) & ~board.of(Kind::King);
    if (own == 0) return false;
    if ((own & ~board.of(Kind::Knight)) == 0 && !has_several(own)) {
        return (enemy & ~board.of(Kind::Queen)) != 0;
    }
    if ((own & ~board.of(Kind::Bishop)) == 0 && on_one_colour(own)) {
        const Bitboard blockers = enemy & (board.of(Kind::Pawn) | board.of(Kind::Knight));
        return blockers != 0 || !on_one_colour(board.of(Kind::Bishop));
    }
    return true;
}

}  // namespace assay::rules::chess
