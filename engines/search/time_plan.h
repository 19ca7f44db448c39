#pragma once
#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.h"

namespace assay::engines {

/// What a player was told of its clock for one move.
struct ClockTold {
    std::optional<Micros> move_time;  // this move's alone
    std::optional<Micros> left;       // on the clock
    Micros increment{0};
    int moves_to_go = 0;    // until the next period; 0: the whole game
    Micros overhead{0};     // what a move costs besides thinking, on a quiet machine
    Micros delay{0};        // how long the machine may keep the player from it besides,
    Micros usual_delay{0};  // and does in the mean: DelayMeter
};

/// When to stop: `wanted` is what a usual move should take, `most` ends a search wherever it is.
/// Neither is set where no clock runs.
struct TimePlan {
    std::optional<Micros> wanted;
    std::optional<Micros> most;
};

/// Keeps 0.7 s in reserve, or more where long delays were seen, so that a machine which
/// lets a player wait now and then does not cost it the game; never plans more than is left, nor
/// less than nothing. Where no more than three such delays are left it plans nothing: the player
/// answers at once.
[[nodiscard]] TimePlan plan_time(const ClockTold& told);

/// How long a machine lately kept a player waiting, by two signs: gaps between looks at the clock
/// that a search takes every few nodes, and what the opponent's side booked beyond the time that
/// the player knows to have used, which is all that happens between the clock and the player.
class DelayMeter {
public:
    /// Another game: the clock starts anew, the machine is the same.
    void forget_clock() { expected_.reset(); }

    /// At `go`. Only a clock without periods says what was booked for the move before.
    void start(const ClockTold& told);

    /// Within a search: two looks at the clock were so far apart. More than a second is no delay:
    /// the machine slept, or somebody has set the clock.
    void add_gap(Micros gap) { worst_ = std::max(worst_, std::min(gap, kLongest)); }

    /// The answer is out, after `used` of the own clock.
    void finish(const ClockTold& told, Micros used);

    /// The longest delay seen, one of long ago counting for less.
    [[nodiscard]] Micros worst() const { return worst_; }

    /// What a move lost in the mean of the last twenty or so.
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
