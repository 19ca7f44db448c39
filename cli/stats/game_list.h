#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "stats/estimate/game_list.h"

namespace assay::cli {

/// A PGN file's content, which outlives the call.
struct PgnText {
    std::string path;  // for messages
    std::string_view text;
};

/// Reads games from PGN. Two games are a pair if the same two programs played them with sides
/// swapped, from the same opening (FEN and moves marked as book) if that is known, in the same
/// round if rounds are written as 12.1 and 12.2; if neither is known, one right after the other.
/// The Result tag says how a game ended; where the word behind the moves contradicts it, there is a
/// warning. A game with the players, start, moves and result of an earlier one is a duplicate.
/// Never fails: text that is not a game is counted in `faults`.
[[nodiscard]] stats::GameList games_of_pgn(const std::vector<PgnText>& files,
                                           bool leaves_out_duplicates = false);

}  // namespace assay::cli
