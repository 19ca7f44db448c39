#pragma once
#include <cstdint>

#include "rules/chess/board.h"

namespace assay::rules::chess {

/// The number of legal sequences of `depth` moves; 1 at depth 0. The last ply is counted without
/// being played. The board is unchanged afterwards. Uses the processor's instructions for counting
/// bits where it has them.
[[nodiscard]] std::uint64_t perft(Board& board, int depth);

}  // namespace assay::rules::chess
