#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/record/game.h"
#include "openings/read/opening.h"

namespace assay::harness {

/// Who plays whom from which opening: the games that one place plays in a row, on one machine. The
/// common case is a pair: two entrants, two games, with sides swapped in the second.
struct Encounter {
    std::int64_t pair = 0;                  // in schedule order, from 0
    int attempt = 0;                        // from 0; counts replays after a void
    std::int64_t first_game = 1;            // the number of its first game; the others follow
    int games = 2;                          // how many are played
    std::array<std::size_t, 2> entrants{};  // programs of the plan, by index
    openings::Opening opening;
    std::optional<GameRecord> played;  // its first game, where an earlier sitting has played it
};

}  // namespace assay::harness
