#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rules/game.h"

namespace assay::engines {

/// The position of the last `position` command. Where a command continues the one before, only the
/// new moves are made, so that a ply of a long game costs no more than one of a short game. Events
/// of chance stand among the moves.
class UciPosition {
public:
    /// REQUIRES: the game outlives this.
    explicit UciPosition(const rules::Game& game);

    /// From now on positions are those of this game; it is at its start.
    void set_game(const rules::Game& game);

    [[nodiscard]] const rules::Game& game() const { return *game_; }

    /// Reads the text after `position`. Returns a sentence if the text is invalid. Slips that are
    /// common in FENs of chess are repaired (fen_repair.h). An illegal move ends the reading. After
    /// an invalid start position the position is the start of the game, and is_known() is false
    /// until a valid one is read.
    std::optional<std::string> read(std::string_view text);

    [[nodiscard]] bool is_known() const { return is_known_; }

    [[nodiscard]] rules::Position& position() { return *position_; }

private:
    std::optional<std::string> restart(std::string_view text);

    const rules::Game* game_;
    std::unique_ptr<rules::Position> position_;
    std::string text_;  // the command that led to position_
    bool is_known_ = true;
};

}  // namespace assay::engines
