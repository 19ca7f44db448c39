#pragma once
#include <string>

#include "rules/game.h"

namespace assay::reports::web {

/// The board of a position as an SVG file that stands alone, with the pieces and colours of the
/// pages. Empty where the game has no board, or one of more than 26 columns or rows. REQUIRES: no
/// outcome of chance is awaited in the position.
[[nodiscard]] std::string board_file(const rules::Game& game, const rules::Position& position);

}  // namespace assay::reports::web
