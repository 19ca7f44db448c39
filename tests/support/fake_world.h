#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/protocol/player.h"
#include "rules/make_game.h"
#include "tests/support/fake_clock.h"

namespace assay::test {

/// What a scripted program tells of its search at a moment of it.
struct FakeInfo {
    Micros after{0};  // from the search's begin
    std::string pv;
    int depth = 1;
    std::uint64_t nodes = 0;
    std::optional<Micros> time{};  // that it says it took
};

/// What a scripted program does at one search.
struct FakeAct {
    enum class Kind { Move, Silence, Exit };

    Kind kind = Kind::Move;
    Micros after{1000};                                              // thinking time
    std::string move;                                                // empty: the first legal move
    adapters::BestMove::Kind says = adapters::BestMove::Kind::Move;  // others go without a move
    int score = 0;                                                   // centipawns
    bool ponders = false;                                            // names the first legal reply
    Micros late_wake{0};  // the harness woke this much before it stamped
    std::vector<FakeInfo> infos;
};

/// A world of scripted programs on a fake clock: run_until() delivers what is due in the order of
/// time and calls `tick` every 10 ms, as the event loop would. An event may advance the clock, as
/// if the harness had been stopped: what was due meanwhile comes late, and before the next tick.
class FakeWorld {
public:
    struct Event {
        TimePoint due;
        std::uint64_t order;
        std::function<void()> run;
    };

    FakeClock clock;
    rules::GameSource game{"chess", "", ""};  // by which the programs move
    std::function<FakeAct(const std::string& program, int search)> script;
    std::function<std::optional<FakeAct>(const std::string& moves)> at_moves;  // goes before script
    std::vector<std::string> last_words{"last word"};
    std::function<bool(const std::string& program, int start)> starts;  // null: always
    std::function<bool(const std::string& program)> exits_in_new_game;  // null: never
    std::function<bool(const std::string& program)> lacks_descriptors;  // at a start; null: never
    std::function<bool(const std::string& program)> is_replaced;        // its file; null: never
    /// Then it is ready in half the time, and exits before the other one is; null: never.
    std::function<bool(const std::string& program)> exits_once_ready;
    bool ignores_stop = false;
    adapters::Capabilities can;
    bool exits_at_stop = false;
    bool survives_kill = false;  // as what the system cannot end
    Micros ping{0};              // from isready to readyok, where the spec asks before each go
    int ponder_searches = 0;
    int ponder_hits = 0;
    int alive = 0;
    /// How far the start of a program is; null: it runs at once.
    std::function<adapters::Player::Launch(const std::string& program)> launch;
    Micros start_time{5000};    // from start() to readiness
    bool shakes_hands = false;  // at once; ready after start_time

    void at(TimePoint due, std::function<void()> run) {
        events_.push_back({due, next_order_++, std::move(run)});
    }

    /// False where `done` did not come true within `limit` of fake time.
    bool run_until(const std::function<bool()>& done, const std::function<void(TimePoint)>& tick,
                   Micros limit) {
        const TimePoint end = clock.now() + limit;
        TimePoint next_tick = clock.now();
        while (!done()) {
            const auto first = std::min_element(
                events_.begin(), events_.end(), [](const Event& a, const Event& b) {
                    return a.due != b.due ? a.due < b.due : a.order < b.order;
                });
            if (first != events_.end() && first->due <= std::max(next_tick, clock.now())) {
                const Event event = std::move(*first);
                events_.erase(first);
                advance_to(event.due);
                event.run();
                continue;
            }
            if (next_tick > end) return false;
            advance_to(next_tick);
            tick(clock.now());
            next_tick = std::max(next_tick + Micros{10'000}, clock.now());
        }
        return true;
    }

private:
    void advance_to(TimePoint when) {
        if (when > clock.now()) {
            clock.advance(std::chrono::duration_cast<Micros>(when - clock.now()));
        }
    }

    std::deque<Event> events_;
    std::uint64_t next_order_ = 0;
};

}  // namespace assay::test
