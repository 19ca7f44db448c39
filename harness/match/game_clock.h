#pragma once
#include <optional>
#include <span>

#include "adapters/protocol/search.h"
#include "base/clock.h"
#include "harness/plan/time_control.h"

namespace assay::harness {

/// The clock of one player in one game. Pure: it is told how long a move took. Time is kept in
/// microseconds; an overrun is tested before anything is credited.
class GameClock {
public:
    explicit GameClock(const TimeControl& control);

    /// The longest that the next move may take before the flag falls, margin included; nullopt
    /// where no time decides (nodes, depth, infinite).
    [[nodiscard]] std::optional<Micros> flag_limit() const;

    /// Books a move. Returns by how much it overran flag_limit(), 0 or less: it was in time.
    Micros book(Micros used);

    /// Hourglass: an opponent used this much.
    void give(Micros amount);

    /// On the clock for the next move (main time and byoyomi together); 0 where no time decides.
    [[nodiscard]] Micros left() const;
    [[nodiscard]] bool has_clock() const;

    [[nodiscard]] bool is_hourglass() const {
        return control_.kind == TimeControl::Kind::Hourglass;
    }

    /// Writes this player's limits into a request for its own search: nodes, depth, move time,
    /// moves to go. The clocks of all players are written by fill_clocks().
    void fill_limits(adapters::SearchRequest& request) const;
    [[nodiscard]] adapters::ClockSide side() const;
    /// The same as the opponent is told: a byoyomi period is part of what is left.
    [[nodiscard]] adapters::ClockSide side_for_opponent() const;

    [[nodiscard]] const TimeControl& control() const { return control_; }

private:
    void fill_nodes_and_depth(adapters::SearchRequest& request) const;
    void book_clock(Micros used);
    void book_byoyomi(Micros used);
    void book_canadian(Micros used);

    [[nodiscard]] const Period& period() const { return control_.periods[period_]; }

    TimeControl control_;
    std::size_t period_ = 0;
    int moves_in_period_ = 0;
    Micros left_{0};        // of the period, or of the main time
    int byoyomi_left_ = 0;  // whole byoyomi periods
    bool in_overtime_ = false;
    Micros overtime_left_{0};  // Canadian
    int stones_left_ = 0;      // Canadian
};

/// The time control as a protocol tells it once a game: its first period.
[[nodiscard]] adapters::GameTime game_time_of(const TimeControl& control);

/// Books a move of `mover` as GameClock::book() does. Where its clock is an hourglass, the others
/// share in equal parts what it used. `clocks`: by player.
Micros book_move(std::span<GameClock> clocks, int mover, Micros used);

/// Writes the clocks of all players where at least the mover has one. An opponent without a clock
/// is shown with the mover's: programs that look at it see no odds. `clocks`: by player.
void fill_clocks(adapters::SearchRequest& request, std::span<const GameClock> clocks, int mover);

}  // namespace assay::harness
