#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/game.h"

namespace assay::rules {

/// Whether a search tree names a call that made no move: "none", "--" or nothing.
[[nodiscard]] bool is_no_move(std::string_view text);

/// Returns the text of the position after a line as search trees have it: moves in the canonical
/// notation, null moves (GameInfo::null_moves), and calls that made no move. nullopt where a move
/// is not legal, or a null move is not possible (Position::passed). A game that is over by a
/// counter goes on. Throws Error where `start` is no position.
[[nodiscard]] std::optional<std::string> text_after(const Game& game, std::string_view start,
                                                    std::span<const std::string> moves);

/// The name of the last position of a game that has one (Game::opening_name), from its start ("" is
/// the game's own) along its first moves in the canonical notation; nullopt where none has. Throws
/// Error where `start` is no position.
[[nodiscard]] std::optional<OpeningName> opening_name_of(const Game& game, std::string_view start,
                                                         std::span<const std::string_view> moves);

}  // namespace assay::rules
