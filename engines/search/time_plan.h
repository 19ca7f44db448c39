#pragma once
#include <optional>

#include "base/clock.h"

namespace assay::engines {

/// What a player was told of its clock for one move.
struct ClockTold {
    std::optional<Micros> move_time;  // this move's alone
    std::optional<Micros> left;       // on the clock
    Micros increment{0};
    int moves_to_go = 0;  // until the next period; 0: the whole game
    Micros overhead{0};   // what a move costs besides thinking: pipes, a busy machine
};

/// When to stop: `wanted` is what a usual move should take, `most` ends a search wherever it is.
/// Neither is set where no clock runs.
struct TimePlan {
    std::optional<Micros> wanted;
    std::optional<Micros> most;
};

/// Keeps a reserve that no plan touches, so that a machine which lets a player wait for a tenth of
/// a second does not cost it the game; never plans more than is left, nor less than nothing.
[[nodiscard]] TimePlan plan_time(const ClockTold& told);

/// How a search's iterations went, to tell whether another is worth its time (Hyatt 1984; the
/// lecture "Theory of Computer Games": stop when stable, a single reply at once).
class Stability {
public:
    /// `first` is the move that the iteration found best.
    void add(unsigned first, int value);

    /// What the wanted time is multiplied with: less where move and value have long been the same,
    /// more where they have just changed.
    [[nodiscard]] double factor() const;

private:
    unsigned first_ = 0;
    int value_ = 0;
    int same_ = 0;     // iterations in a row with this first move
    int dropped_ = 0;  // by how much the value fell in the last one
    int iterations_ = 0;
};

}  // namespace assay::engines
