// One clock for all kinds of time control. A move is booked in two steps: first it is compared with
// the longest time that it may take, which includes the margin, and only if it is within that limit
// is anything credited. So an increment never saves a move that was late.
//
// A program is told the main time and the byoyomi period of its own clock apart. Of the opponent's
// clock a request has only the time and the increment, so there the period is added to the time
// and stands for the increment as well: a program that spreads its time by the opponent's clock
// then sees neither too little nor a side without any time.
//
// Kinds that share a name differ in what survives a move. In byoyomi a period that was not used up
// is whole again for the next move; in the Canadian kind a period holds for a number of stones and
// is renewed when the last of them is played; an hourglass gives to the others what the mover uses.
// The plain clock alone has an increment, and several periods of which the last one repeats. All
// arithmetic is in whole microseconds: no flag falls by rounding.
#include "harness/match/game_clock.h"

#include <algorithm>

namespace assay::harness {

namespace {

using Kind = TimeControl::Kind;

/// An overrun within the margin leaves 0 on the clock, never less: the next `go` cannot carry a
/// negative time.
Micros not_below_zero(Micros left) {
    return std::max(left, Micros{0});
}

}  // namespace

GameClock::GameClock(const TimeControl& control) : control_(control) {
    if (control_.kind == Kind::Clock) {
        if (control_.periods.empty()) control_.periods.emplace_back();  // of a store from elsewhere
        // The increment belongs to each move and so to the first one too: it is credited before the
        // move that may use it.
        left_ = period().time + period().increment;
    } else {
        left_ = control_.main;
        byoyomi_left_ = control_.byoyomi_periods;
        stones_left_ = control_.stones;
        overtime_left_ = control_.byoyomi;
        in_overtime_ = left_ == Micros{0};
    }
}

bool GameClock::has_clock() const {
    return control_.kind == Kind::Clock || control_.kind == Kind::Hourglass ||
           control_.kind == Kind::Byoyomi || control_.kind == Kind::Canadian;
}

std::optional<Micros> GameClock::flag_limit() const {
    switch (control_.kind) {
        case Kind::Clock:
        case Kind::Hourglass:
            return left_ + control_.margin;
        case Kind::MoveTime:
            return control_.move_time + control_.margin;
        case Kind::Byoyomi:
            // All periods that are left: one move may use up several of them.
            return left_ + control_.byoyomi * byoyomi_left_ + control_.margin;
        case Kind::Canadian:
            return (in_overtime_ ? overtime_left_ : left_ + control_.byoyomi) + control_.margin;
        case Kind::Nodes:
        case Kind::Depth:
        case Kind::Infinite:
            break;
    }
    return std::nullopt;
}

Micros GameClock::left() const {
    switch (control_.kind) {
        case Kind::Byoyomi:
            return left_ + (byoyomi_left_ > 0 ? control_.byoyomi : Micros{0});
        case Kind::Canadian:
            return in_overtime_ ? overtime_left_ : left_;
        case Kind::Clock:
        case Kind::Hourglass:
            return left_;
        case Kind::MoveTime:
        case Kind::Nodes:
        case Kind::Depth:
        case Kind::Infinite:
            break;
    }
    return Micros{0};
}

Micros GameClock::book(Micros used) {
    const std::optional<Micros> limit = flag_limit();
    if (!limit) return Micros{0};
    if (used > *limit) return used - *limit;
    if (control_.kind == Kind::Clock) book_clock(used);
    if (control_.kind == Kind::Byoyomi) book_byoyomi(used);
    if (control_.kind == Kind::Canadian) book_canadian(used);
    if (control_.kind == Kind::Hourglass) left_ = not_below_zero(left_ - used);
    return Micros{0};
}

void GameClock::book_clock(Micros used) {
    left_ = not_below_zero(left_ - used);
    ++moves_in_period_;
    if (period().moves > 0 && moves_in_period_ == period().moves) {
        moves_in_period_ = 0;
        period_ = std::min(period_ + 1, control_.periods.size() - 1);
        left_ += period().time;
    }
    left_ += period().increment;
}

void GameClock::book_byoyomi(Micros used) {
    if (used <= left_) {
        left_ -= used;
        return;
    }
    Micros over = used - left_;
    left_ = Micros{0};
    // A move that ends within a period keeps that period.
    while (over > control_.byoyomi && byoyomi_left_ > 1) {
        over -= control_.byoyomi;
        --byoyomi_left_;
    }
}

void GameClock::book_canadian(Micros used) {
    if (!in_overtime_) {
        if (used <= left_) {
            left_ -= used;
            return;
        }
        used -= left_;
        left_ = Micros{0};
        in_overtime_ = true;
    }
    overtime_left_ = not_below_zero(overtime_left_ - used);
    if (--stones_left_ <= 0) {
        stones_left_ = control_.stones;
        overtime_left_ = control_.byoyomi;
    }
}

void GameClock::give(Micros amount) {
    left_ += amount;
}

adapters::ClockSide GameClock::side() const {
    adapters::ClockSide side;
    // A byoyomi period is told apart from the main time (fill_limits).
    side.left = control_.kind == Kind::Byoyomi ? left_ : left();
    if (control_.kind == Kind::Clock) side.increment = period().increment;
    return side;
}

adapters::ClockSide GameClock::side_for_opponent() const {
    adapters::ClockSide side;
    side.left = left();
    if (control_.kind == Kind::Clock) side.increment = period().increment;
    if (control_.kind == Kind::Byoyomi) side.increment = control_.byoyomi;
    return side;
}

void GameClock::fill_nodes_and_depth(adapters::SearchRequest& request) const {
    if (control_.nodes > 0) request.nodes = control_.nodes;
    if (control_.depth > 0) request.depth = control_.depth;
}

void GameClock::fill_limits(adapters::SearchRequest& request) const {
    switch (control_.kind) {
        case Kind::Clock:
            if (period().moves > 0) request.moves_to_go = period().moves - moves_in_period_;
            fill_nodes_and_depth(request);
            break;
        case Kind::MoveTime:
            request.move_time = control_.move_time;
            break;
        case Kind::Nodes:
        case Kind::Depth:
            fill_nodes_and_depth(request);
            break;
        case Kind::Infinite:
            request.infinite = true;
            break;
        case Kind::Byoyomi:
            request.byoyomi = control_.byoyomi;
            if (in_overtime_ || left_ == Micros{0}) request.moves_to_go = 1;
            break;
        case Kind::Canadian:
            if (in_overtime_) request.moves_to_go = stones_left_;
            break;
        case Kind::Hourglass:
            break;
    }
}

adapters::GameTime game_time_of(const TimeControl& control) {
    adapters::GameTime time;
    if (control.kind == Kind::Nodes) time.nodes = control.nodes;
    if (control.kind == Kind::Depth) time.depth = control.depth;
    if (control.kind == Kind::MoveTime) time.move_time = control.move_time;
    if (control.kind == Kind::Clock && !control.periods.empty()) {
        const Period& first = control.periods.front();
        time.base = first.time;
        time.increment = first.increment;
        time.moves = first.moves;
    }
    if (control.kind == Kind::Hourglass) time.base = control.main;
    if (control.kind == Kind::Byoyomi || control.kind == Kind::Canadian) {
        time.base = control.main;
        time.byoyomi = control.byoyomi;
        time.stones = control.stones;
    }
    return time;
}

Micros book_move(std::span<GameClock> clocks, int mover, Micros used) {
    const auto player = static_cast<std::size_t>(mover);
    const Micros over = clocks[player].book(used);
    if (over > Micros{0} || !clocks[player].is_hourglass()) return over;
    // With more than two players a remainder of some microseconds is lost in each move; never
    // gained.
    const Micros share = used / std::max<std::int64_t>(1, std::ssize(clocks) - 1);
    for (std::size_t other = 0; other < clocks.size(); ++other) {
        if (other != player) clocks[other].give(share);
    }
    return over;
}

void fill_clocks(adapters::SearchRequest& request, std::span<const GameClock> clocks, int mover) {
    const GameClock& own = clocks[static_cast<std::size_t>(mover)];
    if (!own.has_clock()) return;
    // By identity, not by value: two clocks of the same time are still the mover's and an
    // opponent's.
    request.clocks.clear();
    for (const GameClock& clock : clocks) {
        request.clocks.push_back(&clock == &own      ? own.side()
                                 : clock.has_clock() ? clock.side_for_opponent()
                                                     : own.side_for_opponent());
    }
}

}  // namespace assay::harness
