#pragma once
#include <cstdint>

#include "openings/read/opening.h"
#include "rules/game.h"

namespace assay::openings {

/// An opening of random moves, for a game without a book: one of the game's start positions, and
/// then `plies` moves of players, each drawn uniformly from the legal moves that do not end the
/// game. Chance events between and behind them are drawn by their probabilities and are part of the
/// opening, so that a player moves next. A pure function of its arguments: nothing is stored and
/// any part of a run can be played anywhere. `number` counts the openings of a seed, and is the
/// opening's index. REQUIRES: plies >= 0. Throws Error where each of 100 drawings came to a
/// position in which every move ends the game.
[[nodiscard]] Opening random_opening(const rules::Game& game, int plies, std::uint64_t seed,
                                     std::uint64_t number);

}  // namespace assay::openings
