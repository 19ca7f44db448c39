#pragma once
#include "engines/chess_player/chess_words.h"

namespace assay::engines {

/// The material that the side to move wins, in hundredths of a pawn, if it plays the move and both
/// go on capturing on the target square as long as they gain by it, the least valuable piece first
/// (static exchange evaluation). Below 0 the move loses material on that square. Pins are ignored.
/// REQUIRES: the move is legal.
[[nodiscard]] int exchange_value(const Board& board, Move move);

/// The most that the side `by` wins by capturing what stands on the square now, and 0 where that
/// does not pay. A king is never won.
[[nodiscard]] int exchange_threat(const Board& board, Square square, Color by);

}  // namespace assay::engines
