#pragma once
#include <set>
#include <string>

#include "rules/game.h"

namespace assay::reports::web {

/// The drawings of these pieces, to which boards refer by name; empty where there are none.
[[nodiscard]] std::string piece_symbols(const std::set<std::string>& names);

/// The board of a position as an SVG file that stands alone, with the pieces and colours of the
/// pages. Empty where the game has no board, or one of more than 26 columns or rows. REQUIRES: no
/// outcome of chance is awaited in the position.
[[nodiscard]] std::string board_file(const rules::Game& game, const rules::Position& position);

}  // namespace assay::reports::web
