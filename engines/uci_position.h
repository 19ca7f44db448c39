#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "rules/game.h"

namespace assay::engines {

/// The position that a UCI program was last told. Where a `position` line continues the one before
/// it, only the new moves are made, so that a long game costs no more a ply than a short one.
class UciPosition {
public:
    UciPosition();

    /// Castling as king takes rook from now on.
    void set_chess960(bool is_on);

    [[nodiscard]] bool is_chess960() const { return game_->is_chess960(); }

    /// Reads what follows `position`. A move that is not legal ends the reading, as a start that is
    /// no position ends it before the first move.
    void read(std::string_view text);

    [[nodiscard]] rules::Position& position() { return *position_; }

private:
    void restart(std::string_view text);

    std::unique_ptr<rules::Game> game_;
    std::unique_ptr<rules::Position> position_;
    std::string text_;  // what led to position_
};

}  // namespace assay::engines
