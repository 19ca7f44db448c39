#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/protocol/player.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/support/fake_world.h"

namespace assay::test {

/// A program of a FakeWorld, which does what the world's script says.
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
        later(Micros{200}, [this] { gone_ = !world_.survives_kill; });
    }

    void terminate() override { gone_ = !world_.survives_kill; }

    void kill() override { gone_ = !world_.survives_kill; }

    [[nodiscard]] bool is_gone() const override { return gone_; }

    [[nodiscard]] const adapters::Identity& identity() const override { return identity_; }

    [[nodiscard]] std::vector<std::string> last_output() const override {
        return world_.last_words;
    }

    [[nodiscard]] std::vector<std::string> last_errors() const override { return {}; }

    [[nodiscard]] std::string last_command() const override { return "go"; }

    [[nodiscard]] int pid() const override { return 1; }

    [[nodiscard]] bool has_shaken_hands() const override { return world_.shakes_hands; }

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
        info_.time = said.time;
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
