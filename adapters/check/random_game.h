#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "rules/game.h"

namespace assay::adapters {

/// `plies` legal moves from the start, drawn at random but always the same, in canonical notation
/// with blanks between them; fewer where each game that was tried ended before. The game goes on
/// after them.
[[nodiscard]] std::string random_game(const rules::Game& game, int plies);

/// The position after these moves, in canonical notation, from `start` (empty: the game's). What is
/// no legal move is passed over.
[[nodiscard]] std::unique_ptr<rules::Position> played_position(const rules::Game& game,
                                                               std::string_view start,
                                                               std::string_view moves);

}  // namespace assay::adapters
