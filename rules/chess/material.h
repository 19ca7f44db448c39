#pragma once
#include "rules/chess/board.h"

namespace assay::rules::chess {

/// Neither side can mate whatever both do, as far as material tells: bare kings, a lone knight or
/// bishop, or bishops of either side that all stand on squares of one colour.
[[nodiscard]] bool is_insufficient(const Board& board);

/// Whether some sequence of legal moves, the opponent helping, lets `color` mate, judged by
/// material alone (FIDE Laws 6.9: who oversteps the time draws where the opponent cannot mate).
/// False for exactly these:
/// - a bare king;
/// - king and one knight, where the opponent has nothing but queens beside the king: a knight's
///   mate needs a piece in the king's way that cannot take the knight's check away;
/// - king and bishops on squares of one colour, where the opponent has neither pawns, nor knights,
///   nor a bishop on the other colour: no one can block the squares that the bishops never see.
/// Blocked positions in which the pieces would suffice count as true.
[[nodiscard]] bool can_mate(const Board& board, Color color);

}  // namespace assay::rules::chess
