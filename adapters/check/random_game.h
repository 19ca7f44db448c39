#pragma once
#include <string>

#include "rules/game.h"

namespace assay::adapters {

/// `plies` legal moves from the start, drawn at random but always the same, in canonical notation
/// with blanks between them; fewer where each game that was tried ended before. The game goes on
/// after them.
[[nodiscard]] std::string random_game(const rules::Game& game, int plies);

}  // namespace assay::adapters
