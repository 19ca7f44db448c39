#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.h"

namespace assay::engines {

/// The position that a UCI program was last told. Where a `position` line continues the one before
/// it, only the new moves are made, so that a long game costs no more a ply than a short one.
class UciPosition {
public:
    UciPosition();

    /// Castling as king takes rook from now on.
    void set_chess960(bool is_on);

    [[nodiscard]] bool is_chess960() const { return !game_->info().variant.empty(); }

    /// Reads what follows `position`; a sentence where that cannot be done as it stands. Counters
    /// that a FEN lacks are 0 and 1, and castling rights without king or rook in place are dropped,
    /// as many programs do. A move that is not legal ends the reading. A start that is no position
    /// leaves the start of the game, and is_known() false until one can be read.
    std::optional<std::string> read(std::string_view text);

    [[nodiscard]] bool is_known() const { return is_known_; }

    [[nodiscard]] rules::Position& position() { return *position_; }

private:
    std::optional<std::string> restart(std::string_view text);
    /// Where only castling rights are wrong: takes the position without those, each tried by
    /// itself, and says so.
    std::optional<std::string> repair_rights(std::vector<std::string> fields);
    [[nodiscard]] std::unique_ptr<rules::Position> parse(const std::string& fen) const;

    std::unique_ptr<rules::Game> game_;
    std::unique_ptr<rules::Position> position_;
    std::string text_;  // what led to position_
    bool is_known_ = true;
};

}  // namespace assay::engines
