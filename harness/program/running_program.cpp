#include "harness/program/running_program.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/text.h"

namespace assay::harness {

/// Hears one process for its program, until the program has given that process up: what a dying
/// program still says must not be taken for its successor's words.
class RunningProgram::Ear final : public adapters::PlayerListener {
public:
    explicit Ear(RunningProgram& running) : seat_(&running) {}

    void leave() { seat_ = nullptr; }

    void on_ready(adapters::Arrival) override {
        if (seat_ != nullptr) seat_->on_ready();
    }

    void on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) override {
        if (seat_ != nullptr) seat_->on_best_move(best, arrival);
    }

    void on_go_written(TimePoint when) override {
        if (seat_ != nullptr) seat_->owner_.on_program_go_written(*seat_, when);
    }

    void on_gone(const adapters::Gone& gone, adapters::Arrival) override {
        if (seat_ != nullptr) seat_->on_gone(gone);
    }

    void on_warning(std::string_view kind, std::string_view text) override {
        if (seat_ != nullptr) seat_->owner_.on_program_warning(*seat_, kind, text);
    }

private:
    RunningProgram* seat_;
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
      owner_(owner) {}

RunningProgram::~RunningProgram() = default;

void RunningProgram::prepare() {
    switch (state_) {
        case State::Empty: {
            auto ear = std::make_unique<Ear>(*this);
            ear_ = ear.get();
            link_.player = factory_(spec_, *ear);
            link_.listener = std::move(ear);
            started_ = false;
            has_played_ = false;
            state_ = State::Starting;
            deadline_ = clock_.now() + limits_.start;
            here().start();
            launch_ = here().launch_state();
            break;
        }
        case State::Ready:
            state_ = State::Preparing;
            deadline_ = clock_.now() + limits_.ready;
            here().new_game();
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

TimePoint RunningProgram::go(const adapters::SearchRequest& request) {
    ASSAY_CHECK(state_ == State::Ready);
    state_ = request.ponder ? State::Pondering : State::Thinking;
    has_played_ = true;
    return here().go(request);
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
        here().stop();
        state_ = State::Draining;
        deadline_ = clock_.now() + limits_.drain;
    }
    if (state_ == State::Draining && resume_after_drain_) {
        deadline_ = std::min(deadline_, clock_.now() + limits_.drain);
    }
    resume_after_drain_ = false;
}

ProgramLink RunningProgram::take_link() {
    if (ear_ != nullptr) ear_->leave();
    ear_ = nullptr;
    return std::move(link_);
}

void RunningProgram::replace() {
    shutdown_queue_.take_and_kill(take_link(), clock_.now());
    state_ = State::Empty;
    wanted_ = false;
    resume_after_drain_ = false;
}

void RunningProgram::dismiss(Micros grace) {
    shutdown_queue_.take(take_link(), clock_.now(), grace);
    state_ = State::Empty;
    wanted_ = false;
    resume_after_drain_ = false;
}

void RunningProgram::remember_words() {
    if (!link_.player) return;
    last_words_.clear();
    for (const std::string& line : here().last_output()) last_words_ += line + "\n";
    for (const std::string& line : here().last_errors()) last_words_ += "stderr: " + line + "\n";
    last_command_ = here().last_command();
}

/// What others take to be started is not this program's time.
void RunningProgram::watch_launch(TimePoint now) {
    using adapters::Player;
    const Player::Launch before = std::exchange(launch_, here().launch_state());
    if (launch_ != before) ++launch_steps_;
    if (launch_ == Player::Launch::Waiting || launch_ != before) deadline_ = now + limits_.start;
}

void RunningProgram::tick(TimePoint now) {
    if (state_ == State::Starting) watch_launch(now);
    if (now < deadline_) return;
    const auto limit_text = [](Micros limit) {
        return plain_number(static_cast<double>(limit.count()) / 1e6) + " s";
    };
    adapters::Gone gone;
    gone.reason = adapters::GoneReason::NoHandshake;
    switch (state_) {
        case State::Starting:
            if (launch_ != adapters::Player::Launch::Running) {
                replace();
                owner_.on_program_not_launched(
                    *this, "the system did not run it within " + limit_text(limits_.start));
                break;
            }
            gone.detail = "no readiness within " + limit_text(limits_.start);
            fail(gone, false);
            break;
        case State::Preparing:
            gone.detail = "no readyok within " + limit_text(limits_.ready);
            fail(gone, true);
            break;
        case State::Draining:
            // It ignores stop: the game has been judged, only a fresh process can play the next.
            if (resume_after_drain_) {
                gone.detail = "no bestmove after stop within " + limit_text(limits_.ready);
                fail(gone, true);
            } else {
                const bool wanted = wanted_;
                replace();
                if (owner_.on_program_hung(*this) && wanted) prepare();
            }
            break;
        case State::Empty:
        case State::Ready:
        case State::Thinking:
        case State::Pondering:
            break;
    }
}

void RunningProgram::fail(const adapters::Gone& gone, bool is_stall) {
    const bool started = started_;
    remember_words();
    replace();
    owner_.on_program_failed(*this, gone, started, is_stall);
}

void RunningProgram::after_drain() {
    state_ = State::Ready;
    if (std::exchange(resume_after_drain_, false)) {
        owner_.on_program_ready(*this);
    } else if (std::exchange(wanted_, false)) {
        prepare();
    }
}

void RunningProgram::on_ready() {
    if (state_ != State::Starting && state_ != State::Preparing) return;
    const bool fresh = state_ == State::Starting;
    if (fresh) ++launch_steps_;
    started_ = true;
    ever_started_ = true;
    state_ = State::Ready;
    owner_.on_program_ready(*this);
}

void RunningProgram::on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) {
    if (state_ == State::Draining) {
        after_drain();
    } else if (state_ == State::Thinking) {
        state_ = State::Ready;
        owner_.on_program_move(*this, best, arrival);
    } else if (state_ == State::Pondering) {
        // Answered before ponderhit: against the protocol; the answer is not used.
        state_ = State::Ready;
        owner_.on_program_warning(*this, "premature bestmove", best.move);
    }
}

void RunningProgram::on_gone(const adapters::Gone& gone) {
    if (state_ == State::Empty) return;
    if (state_ == State::Draining && !resume_after_drain_) {
        const bool wanted = wanted_;
        replace();
        if (owner_.on_program_hung(*this) && wanted) prepare();
        return;
    }
    if (state_ == State::Starting) ++launch_steps_;
    if (gone.reason == adapters::GoneReason::NotLaunched) {
        replace();
        owner_.on_program_not_launched(*this, "the system did not start it: " + gone.detail);
        return;
    }
    fail(gone, false);
}

}  // namespace assay::harness
