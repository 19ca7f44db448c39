#include "adapters/check/player_check.h"

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "adapters/check/check_limits.h"
#include "adapters/check/compliance_steps.h"
#include "adapters/check/random_game.h"
#include "adapters/protocol/player.h"
#include "base/check.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The result of a search.
struct Reply {
    std::string trouble;  // empty: a legal move came
    std::string move;     // printable
    SearchInfo info;
    Micros took{0};
    bool was_stopped = false;
};

/// One program, driven step by step: each call returns when what it waits for has come, or its time
/// is over.
class PlayerCheckup final : public StepWriter, private PlayerListener {
public:
    PlayerCheckup(const Protocol& protocol, const ProgramSpec& spec, const rules::Game& game,
                  const ComplianceLimits& limits, const Clock& clock, ComplianceReport& report,
                  const OnStep& on_step)
        : StepWriter(report, on_step),
          protocol_(protocol),
          spec_(spec),
          limits_(limits),
          clock_(clock),
          end_(clock.now() + limits.total),
          loop_(clock),
          game_(game) {
        loop_.every(Micros{1000}, [this] {
            if (has_event_ || clock_.now() >= limit_) loop_.stop();
        });
    }

    /// A new process, up to readiness. Empty, or why not.
    [[nodiscard]] std::string start() {
        player_.reset();
        is_ready_ = false;
        gone_.reset();
        player_ = protocol_.make_player(loop_, spec_, *this, nullptr);
        player_->start({});
        return await_ready(limits_.handshake);
    }

    /// True where a program is ready for a search, started anew if need be.
    [[nodiscard]] bool ensure_ready() {
        if (!why_not_.empty()) return false;
        if (clock_.now() >= end_) {
            why_not_ = "the check's " + time_text(limits_.total) + " are used up";
        } else if (!is_ready_ || gone_) {
            if (restarts_++ == limits_.restarts) {
                why_not_ = "it had to be restarted " + std::to_string(limits_.restarts) + " times";
            } else if (const std::string why = start(); !why.empty()) {
                why_not_ = "restarted, it gave " + why;
            }
        }
        return why_not_.empty();
    }

    /// Another game. Empty, or why it was not ready for it.
    [[nodiscard]] std::string new_game() {
        is_ready_ = false;
        player_->new_game({});
        return await_ready(limits_.handshake);
    }

    /// REQUIRES: ensure_ready(). With `is_endless` the program is stopped after a moment.
    [[nodiscard]] Reply search(SearchRequest request, Micros allowed, bool is_endless = false) {
        Reply reply;
        reply_ = &reply;
        const auto position = position_of(request);
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
                gone_ ? "it " + gone_->detail
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

    void drop() {
        player_.reset();
        is_ready_ = false;
    }

    [[nodiscard]] const Player& player() const { return *player_; }

    [[nodiscard]] const std::optional<Gone>& gone() const { return gone_; }

    [[nodiscard]] const std::string& why_not() const { return why_not_; }

    void give_up(std::string why) { why_not_ = std::move(why); }

    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

    [[nodiscard]] const rules::Game& game() const { return game_; }

    [[nodiscard]] const ProgramSpec& spec() const { return spec_; }

    [[nodiscard]] const Protocol& protocol() const { return protocol_; }

private:
    static std::string word(std::string_view word) { return "'" + std::string(word) + "'"; }

    /// Runs the loop until an event, or for this long.
    void wait(Micros limit) {
        has_event_ = false;
        limit_ = clock_.now() + limit;
        loop_.run();
    }

    [[nodiscard]] std::string await_ready(Micros limit) {
        wait(limit);
        if (is_ready_) return {};
        if (gone_) return "it " + gone_->detail;
        return "no " + word(protocol_.info.words.ready) + " within " + time_text(limit);
    }

    [[nodiscard]] std::unique_ptr<rules::Position> position_of(const SearchRequest& request) const {
        auto position =
            request.start.empty() ? game_.start() : game_.parse(std::string(request.start));
        for (const std::string_view name : split_words(request.moves)) {
            const auto move = position->move_of(name, rules::Notation::Canonical);
            if (move) position->make(*move);
        }
        return position;
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
        reply_->move = printable_utf8(best.move.substr(0, 40));
        reply_->info = *best.info;
        if (best.kind == BestMove::Kind::Resign) {
            reply_->trouble = "it resigned";
        } else if (best.move.empty()) {
            reply_->trouble = "no move was named";
        } else if (!position_->move_of(best.move, rules::Notation::Canonical)) {
            reply_->trouble = "the illegal move " + reply_->move + " in " + position_->text();
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
    const ProgramSpec& spec_;
    const ComplianceLimits& limits_;
    const Clock& clock_;
    TimePoint end_;
    EventLoop loop_;
    const rules::Game& game_;
    std::unique_ptr<Player> player_;
    std::optional<Gone> gone_;
    std::vector<std::string> warnings_;
    std::string why_not_;
    int restarts_ = 0;
    bool is_ready_ = false;
    bool has_event_ = false;
    bool is_answered_ = false;
    TimePoint answered_at_{};
    TimePoint limit_{};
    Reply* reply_ = nullptr;                     // of the open search
    const rules::Position* position_ = nullptr;  // that it is of
};

/// A step of the table below.
struct PlayerStep {
    std::string_view names;  // blank-separated
    void (*run)(PlayerCheckup&, std::string_view name) = nullptr;
    bool Capabilities::*needs = nullptr;
    bool needs_ready = true;
};

std::string played(const Reply& reply) {
    return reply.move + " after " + time_text(reply.took);
}

/// True where a legal move came; else the step has failed.
bool is_well(PlayerCheckup& c, std::string_view name, const Reply& reply) {
    if (reply.trouble.empty()) return true;
    c.say(name, StepState::Fail, "expected a legal move; " + reply.trouble);
    return false;
}

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
    const Reply reply = c.search(request, seconds(5));
    if (!is_well(c, name, reply)) return;
    c.say(name, reply.was_stopped ? StepState::Warning : StepState::Ok,
          reply.was_stopped ? "expected an end at depth 2; it went on until it was stopped"
                            : played(reply));
}

void nodes(PlayerCheckup& c, std::string_view name) {
    SearchRequest request;
    request.nodes = 2000;
    const Reply reply = c.search(request, seconds(2));
    if (!is_well(c, name, reply)) return;
    const std::uint64_t said = reply.info.nodes.value_or(0);
    if (reply.was_stopped || said > 20'000) {
        c.say(name, StepState::Warning,
              reply.was_stopped ? "expected an end at 2000 nodes; it went on until it was stopped"
                                : "expected 2000 nodes; it searched " + std::to_string(said));
    } else {
        c.say(name, StepState::Ok, played(reply));
    }
}

void in_time(PlayerCheckup& c, std::string_view name, const SearchRequest& request,
             milliseconds allowed) {
    const Reply reply = c.search(request, allowed + seconds(5));
    if (!is_well(c, name, reply)) return;
    const Micros over = reply.took - Micros(allowed);
    const std::string late = "expected an answer within " + time_text(allowed) +
                             "; it came after " + time_text(reply.took);
    if (over > kLateWarning) {
        c.say(name, over > kLateFail ? StepState::Fail : StepState::Warning, late);
    } else {
        c.say(name, StepState::Ok, played(reply) + " of " + time_text(allowed));
    }
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
    const Reply reply = c.search(request, seconds(5));
    if (is_well(c, name, reply)) c.say(name, StepState::Ok, played(reply));
}

void moves(PlayerCheckup& c, std::string_view name) {
    plays_from(c, name, "", random_game(c.game(), 3));
}

void position(PlayerCheckup& c, std::string_view name) {
    const auto position = c.game().start();
    const std::string names = random_game(c.game(), 4);
    for (const std::string_view one : split_words(names)) {
        const auto move = position->move_of(one, rules::Notation::Canonical);
        if (move) position->make(*move);
    }
    const std::string text = position->text();
    plays_from(c, name, text, "");
}

void long_game(PlayerCheckup& c, std::string_view name) {
    plays_from(c, name, "", random_game(c.game(), kLongGame));
}

void endless(PlayerCheckup& c, std::string_view) {
    SearchRequest request;
    request.infinite = true;
    const Reply reply = c.search(request, seconds(5), true);
    const bool goes_on = reply.was_stopped;
    c.judge("infinite", "it searched until it was told to stop",
            goes_on ? "" : "expected a search until it is stopped; it ended at once");
    if (!goes_on) return;
    if (is_well(c, "stop", reply)) {
        c.say("stop", StepState::Ok, reply.move + " came after stop");
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
    std::vector<Reply> replies;
    for (int i = 0; i < 2; ++i) {
        if (!c.start().empty()) return;
        replies.push_back(c.search(request, seconds(3)));
        if (!is_well(c, name, replies.back())) return;
    }
    const bool is_same = replies[0].move == replies[1].move &&
                         replies[0].info.nodes == replies[1].info.nodes &&
                         replies[0].info.score == replies[1].info.score;
    c.say(name, StepState::Note,
          is_same ? "5000 nodes twice: the same move, score and nodes, so games can be repeated"
                  : "5000 nodes twice: different answers, so games cannot be repeated");
}

void quit(PlayerCheckup& c, std::string_view name) {
    if (!c.quits()) {
        c.say(name, StepState::Fail, "expected an end within 1.00 s of quit; it is still there");
    } else {
        const bool is_clean = c.gone()->signal == 0 && c.gone()->exit_code == 0;
        c.say(name, is_clean ? StepState::Ok : StepState::Warning,
              is_clean ? "ended after quit"
                       : "expected an end with code 0 after quit; it " + c.gone()->detail);
    }
    c.drop();
}

void lines(PlayerCheckup& c, std::string_view name) {
    const auto& warnings = c.warnings();
    c.say(name, warnings.empty() ? StepState::Ok : StepState::Warning,
          warnings.empty() ? "nothing was odd" : warnings.front());
}

constexpr PlayerStep kPlayerSteps[] = {
    // NOLINT(modernize-avoid-c-arrays): the size is the table's
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
        const std::string& why = checkup.why_not();
        checkup.skip_rest(step.names, "not reached" + (why.empty() ? "" : ": " + why));
        if (checkup.gone() && checkup.gone()->reason == GoneReason::NotStarted) {
            report.steps.clear();
            report.start_failure = checkup.gone()->detail;
            return report;
        }
    }
    return report;
}

}  // namespace assay::adapters
