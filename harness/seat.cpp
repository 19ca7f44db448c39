#include "harness/seat.h"

#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace assay::harness {

Seat::Seat(int program, const adapters::ProgramSpec& spec, const PlayerFactory& factory,
           const Clock& clock, Retirement& retirement, const Limits& limits, SeatOwner& owner)
    : program_(program),
      spec_(spec),
      factory_(factory),
      clock_(clock),
      retirement_(retirement),
      limits_(limits),
      owner_(owner) {}

Seat::~Seat() = default;

void Seat::prepare() {
    switch (state_) {
        case State::Empty:
            player_ = factory_(spec_, *this);
            started_ = false;
            state_ = State::Starting;
            deadline_ = clock_.now() + limits_.start;
            player_->start();
            break;
        case State::Ready:
            state_ = State::Preparing;
            deadline_ = clock_.now() + limits_.ready;
            player_->new_game();
            break;
        case State::Draining:
            wanted_ = true;
            resume_after_drain_ = false;
            break;
        case State::Starting:
        case State::Preparing:
        case State::Thinking:
        case State::Pondering:
            ASSAY_CHECK(false);
    }
}

TimePoint Seat::go(const adapters::SearchRequest& request) {
    ASSAY_CHECK(state_ == State::Ready);
    state_ = request.ponder ? State::Pondering : State::Thinking;
    return player_->go(request);
}

TimePoint Seat::ponder_hit() {
    ASSAY_CHECK(state_ == State::Pondering);
    state_ = State::Thinking;
    return player_->ponder_hit();
}

void Seat::ponder_miss() {
    ASSAY_CHECK(state_ == State::Pondering);
    player_->stop();
    state_ = State::Draining;
    resume_after_drain_ = true;
    deadline_ = clock_.now() + limits_.ready;
}

void Seat::stop() {
    if (state_ == State::Thinking) player_->stop();
}

void Seat::end_game() {
    if (state_ == State::Thinking || state_ == State::Pondering) {
        player_->stop();
        state_ = State::Draining;
        deadline_ = clock_.now() + limits_.drain;
    }
    resume_after_drain_ = false;
}

void Seat::replace() {
    retirement_.take_and_kill(std::move(player_), clock_.now());
    state_ = State::Empty;
    wanted_ = false;
    resume_after_drain_ = false;
}

void Seat::dismiss(Micros grace) {
    if (player_) retirement_.take(std::move(player_), clock_.now(), grace);
    state_ = State::Empty;
    wanted_ = false;
    resume_after_drain_ = false;
}

void Seat::remember_words() {
    if (!player_) return;
    last_words_.clear();
    for (const std::string& line : player_->last_output()) last_words_ += line + "\n";
    for (const std::string& line : player_->last_errors()) last_words_ += "stderr: " + line + "\n";
    last_command_ = player_->last_command();
}

void Seat::tick(TimePoint now) {
    if (now < deadline_) return;
    const auto limit_text = [](Micros limit) {
        return fmt::format("{:g} s", static_cast<double>(limit.count()) / 1e6);
    };
    adapters::Gone gone;
    gone.reason = adapters::GoneReason::NoHandshake;
    switch (state_) {
        case State::Starting:
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
                if (wanted) prepare();
            }
            break;
        case State::Empty:
        case State::Ready:
        case State::Thinking:
        case State::Pondering:
            break;
    }
}

void Seat::fail(const adapters::Gone& gone, bool is_stall) {
    const bool started = started_;
    remember_words();
    replace();
    owner_.on_seat_failed(*this, gone, started, is_stall);
}

void Seat::after_drain() {
    state_ = State::Ready;
    if (std::exchange(resume_after_drain_, false)) {
        owner_.on_seat_ready(*this);
    } else if (std::exchange(wanted_, false)) {
        prepare();
    }
}

void Seat::on_ready(adapters::Arrival) {
    if (state_ != State::Starting && state_ != State::Preparing) return;
    const bool fresh = state_ == State::Starting;
    started_ = true;
    ever_started_ = true;
    state_ = State::Ready;
    if (fresh) {
        prepare();  // the first game begins with its new_game, as every other
    } else {
        owner_.on_seat_ready(*this);
    }
}

void Seat::on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) {
    if (state_ == State::Draining) {
        after_drain();
    } else if (state_ == State::Thinking) {
        state_ = State::Ready;
        owner_.on_seat_move(*this, best, arrival);
    } else if (state_ == State::Pondering) {
        // Answered before ponderhit: against the protocol; the answer is not used.
        state_ = State::Ready;
        owner_.on_seat_warning(*this, "premature bestmove", best.move);
    }
}

void Seat::on_gone(const adapters::Gone& gone, adapters::Arrival) {
    if (state_ == State::Empty) return;
    if (state_ == State::Draining && !resume_after_drain_) {
        const bool wanted = wanted_;
        replace();
        if (wanted) prepare();
        return;
    }
    fail(gone, false);
}

void Seat::on_warning(std::string_view kind, std::string_view text) {
    owner_.on_seat_warning(*this, kind, text);
}

}  // namespace assay::harness
