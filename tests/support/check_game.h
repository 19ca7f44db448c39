#pragma once
#include <cstdint>
#include <string>

#include "rules/game.h"

namespace assay::tests {

/// Drives a game through the promises of rules/game.h by random play from its start position, up
/// to `plies` moves or the game's end: legal moves are unique and is_legal() agrees with them,
/// names go there and back in every notation, text and parse too, undo restores every answer,
/// clones do not share, to_move() and result() agree, chances sum to 1.
///
/// Empty where all is kept; else the first promise that was broken, with seed, ply and position.
/// The same seed plays the same moves.
[[nodiscard]] std::string check_game(const rules::Game& game, std::uint64_t seed, int plies);

/// The same from another position of that game.
[[nodiscard]] std::string check_game_from(const rules::Game& game, const rules::Position& from,
                                          std::uint64_t seed, int plies);

}  // namespace assay::tests
