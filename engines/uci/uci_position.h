#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.h"

namespace assay::engines {

/// The position of the last `position` command. Where a command continues the one before, only the
/// new moves are made, so that a ply of a long game costs no more than one of a short game.
class UciPosition {
public:
    UciPosition();

    /// Sets whether castling is written as king takes rook.
    void set_chess960(bool is_on);

    [[nodiscard]] bool is_chess960() const { return !game_->info().variant.empty(); }

    /// Reads the text after `position`. Returns a sentence if the text is invalid. Missing counters
    /// of a FEN are 0 and 1, and castling rights without king or rook in place are dropped, as many
    /// programs do. An illegal move ends the reading. After an invalid start position the position
    /// is the start of the game, and is_known() is false until a valid one is read.
    std::optional<std::string> read(std::string_view text);

    [[nodiscard]] bool is_known() const { return is_known_; }

    [[nodiscard]] rules::Position& position() { return *position_; }

private:
    std::optional<std::string> restart(std::string_view text);
    /// If only castling rights are wrong, reads the position without the wrong ones and returns a
    /// sentence about it.
    std::optional<std::string> repair_rights(std::vector<std::string> fields);
    [[nodiscard]] std::unique_ptr<rules::Position> parse(const std::string& fen) const;

    std::unique_ptr<rules::Game> game_;
    std::unique_ptr<rules::Position> position_;
    std::string text_;  // the command that led to position_
    bool is_known_ = true;
};

}  // namespace assay::engines
