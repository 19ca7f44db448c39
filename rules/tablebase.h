#pragma once
#include <optional>

#include "rules/game.h"

namespace assay::rules {

/// What a table says of a position with perfect play.
struct TableValue {
    int winner = -1;  // player; -1: a draw
    /// One side wins, but the game's counter of quiet moves makes it a draw first; `winner` is the
    /// one who would win without it.
    bool is_drawn_by_counter = false;
};

/// Tables of perfect play, made elsewhere. One thread.
class Tablebase {
public:
    virtual ~Tablebase() = default;

    /// nullopt where no table has the position: too many pieces, a set of pieces that is not there,
    /// or rights that tables do not know (castling). Counters of the position are not looked at:
    /// the value is that of the position right after an irreversible move.
    [[nodiscard]] virtual std::optional<TableValue> value(const Position& position) const = 0;

    /// The most pieces that a table has.
    [[nodiscard]] virtual int most_pieces() const = 0;

    /// Pieces of a position, as tables count them.
    [[nodiscard]] virtual int pieces(const Position& position) const = 0;
};

}  // namespace assay::rules
