#pragma once
#include "rules/game.h"

namespace assay::rules {

/// Pieces of a position, as tables of perfect play of its game count them, whether or not there are
/// any on this machine. REQUIRES: Game::open_tablebase() of its game is not null.
[[nodiscard]] int table_pieces(const Position& position);

}  // namespace assay::rules
