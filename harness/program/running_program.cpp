// One place for a program of a match, and the process that sits in it: its states, deadlines and
// restarts, as a match, a suite and a book need them alike. The owner sees a program that becomes
// ready, answers or fails; that a process was exchanged in between is decided here.
//
// A process that is given up takes its listener with it into the shutdown queue (take_link()): its
// last words arrive later, and must not be taken for its successor's. Deadlines are looked at in
// tick() and in one field, because a state has one deadline at the most.
//
// An answer may be owed when a game is over (the search goes on, or a ponder search was wrong). The
// program is drained first: it is stopped and its bestmove awaited, for a short time where nobody
// waits for it, and for as long as readiness may take where a game does. A program that does not
// answer then is replaced.
//
// A launch that fails is the machine's fault the first time and is tried once more; twice in a row
// ends the match, since the next program would not start either.
#include "harness/program/running_program.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "adapters/protocols.h"
#include "base/check.h"
#include "base/text.h"

namespace assay::harness {

namespace {

std::string limit_text(Micros limit) {
    return plain_number(static_cast<double>(limit.count()) / 1e6) + " s";
}

}  // namespace

/// Forwards one process's events to its owner until the owner abandons the process: what a dying
/// process still says must not be taken for its successor's words.
class RunningProgram::Listener final : public adapters::PlayerListener {
public:
    explicit Listener(RunningProgram& running) : running_(&running) {}

    void leave() { running_ = nullptr; }

    void on_ready(adapters::Arrival) override {
        if (running_ != nullptr) running_->on_ready();
    }

    void on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) override {
        if (running_ != nullptr) running_->on_best_move(best, arrival);
    }

    void on_go_written(TimePoint when) override {
        if (running_ != nullptr) running_->owner_->on_program_go_written(*running_, when);
    }

    void on_gone(const adapters::Gone& gone, adapters::Arrival) override {
        if (running_ != nullptr) running_->on_gone(gone);
    }

    void on_warning(std::string_view kind, std::string_view text) override {
        if (running_ != nullptr) running_->owner_->on_program_warning(*running_, kind, text);
    }

    void on_info(const adapters::SearchInfo& info, adapters::Arrival arrival) override {
        if (running_ != nullptr && running_->state_ == State::Thinking)
            running_->owner_->on_program_info(*running_, info, arrival);
    }

private:
    RunningProgram* running_;
};

RunningProgram::RunningProgram(int program, const adapters::ProgramSpec& spec,
                               const PlayerFactory& factory, const Clock& clock,
                               ShutdownQueue& shutdown_queue, const Limits& limits,
                               ProgramEvents& owner)
    : program_(program),
      spec_(spec),
      factory_(factory),
      clock_(clock),
      shutdown_queue_(shutdown_queue),
      limits_(limits),
      owner_(&owner) {}

RunningProgram::~RunningProgram() = default;

void RunningProgram::prepare(const adapters::GameStart& game) {
    game_ = game;
    prepare();
}

void RunningProgram::prepare() {
    switch (state_) {
        case State::Empty:
            launch();
            break;
        case State::Ready:
            if (spec_.restarts && has_played_) {
                dismiss(limits_.drain);
                launch();
                break;
            }
            state_ = State::Preparing;
            deadline_ = clock_.now() + limits_.ready;
            here().new_game(game_);
            break;
        case State::Draining:
            wanted_ = true;
            resume_after_drain_ = false;
            break;
        case State::Starting:
        case State::Preparing:
            // Already on its way: nothing was played since, and on_program_ready follows.
            break;
        case State::Thinking:
        case State::Pondering:
            ASSAY_CHECK(false);
    }
}

void RunningProgram::launch() {
    relaunch_at_.reset();
    auto listener = std::make_unique<Listener>(*this);
    listener_ = listener.get();
    link_.player = factory_(spec_, *listener);
    link_.listener = std::move(listener);
    started_ = false;
    has_played_ = false;
    has_shaken_hands_ = false;
    state_ = State::Starting;
    here().start(game_);
    launch_ = here().launch_state();
    deadline_ = clock_.now() + start_limit();
}

Micros RunningProgram::start_limit() const {
    const bool runs = launch_ == adapters::Player::Launch::Running;
    return runs ? limits_.start : std::max(limits_.start, kLeastLaunch);
}

TimePoint RunningProgram::go(const adapters::SearchRequest& request) {
    ASSAY_CHECK(state_ == State::Ready);
    state_ = request.ponder ? State::Pondering : State::Thinking;
    has_played_ = true;
    was_stopped_ = false;
    wall_.reset();
    return here().go(request);
}

TimePoint RunningProgram::go(const adapters::SearchRequest& request, Micros wall) {
    const TimePoint written = go(request);
    wall_ = wall;
    deadline_ = clock_.now() + wall;
    return written;
}

TimePoint RunningProgram::ponder_hit() {
    ASSAY_CHECK(state_ == State::Pondering);
    state_ = State::Thinking;
    return here().ponder_hit();
}

void RunningProgram::ponder_miss() {
    ASSAY_CHECK(state_ == State::Pondering);
    here().stop();
    state_ = State::Draining;
    resume_after_drain_ = true;
    deadline_ = clock_.now() + limits_.ready;
}

void RunningProgram::stop() {
    if (state_ == State::Thinking) here().stop();
}

void RunningProgram::end_game() {
    if (state_ == State::Thinking || state_ == State::Pondering) {
        // A program that cannot be stopped is replaced at the next tick, unless it has answered.
        here().stop();
        state_ = State::Draining;
        deadline_ = clock_.now() + (here().capabilities().stop ? limits_.drain : Micros{0});
    }
    if (state_ == State::Draining && resume_after_drain_) {
        deadline_ = std::min(deadline_, clock_.now() + limits_.drain);
    }
    resume_after_drain_ = false;
    relaunch_at_.reset();
}

ProgramLink RunningProgram::take_link() {
    if (listener_ != nullptr) listener_->leave();
    listener_ = nullptr;
    state_ = State::Empty;
    wanted_ = false;
    resume_after_drain_ = false;
    relaunch_at_.reset();
    return std::move(link_);
}

void RunningProgram::replace() {
    shutdown_queue_.take_and_kill(take_link(), clock_.now());
}

void RunningProgram::dismiss(Micros grace, std::optional<Micros> term_grace) {
    shutdown_queue_.take(take_link(), clock_.now(), grace, term_grace.value_or(grace));
}

void RunningProgram::remember_words() {
    if (!link_.player) return;
    last_words_.clear();
    for (const std::string& line : here().last_output()) last_words_ += line + "\n";
    for (const std::string& line : here().last_errors()) last_words_ += "stderr: " + line + "\n";
    last_command_ = here().last_command();
}

/// Time spent in the launch queue, behind other programs, is not this program's time.
void RunningProgram::watch_launch(TimePoint now) {
    using adapters::Player;
    const Player::Launch before = std::exchange(launch_, here().launch_state());
    if (launch_ != before) ++launch_steps_;
    if (launch_ == Player::Launch::Waiting || launch_ != before) deadline_ = now + start_limit();
}

void RunningProgram::watch_handshake(TimePoint now) {
    if (has_shaken_hands_ || !here().has_shaken_hands()) return;
    has_shaken_hands_ = true;
    if (limits_.first_ready) deadline_ = now + *limits_.first_ready;
}

void RunningProgram::tick(TimePoint now) {
    if (relaunch_at_ && now >= *relaunch_at_) launch();
    if (state_ == State::Starting) {
        watch_launch(now);
        watch_handshake(now);
    }
    if (now >= deadline_) on_overdue(now);
}

void RunningProgram::on_overdue(TimePoint now) {
    adapters::Gone gone;
    gone.reason = adapters::GoneReason::NoHandshake;
    switch (state_) {
        case State::Starting:
            if (launch_ != adapters::Player::Launch::Running) {
                fail_to_launch("the system did not run it within " + limit_text(start_limit()));
                break;
            }
            if (has_shaken_hands_) {
                gone.reason = adapters::GoneReason::Unready;
                gone.detail = fmt::format("no {} within {}", words().ready,
                                          limit_text(limits_.first_ready.value_or(limits_.start)));
                fail(gone, false);
                break;
            }
            gone.reason = adapters::GoneReason::Silent;
            gone.detail = "no readiness within " + limit_text(limits_.start) +
                          adapters::other_protocol(here().last_output(), spec().protocol);
            fail(gone, false);
            break;
        case State::Preparing:
            gone.detail = fmt::format("no {} within {}", words().ready, limit_text(limits_.ready));
            fail(gone, true);
            break;
        case State::Thinking:
            if (wall_) on_search_overdue(now);
            break;
        case State::Draining:
            if (resume_after_drain_ || here().capabilities().stop) {
                gone.detail =
                    fmt::format("no {} after {} within {}", words().answer, words().stop,
                                limit_text(resume_after_drain_ ? limits_.ready : limits_.drain));
            }
            if (resume_after_drain_) {
                fail(gone, true);
            } else {
                gone.reason = adapters::GoneReason::Protocol;
                end_drain(gone);
            }
            break;
        case State::Empty:
        case State::Ready:
        case State::Pondering:
            break;
    }
}

void RunningProgram::on_search_overdue(TimePoint now) {
    if (!was_stopped_ && here().capabilities().stop) {
        was_stopped_ = true;
        deadline_ = now + limits_.drain;
        here().stop();
        return;
    }
    adapters::Gone gone;
    gone.reason = adapters::GoneReason::Protocol;
    gone.detail = fmt::format("no {} within {}", words().answer, limit_text(*wall_));
    if (was_stopped_) {
        gone.detail += fmt::format(", nor {} after '{}'", limit_text(limits_.drain), words().stop);
    }
    fail(gone, true);
}

void RunningProgram::fail_to_launch(const std::string& why) {
    replace();
    if (std::exchange(was_not_launched_, !was_not_launched_)) {
        owner_->on_program_not_launched(*this, why + ", twice in a row");
        return;
    }
    relaunch_at_ = clock_.now() + kRelaunchAfter;
    owner_->on_program_relaunch(*this, why + "; tried once more");
}

void RunningProgram::fail(const adapters::Gone& gone, bool is_stall) {
    const bool started = started_;
    remember_words();
    replace();
    owner_->on_program_failed(*this, gone, started, is_stall);
}

void RunningProgram::after_drain() {
    state_ = State::Ready;
    if (std::exchange(resume_after_drain_, false)) {
        owner_->on_program_ready(*this);
    } else if (std::exchange(wanted_, false)) {
        prepare();
    }
}

/// The game has been judged, and only a fresh process can play the next one.
void RunningProgram::end_drain(const adapters::Gone& gone) {
    const bool wanted = wanted_;
    remember_words();
    replace();
    if (owner_->on_program_hung(*this, gone) && wanted) prepare();
}

void RunningProgram::on_ready() {
    if (state_ != State::Starting && state_ != State::Preparing) return;
    const bool fresh = state_ == State::Starting;
    if (fresh) ++launch_steps_;
    started_ = true;
    ever_started_ = true;
    was_not_launched_ = false;
    state_ = State::Ready;
    owner_->on_program_ready(*this);
}

void RunningProgram::on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) {
    if (state_ == State::Draining) {
        after_drain();
    } else if (state_ == State::Thinking) {
        state_ = State::Ready;
        owner_->on_program_move(*this, best, arrival);
    } else if (state_ == State::Pondering) {
        // Answered before ponderhit: against the protocol; the answer is not used.
        state_ = State::Ready;
        owner_->on_program_warning(*this, fmt::format("premature {}", words().answer), best.move);
    }
}

void RunningProgram::on_gone(const adapters::Gone& gone) {
    if (state_ == State::Empty) return;
    if (state_ == State::Draining && !resume_after_drain_) {
        end_drain(gone);
        return;
    }
    if (state_ == State::Starting) ++launch_steps_;
    if (gone.reason == adapters::GoneReason::NotLaunched) {
        fail_to_launch("the system did not start it: " + printable_utf8(gone.detail));
        return;
    }
    if (gone.reason == adapters::GoneReason::Replaced) {
        adapters::Gone replaced = gone;
        replaced.detail += "; put the old file back to go on, or start anew";
        fail(replaced, false);
        return;
    }
    fail(gone, false);
}

}  // namespace assay::harness
