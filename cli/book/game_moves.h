#pragma once
#include <cstdint>
#include <string>

#include "cli/book/program_rules.h"
#include "rules/game.h"

namespace assay::cli {

/// Counts the sequences of so many moves by rules/game.h alone; events of chance are moves here.
[[nodiscard]] std::uint64_t count_sequences(rules::Position& position, int depth);

/// Prints what `assay rules perft` says of any game. Throws Error where there is no such game or
/// position.
void count_game_moves(const RulesOptions& options);

/// The same of `assay rules moves`: a line a move, in the game's notations, or a JSON object
/// {"position","moves":[{"name","text"}]}, "text" only where the game has such a notation.
[[nodiscard]] std::string game_moves_text(const RulesOptions& options);

/// What tables of perfect play say of the position and of each move, as text or one JSON object.
/// Throws Error where there are none for the game, or they cannot be read.
[[nodiscard]] std::string probe_text(const RulesOptions& options);

}  // namespace assay::cli
