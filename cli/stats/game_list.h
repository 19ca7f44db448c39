#pragma once
#include <string_view>

#include "stats/estimate/game_list.h"

namespace assay::cli {

/// Reads games from PGN. Two games are a pair if the same two programs played them with sides
/// swapped, from the same opening (FEN and moves marked as book) if that is known, in the same
/// round if rounds are written as 12.1 and 12.2; if neither is known, one right after the other.
/// Never fails: text that is not a game is counted in `faults`.
[[nodiscard]] stats::GameList games_of_pgn(std::string_view text);

}  // namespace assay::cli
