#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/plan/time_control.h"
#include "harness/record/game.h"
#include "openings/read/opening.h"

namespace assay::harness {

/// Who plays whom from which opening: the games that one place plays in a row, on one machine. The
/// common case is a pair: two entrants, two games of one opening, with sides swapped in the second.
struct Encounter {
    std::size_t match = 0;              // of the run's plan, that it belongs to
    std::int64_t pair = 0;              // in schedule order, from 0
    int attempt = 0;                    // from 0; counts replays after a void
    std::int64_t first_game = 1;        // the number of its first game; the others follow
    int games = 2;                      // how many are played
    std::vector<std::size_t> entrants;  // programs of the plan, by index; one a player
    std::int64_t round = 0;             // of its tournament, from 0
    openings::Opening opening;
    /// Of the games behind the first, where each has its own; empty: they have the same.
    std::vector<openings::Opening> own_openings;
    /// By entrant, where they have other limits than else; empty: they do not.
    std::vector<TimeControl> times;
    bool swaps_sides = true;
    bool begins_reversed = false;
    std::optional<GameRecord> played;  // its first game, where an earlier session has played it

    /// `game` counts from 0.
    [[nodiscard]] const openings::Opening& opening_of(int game) const {
        const auto index = static_cast<std::size_t>(game);
        return game == 0 || own_openings.empty() ? opening : own_openings.at(index - 1);
    }

    /// By how many players the entrants have moved on in this game: see lineup_of().
    [[nodiscard]] int turn_of(int game) const {
        return (swaps_sides ? game : 0) + (begins_reversed ? 1 : 0);
    }
};

}  // namespace assay::harness
