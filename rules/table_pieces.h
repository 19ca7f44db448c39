#pragma once
#include <string>

#include "rules/game.h"

namespace assay::rules {

/// Pieces of a position, as tables of perfect play of its game count them, whether or not there are
/// any on this machine. REQUIRES: Game::open_tablebase() of its game is not null.
[[nodiscard]] int table_pieces(const Position& position);

/// What Game::open_tablebase() refuses of the folders and of the files in them, told without the
/// library that reads tables: throws Error. False: the game has no tablebases.
[[nodiscard]] bool check_tablebase(const Game& game, const std::string& folders);

}  // namespace assay::rules
