#pragma once
#include <cstdint>
#include <vector>

#include "engines/chess_player/options.h"
#include "engines/search/control.h"
#include "engines/search/searcher.h"
#include "rules/chess/board.h"
#include "rules/game.h"

namespace assay::engines {

/// The root of a search: the board, and the hashes of earlier positions of the game that may still
/// recur, oldest first.
struct SearchRoot {
    rules::chess::Board board;
    std::vector<std::uint64_t> earlier;
};

/// REQUIRES: `position` is one of chess.
[[nodiscard]] SearchRoot root_of(const rules::Position& position);

/// Searches with these options. The caller has sized the memory. The log may be null.
[[nodiscard]] std::vector<Line> search(const rules::Position& position,
                                       const PlayerOptions& options, Memory& memory,
                                       const Limits& limits, Control& control,
                                       NodeLog* log = nullptr);

}  // namespace assay::engines
