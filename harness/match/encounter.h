#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/record/game.h"
#include "openings/read/opening.h"

namespace assay::harness {

/// Who plays whom from which opening: the games that one place plays in a row, on one machine. The
/// common case is a pair: two entrants, two games, with sides swapped in the second (lineup_of()).
struct Encounter {
    std::int64_t pair = 0;              // in schedule order, from 0
    int attempt = 0;                    // from 0; counts replays after a void
    std::int64_t first_game = 1;        // the number of its first game; the others follow
    int games = 2;                      // how many are played
    std::vector<std::size_t> entrants;  // programs of the plan, by index; one a player
    openings::Opening opening;
    std::optional<GameRecord> played;  // its first game, where an earlier session has played it
};

}  // namespace assay::harness
