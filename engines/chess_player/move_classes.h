#pragma once
#include <cstdint>

#include "engines/chess_player/chess_words.h"

namespace assay::engines {

/// The order in which the Chessmaps heuristic looks at moves (Greer 2000; "Dynamic Move Chains",
/// section 2). Unsafe: the move loses material on the square that it goes to. Capture: it takes
/// something. Forced: where the piece stood it could have been captured with gain. Forcing: the
/// opponent must now save a piece that could be captured with gain, and could not before; a check
/// counts. The paper's neural network, which orders the moves of class SafeOther by the squares
/// that they influence, is not part of it: history orders them.
enum class MoveClass : std::uint8_t {
    SafeCapture,
    SafeForced,
    SafeForcing,
    SafeOther,
    UnsafeCapture,
    UnsafeForced,
    UnsafeForcing,
    UnsafeOther
};

/// REQUIRES: the move is legal.
[[nodiscard]] MoveClass move_class(const Board& board, Move move);

}  // namespace assay::engines
