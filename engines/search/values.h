#pragma once
#include <cstdint>
#include <limits>

#include "rules/game.h"

namespace assay::engines {

using rules::kNoMove;
using rules::Move;

/// Values are whole numbers from the point of view of the player to move; a hundred is about a pawn
/// in chess, and for games without such a unit whatever their evaluation says. A value of
/// kWin - n is a win in n plies from the root.
inline constexpr int kInfinite = 32000;
inline constexpr int kWin = 31000;
inline constexpr int kMaxPly = 127;  // no line is searched deeper
inline constexpr int kSureWin = kWin - kMaxPly - 1;

/// The player to move has won, or lost, `ply` plies below the root.
[[nodiscard]] constexpr int won_at(int ply) {
    return kWin - ply;
}

[[nodiscard]] constexpr int lost_at(int ply) {
    return ply - kWin;
}

[[nodiscard]] constexpr bool is_sure(int value) {
    return value >= kSureWin || value <= -kSureWin;
}

/// The ply (from the root) of the earliest position that a value leans on, because the value rests
/// on a repetition of that position; negative before the root. kAnyPath: the value holds however
/// the position was reached.
using Reach = int;
inline constexpr Reach kAnyPath = std::numeric_limits<int>::max();

/// The relation of a value to the true one: at least, at most, or equal.
enum class Bound : std::uint8_t { None, Lower, Upper, Exact };

/// The value of a position by the rules alone.
struct Judgement {
    int value = 0;
    Reach reach = kAnyPath;
};

}  // namespace assay::engines
