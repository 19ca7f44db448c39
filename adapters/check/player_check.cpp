// The check of programs of any protocol, through the same player that plays matches: what it finds
// is what a match would meet. The steps are a table, and a step that needs a capability is skipped
// where the protocol lacks it. An event loop runs inside each step until its event has come or its
// time is over, so that steps read from top to bottom.
#include "adapters/check/player_check.h"

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "adapters/check/check_limits.h"
#include "adapters/check/check_session.h"
#include "adapters/check/random_game.h"
#include "adapters/protocol/player.h"
#include "base/check.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// One program, driven step by step: each call returns when what it waits for has come, or its time
/// is over.
class PlayerCheckup final : public CheckSession, private PlayerListener {
public:
    PlayerCheckup(const Protocol& protocol, const ProgramSpec& spec, const rules::Game& game,
                  const ComplianceLimits& limits, const Clock& clock, ComplianceReport& report,
                  const OnStep& on_step)
        : CheckSession(spec, limits, clock, report, on_step),
          protocol_(protocol),
          loop_(clock),
          game_(game) {
        loop_.every(Micros{1000}, [this] {
            if (has_event_ || now() >= limit_) loop_.stop();
        });
    }

    /// A new process, up to readiness. Empty, or why not.
    [[nodiscard]] std::string start() {
        drop();
        gone_.reset();
        player_ = protocol_.make_player(loop_, spec(), *this, nullptr);
        player_->start({});
        return await_ready(limits().handshake);
    }

    /// Another game. Empty, or why it was not ready for it.
    [[nodiscard]] std::string new_game() {
        is_ready_ = false;
        player_->new_game({});
        return await_ready(limits().handshake);
    }

    /// REQUIRES: ensure_ready(). With `is_endless` the program is stopped after a moment.
    [[nodiscard]] Answer search(const SearchRequest& request, Micros allowed,
                                bool is_endless = false) {
        Answer reply;
        reply_ = &reply;
        const auto position = played_position(game_, request.start, request.moves);
        position_ = position.get();
        is_answered_ = false;
        const TimePoint since = player_->go(request);
        wait(is_endless ? Micros(kPatience) : allowed);
        if (!is_answered_ && !gone_ && player_->capabilities().stop) {
            reply.was_stopped = true;
            player_->stop();
            wait(kStopTime);
        }
        reply_ = nullptr;
        if (is_answered_) {
            reply.took = micros_between(since, answered_at_);
        } else {
            reply.trouble =
                gone_ ? "it " + did_text(gone_->detail)
                      : "no " + word(protocol_.info.words.answer) + " within " + time_text(allowed);
            if (!gone_ && reply.was_stopped) {
                reply.trouble += ", nor within 1.00 s of " + word(protocol_.info.words.stop);
            }
            drop();
        }
        return reply;
    }

    /// Asks the program to end; true where it does within a second.
    [[nodiscard]] bool quits() {
        player_->quit();
        wait(kEndTime);
        return gone_.has_value();
    }

    void drop() override {
        player_.reset();
        is_ready_ = false;
    }

    [[nodiscard]] const Player& player() const { return *player_; }

    [[nodiscard]] const std::optional<Gone>& gone() const { return gone_; }

    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

    [[nodiscard]] const rules::Game& game() const { return game_; }

    [[nodiscard]] const Protocol& protocol() const { return protocol_; }

private:
    [[nodiscard]] std::string restart() override { return start(); }

    [[nodiscard]] bool is_ready() override { return is_ready_ && !gone_; }

    static std::string word(std::string_view word) { return "'" + std::string(word) + "'"; }

    /// Runs the loop until an event, or for this long.
    void wait(Micros limit) {
        has_event_ = false;
        limit_ = now() + limit;
        loop_.run();
    }

    [[nodiscard]] std::string await_ready(Micros limit) {
        wait(limit);
        if (is_ready_) return {};
        if (gone_) return "it " + did_text(gone_->detail);
        return "no " + word(protocol_.info.words.ready) + " within " + time_text(limit);
    }

    void on_ready(Arrival) override {
        is_ready_ = true;
        has_event_ = true;
    }

    void on_best_move(const BestMove& best, Arrival arrival) override {
        has_event_ = true;
        is_answered_ = true;
        answered_at_ = arrival.stamp;
        if (reply_ == nullptr) return;
        reply_->best = printable_utf8(best.move.substr(0, 40));
        reply_->info = *best.info;
        if (best.kind == BestMove::Kind::Resign) {
            reply_->trouble = "it resigned";
        } else if (best.move.empty()) {
            reply_->trouble = "no move was named";
        } else if (!position_->move_of(best.move, rules::Notation::Canonical)) {
            reply_->trouble = "the illegal move " + reply_->best + " in " + position_->text();
        }
    }

    void on_gone(const Gone& gone, Arrival) override {
        has_event_ = true;
        gone_ = gone;
    }

    void on_warning(std::string_view kind, std::string_view text) override {
        warnings_.push_back(std::string(kind) + ": " + printable_utf8(text));
    }

    const Protocol& protocol_;
    EventLoop loop_;
    const rules::Game& game_;
    std::unique_ptr<Player> player_;
    std::optional<Gone> gone_;
    std::vector<std::string> warnings_;
    bool is_ready_ = false;
    bool has_event_ = false;
    bool is_answered_ = false;
    TimePoint answered_at_{};
    TimePoint limit_{};
    Answer* reply_ = nullptr;                    // of the open search
    const rules::Position* position_ = nullptr;  // that it is of
};

/// A step of the table below.
struct PlayerStep {
    std::string_view names;  // blank-separated
    void (*run)(PlayerCheckup&, std::string_view name) = nullptr;
    bool Capabilities::*needs = nullptr;
    bool needs_ready = true;
};

void start(PlayerCheckup& c, std::string_view) {
    const std::string why = c.start();
    if (!why.empty()) {
        c.say("start", StepState::Fail, "expected a program that is ready; " + why);
        c.give_up("it never became ready");
        return;
    }
    c.say("start", StepState::Ok, "ready for a game of " + c.spec().game);
    Identity& identity = c.report().identity = c.player().identity();
    const bool is_known = !identity.name.empty() && !identity.author.empty();
    c.say("identity", is_known ? StepState::Ok : StepState::Warning,
          is_known ? identity.name + " by " + identity.author
                   : std::string("expected a name and an author; there is no ") +
                         (identity.name.empty() ? "name" : "author"));
}

void depth(PlayerCheckup& c, std::string_view name) {
    SearchRequest request;
    request.depth = 2;
    const Answer reply = c.search(request, seconds(5));
    if (c.is_well(name, "", reply)) c.judge_depth(name, reply, seconds(5));
}

void nodes(PlayerCheckup& c, std::string_view name) {
    SearchRequest request;
    request.nodes = 2000;
    const Answer reply = c.search(request, seconds(2));
    if (c.is_well(name, "", reply)) static_cast<void>(c.judge_nodes(name, reply, seconds(2)));
}

void in_time(PlayerCheckup& c, std::string_view name, const SearchRequest& request,
             milliseconds allowed) {
    const Answer reply = c.search(request, allowed + seconds(5));
    if (c.is_well(name, "", reply)) c.judge_time(name, reply, allowed);
}

void move_time(PlayerCheckup& c, std::string_view name) {
    SearchRequest request;
    request.move_time = milliseconds(100);
    in_time(c, name, request, milliseconds(100));
}

void game_clock(PlayerCheckup& c, std::string_view name) {
    SearchRequest request;
    request.clocks = {{seconds(1), milliseconds(20)}, {seconds(1), milliseconds(20)}};
    in_time(c, name, request, milliseconds(1000));
}

void plays_from(PlayerCheckup& c, std::string_view name, std::string_view from,
                std::string_view moves) {
    SearchRequest request;
    request.start = from;
    request.moves = moves;
    if (c.player().capabilities().depth) request.depth = 2;
    const Answer reply = c.search(request, seconds(5));
    if (c.is_well(name, "", reply)) c.say(name, StepState::Ok, played(reply));
}

void moves(PlayerCheckup& c, std::string_view name) {
    plays_from(c, name, "", random_game(c.game(), 3));
}

void position(PlayerCheckup& c, std::string_view name) {
    plays_from(c, name, played_position(c.game(), "", random_game(c.game(), 4))->text(), "");
}

void long_game(PlayerCheckup& c, std::string_view name) {
    plays_from(c, name, "", random_game(c.game(), kLongGame));
}

void endless(PlayerCheckup& c, std::string_view) {
    SearchRequest request;
    request.infinite = true;
    const Answer reply = c.search(request, seconds(5), true);
    const bool goes_on = reply.was_stopped;
    c.judge("infinite", "it searched until it was told to stop",
            goes_on ? "" : "expected a search until it is stopped; it ended at once");
    if (!goes_on) return;
    if (c.is_well("stop", "", reply)) {
        c.say("stop", StepState::Ok, reply.best + " came after stop");
    }
}

void new_game(PlayerCheckup& c, std::string_view name) {
    const std::string why = c.new_game();
    c.judge(name, "ready for a new game", why.empty() ? "" : "expected readiness; " + why);
    if (!why.empty()) c.drop();
}

void repeatable(PlayerCheckup& c, std::string_view name) {
    SearchRequest request;
    request.nodes = 5000;
    std::vector<Answer> replies;
    for (int i = 0; i < 2; ++i) {
        if (!c.start_fresh()) return;
        replies.push_back(c.search(request, seconds(3)));
        if (!c.is_well(name, "", replies.back())) return;
    }
    c.judge_repeatable(name, "5000 nodes", replies);
}

void quit(PlayerCheckup& c, std::string_view name) {
    const TimePoint since = c.now();
    if (c.quits()) {
        c.judge_end(name, {c.gone()->exit_code, c.gone()->signal}, micros_between(since, c.now()));
    } else {
        c.say(name, StepState::Fail, "expected an end within 1.00 s of quit; it is still there");
    }
    c.drop();
}

void lines(PlayerCheckup& c, std::string_view name) {
    const auto& warnings = c.warnings();
    c.say(name, warnings.empty() ? StepState::Ok : StepState::Warning,
          warnings.empty() ? "nothing was odd" : warnings.front());
}

// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
constexpr PlayerStep kPlayerSteps[] = {
    {"start identity", start, nullptr, false},
    {"depth", depth, &Capabilities::depth},
    {"nodes", nodes, &Capabilities::nodes},
    {"movetime", move_time, &Capabilities::move_time},
    {"clock", game_clock, &Capabilities::clock},
    {"moves", moves},
    {"position", position},
    {"infinite stop", endless, &Capabilities::infinite},
    {"new-game", new_game},
    {"long-game", long_game},
    {"repeatable", repeatable, &Capabilities::nodes},
    {"quit", quit},
    {"lines", lines, nullptr, false},
};

}  // namespace

ComplianceReport check_player(const Protocol& protocol, const ProgramSpec& spec,
                              const rules::Game& game, const ComplianceLimits& limits,
                              const Clock& clock,
                              const std::function<void(const ComplianceStep&)>& on_step) {
    ASSAY_CHECK(!game.info().has_chance);
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    ComplianceReport report;
    PlayerCheckup checkup(protocol, spec, game, limits, clock, report, on_step);
    for (const PlayerStep& step : kPlayerSteps) {
        if (step.needs != nullptr && !(protocol.info.can.*step.needs)) {
            checkup.skip_rest(step.names, "the protocol has no such thing");
            continue;
        }
        if (!step.needs_ready || checkup.ensure_ready()) step.run(checkup, step.names);
        checkup.skip_rest(step.names);
        if (checkup.gone() && checkup.gone()->reason == GoneReason::NotStarted) {
            report.steps.clear();
            report.start_failure = checkup.gone()->detail;
            return report;
        }
    }
    return report;
}

}  // namespace assay::adapters
