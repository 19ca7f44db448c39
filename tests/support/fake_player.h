#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/protocol/player.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/support/fake_clock.h"

namespace assay::test {

/// What a scripted program tells of its search at a moment of it.
struct FakeInfo {
    Micros after{0};  // from the search's begin
    std::string pv;
    int depth = 1;
    std::uint64_t nodes = 0;
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
    Micros start_time{5000};  // from start() to readiness

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

class FakePlayer final : public adapters::Player {
public:
    FakePlayer(FakeWorld& world, adapters::ProgramSpec spec, adapters::PlayerListener& listener)
        : world_(world), spec_(std::move(spec)), listener_(listener) {
        identity_.name = spec_.name;
        ++world_.alive;
    }

    FakePlayer(const FakePlayer&) = delete;
    FakePlayer& operator=(const FakePlayer&) = delete;

    ~FakePlayer() override { --world_.alive; }

    [[nodiscard]] const adapters::ProtocolInfo& protocol() const override {
        static const adapters::ProtocolInfo kFake{
            "fake", "Fake", {}, {"readyok", "bestmove", "go", "stop"}, "Threads", "TreeLog"};
        return kFake;
    }

    [[nodiscard]] const adapters::Capabilities& capabilities() const override { return world_.can; }

    void start(const adapters::GameStart& /*game*/) override {
        if (world_.lacks_descriptors && world_.lacks_descriptors(spec_.name)) {
            later(Micros{50}, [this] {
                gone_ = true;
                adapters::Gone gone;
                gone.reason = adapters::GoneReason::NotLaunched;
                gone.detail = "pipe: Too many open files";
                listener_.on_gone(gone, arrival(Micros{0}));
            });
            return;
        }
        if (world_.is_replaced && world_.is_replaced(spec_.name)) {
            later(Micros{50}, [this] {
                gone_ = true;
                listener_.on_gone({adapters::GoneReason::Replaced, 0, 0, "a was replaced"},
                                  arrival(Micros{0}));
            });
            return;
        }
        const int number = starts_++;
        if (world_.starts && !world_.starts(spec_.name, number)) return;
        if (world_.exits_once_ready && world_.exits_once_ready(spec_.name)) {
            later(world_.start_time / 2, [this] { listener_.on_ready(arrival(Micros{0})); });
            later(world_.start_time / 2 + Micros{50}, [this] { exit(); });
            return;
        }
        later(world_.start_time, [this] { listener_.on_ready(arrival(Micros{0})); });
    }

    void new_game(const adapters::GameStart& /*game*/) override {
        if (world_.exits_in_new_game && world_.exits_in_new_game(spec_.name)) {
            later(Micros{50}, [this] { exit(); });
            return;
        }
        later(Micros{100}, [this] { listener_.on_ready(arrival(Micros{0})); });
    }

    TimePoint go(const adapters::SearchRequest& request) override {
        requests.emplace_back(request.moves);
        FakeAct act = world_.script ? world_.script(spec_.name, searches_) : FakeAct{};
        if (world_.at_moves) act = world_.at_moves(requests.back()).value_or(act);
        if (!request.ponder) ++searches_;
        open_ = true;
        info_ = {};
        for (const FakeInfo& info : act.infos) later(info.after, [this, info] { tell(info); });
        const auto rules = rules::make_game(world_.game);
        position_ = request.start.empty() || world_.game.name == "chess"
                        ? rules->start()
                        : rules->parse(request.start);
        std::string_view rest = request.moves;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            const auto move = position_->move_of(rest.substr(0, end), rules::Notation::Canonical);
            if (move) position_->make(*move);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (act.kind == FakeAct::Kind::Exit) {
            later(act.after, [this] {
                gone_ = true;
                adapters::Gone gone;
                gone.detail = "exited with code 3";
                listener_.on_gone(gone, arrival(Micros{0}));
            });
        } else if (request.ponder) {
            ++world_.ponder_searches;
        } else if (spec_.ping_before_go) {
            later(world_.ping, [this, act] {
                listener_.on_go_written(world_.clock.now());
                later(act.after, [this, act] { answer(act); });
            });
        } else if (act.kind == FakeAct::Kind::Move) {
            later(act.after, [this, act] { answer(act); });
        }
        return world_.clock.now();
    }

    TimePoint ponder_hit() override {
        ++world_.ponder_hits;
        const FakeAct act = world_.script ? world_.script(spec_.name, searches_) : FakeAct{};
        ++searches_;
        later(act.after, [this, act] { answer(act); });
        return world_.clock.now();
    }

    void stop() override {
        if (!world_.can.stop) return;
        if (open_ && world_.exits_at_stop) {
            later(Micros{50}, [this] { exit(); });
        } else if (open_ && !world_.ignores_stop) {
            later(Micros{50}, [this] { answer(FakeAct{}); });
        }
    }

    void quit() override {
        later(Micros{200}, [this] { gone_ = true; });
    }

    void terminate() override { gone_ = true; }

    void kill() override { gone_ = !world_.survives_kill; }

    [[nodiscard]] bool is_gone() const override { return gone_; }

    [[nodiscard]] const adapters::Identity& identity() const override { return identity_; }

    [[nodiscard]] std::vector<std::string> last_output() const override {
        return world_.last_words;
    }

    [[nodiscard]] std::vector<std::string> last_errors() const override { return {}; }

    [[nodiscard]] std::string last_command() const override { return "go"; }

    [[nodiscard]] int pid() const override { return 1; }

    [[nodiscard]] Launch launch_state() const override {
        return world_.launch ? world_.launch(spec_.name) : Launch::Running;
    }

    std::vector<std::string> requests;

private:
    [[nodiscard]] adapters::Arrival arrival(Micros late_wake) const {
        return {world_.clock.now() - late_wake, world_.clock.now()};
    }

    void exit() {
        gone_ = true;
        listener_.on_gone({}, arrival(Micros{0}));
    }

    void tell(const FakeInfo& said) {
        info_.depth = said.depth;
        info_.nodes = said.nodes;
        info_.pv = said.pv;
        listener_.on_info(info_, arrival(Micros{0}));
    }

    void answer(const FakeAct& act) {
        if (!open_) return;
        open_ = false;
        std::string move = act.move;
        if (move.empty() && act.says == adapters::BestMove::Kind::Move) {
            std::vector<rules::Move> moves;
            position_->moves(moves);
            move = moves.empty() ? "0000"
                                 : position_->name_of(moves.front(), rules::Notation::Canonical);
        }
        adapters::SearchInfo info = info_;
        adapters::Score score;
        score.value = act.score;
        info.score = score;
        info.depth = info_.depth.value_or(1);
        adapters::BestMove best;
        best.kind = move == "0000" || move == "(none)" ? adapters::BestMove::Kind::Pass : act.says;
        best.move = move;
        best.info = &info;
        const std::string reply = act.ponders ? reply_to(move) : "";
        best.ponder = reply;
        listener_.on_best_move(best, arrival(act.late_wake));
    }

    /// The first legal reply; empty where there is none.
    [[nodiscard]] std::string reply_to(const std::string& name) const {
        const std::unique_ptr<rules::Position> after = position_->clone();
        const auto move = after->move_of(name, rules::Notation::Canonical);
        if (!move) return "";
        after->make(*move);
        std::vector<rules::Move> moves;
        after->moves(moves);
        return moves.empty() ? "" : after->name_of(moves.front(), rules::Notation::Canonical);
    }

    void later(Micros after, std::function<void()> run) {
        const std::weak_ptr<int> alive = alive_;
        world_.at(world_.clock.now() + after, [this, alive, run = std::move(run)] {
            if (!alive.expired() && !gone_) run();
        });
    }

    FakeWorld& world_;
    adapters::ProgramSpec spec_;
    adapters::PlayerListener& listener_;
    adapters::Identity identity_;
    adapters::SearchInfo info_;  // of the open search
    std::unique_ptr<rules::Position> position_;
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);  // events of a dead player are dropped
    int starts_ = 0;
    int searches_ = 0;
    bool open_ = false;
    bool gone_ = false;
};

}  // namespace assay::test
