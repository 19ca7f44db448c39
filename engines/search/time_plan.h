#pragma once
#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.h"

namespace assay::engines {

/// The clock of a player at one move.
struct ClockTold {
    std::optional<Micros> move_time;  // this move's alone
    std::optional<Micros> left;       // on the clock
    Micros increment{0};
    int moves_to_go = 0;    // until the next period; 0: the whole game
    Micros overhead{0};     // what a move costs besides thinking, on a quiet machine
    Micros delay{0};        // how long the machine may keep the player from it besides,
    Micros usual_delay{0};  // and does in the mean: DelayMeter
};

/// When to stop: `wanted` is the time of a usual move, at `most` a search ends at once. Neither is
/// set without a clock.
struct TimePlan {
    std::optional<Micros> wanted;
    std::optional<Micros> most;
};

/// Keeps 0.7 s in reserve, or more after long delays, so that an occasional delay of the machine
/// does not lose the game on time. Never plans more than is left, nor less than 0. With at most
/// three such delays left it plans 0: the player answers at once.
[[nodiscard]] TimePlan plan_time(const ClockTold& told);

/// Measures recent delays of the machine in two ways: gaps between readings of the clock, which a
/// search does every few nodes, and the difference between the time charged for a move and the time
/// that the player used.
class DelayMeter {
public:
    /// For a new game: forgets the clock but not the delays of the machine.
    void forget_clock() { expected_.reset(); }

    /// At `go`. Only a clock without periods says what was booked for the move before.
    void start(const ClockTold& told);

    /// Two readings of the clock within a search were this far apart. Above one second it is not
    /// counted: the machine was suspended, or the clock was set.
    void add_gap(Micros gap) { worst_ = std::max(worst_, std::min(gap, kLongest)); }

    /// The answer is out, after `used` of the own clock.
    void finish(const ClockTold& told, Micros used);

    /// The longest recent delay; older ones count less.
    [[nodiscard]] Micros worst() const { return worst_; }

    /// The mean loss of a move over about the last twenty.
    [[nodiscard]] Micros usual() const { return usual_; }

private:
    static constexpr Micros kLongest = std::chrono::seconds(1);

    std::optional<Micros> expected_;  // on the clock at the next `go`, were there no delays
    Micros worst_{0};
    Micros usual_{0};
};

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
