#pragma once
#include <cstdint>

#include "rules/chess/board.h"

namespace assay::rules::chess {

/// The number of legal sequences of `depth` moves; 1 at depth 0. The last ply is counted without
/// being played. The board is as before afterwards. Uses the processor's bit counting where it is
/// there.
[[nodiscard]] std::uint64_t perft(Board& board, int depth);

}  // namespace assay::rules::chess
