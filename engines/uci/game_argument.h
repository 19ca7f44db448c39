#pragma once
#include <memory>
#include <string>

#include "rules/game.h"

namespace assay::engines {

/// The game that an argument of a program names: one that rules::make_game() knows, or else a file
/// with rules. Throws Error.
[[nodiscard]] std::unique_ptr<rules::Game> game_of(const std::string& argument);

}  // namespace assay::engines
