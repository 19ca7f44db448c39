#include "harness/suite/search.h"

#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::harness {

namespace {

std::string seconds_text(Micros limit) {
    return plain_number(static_cast<double>(limit.count()) / 1e6) + " s";
}

}  // namespace

SuiteSearch::SuiteSearch(const adapters::ProgramSpec& spec, const std::string& position,
                         const TimeControl& limit, const PlayerFactory& factory, const Clock& clock,
                         const Limits& limits)
    : spec_(spec),
      position_(position),
      limit_(limit),
      factory_(factory),
      clock_(clock),
      limits_(limits) {}

SuiteSearch::~SuiteSearch() = default;

void SuiteSearch::start() {
    player_ = factory_(spec_, *this);
    enter(State::Starting, limits_.start);
    player_->start();
    launch_ = player_->launch_state();
}

void SuiteSearch::enter(State state, Micros limit) {
    state_ = state;
    deadline_ = clock_.now() + limit;
}

void SuiteSearch::on_ready(adapters::Arrival /*arrival*/) {
    if (state_ != State::Starting) return;
    identity_ = player_->identity();
    go();
}

void SuiteSearch::go() {
    adapters::SearchRequest request;
    request.start = position_;
    switch (limit_.kind) {
        case TimeControl::Kind::Nodes:
            request.nodes = limit_.nodes;
            break;
        case TimeControl::Kind::MoveTime:
            request.move_time = limit_.move_time;
            break;
        case TimeControl::Kind::Depth:
            request.depth = limit_.depth;
            break;
        default:
            request.infinite = true;
            break;
    }
    enter(State::Thinking, limits_.wall);
    go_written_ = player_->go(request);
}

void SuiteSearch::on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) {
    if (state_ != State::Thinking && state_ != State::Stopping) return;
    best_move_ = printable_utf8(best.move);
    used_ = micros_between(go_written_, arrival.stamp);
    enter(State::Quitting, limits_.quit);
    player_->quit();
}

void SuiteSearch::on_gone(const adapters::Gone& gone, adapters::Arrival /*arrival*/) {
    ++launch_steps_;
    remember_lines();
    const std::string how = gone.detail.empty() ? "ended" : printable_utf8(gone.detail);
    switch (state_) {
        case State::Starting:
            end_ = SearchEnd::NoStart;
            was_not_launched_ = gone.reason == adapters::GoneReason::NotLaunched;
            reason_ = was_not_launched_ ? "the system did not start it: " + how : how;
            break;
        case State::Thinking:
        case State::Stopping:
            end_ = SearchEnd::Crash;
            reason_ = how + " after 'go'";
            break;
        case State::Fresh:
        case State::Quitting:
        case State::Terminating:
        case State::Dying:
        case State::Done:
            break;
    }
    state_ = State::Done;
}

void SuiteSearch::tick(TimePoint now) {
    if (state_ == State::Fresh || state_ == State::Done) return;
    const bool is_leaving = state_ >= State::Quitting;
    if (is_leaving && player_->is_gone()) {
        remember_lines();
        state_ = State::Done;
        return;
    }
    if (state_ == State::Starting) {
        using adapters::Player;
        const Player::Launch before = std::exchange(launch_, player_->launch_state());
        if (launch_ != before) ++launch_steps_;
        if (launch_ == Player::Launch::Waiting || launch_ != before) {
            deadline_ = now + limits_.start;
        }
    }
    if (now >= deadline_) on_overdue();
}

void SuiteSearch::on_overdue() {
    switch (state_) {
        case State::Starting:
            was_not_launched_ = launch_ != adapters::Player::Launch::Running;
            fail(SearchEnd::NoStart,
                 (was_not_launched_ ? "the system did not run it within " : "not ready within ") +
                     seconds_text(limits_.start));
            break;
        case State::Thinking:
            end_ = SearchEnd::Unfinished;
            reason_ = "stopped at the wall limit of " + seconds_text(limits_.wall);
            enter(State::Stopping, limits_.drain);
            player_->stop();
            break;
        case State::Stopping:
            fail(SearchEnd::Hang,
                 fmt::format("no bestmove within {}, nor {} after 'stop'",
                             seconds_text(limits_.wall), seconds_text(limits_.drain)));
            break;
        case State::Quitting:
            enter(State::Terminating, limits_.term);
            player_->terminate();
            break;
        case State::Terminating:
            enter(State::Dying, limits_.quit);
            player_->kill();
            break;
        case State::Dying:
            // The kernel keeps what it cannot end (a broken disk); nobody waits for that.
            state_ = State::Done;
            break;
        case State::Fresh:
        case State::Done:
            break;
    }
}

void SuiteSearch::kill() {
    if (state_ == State::Fresh) state_ = State::Done;
    if (state_ == State::Done) return;
    enter(State::Dying, limits_.quit);
    player_->kill();
}

void SuiteSearch::fail(SearchEnd end, const std::string& reason) {
    end_ = end;
    reason_ = reason;
    remember_lines();
    kill();
}

void SuiteSearch::remember_lines() {
    if (!last_lines_.empty()) return;
    for (const std::string& line : player_->last_output()) last_lines_ += line + "\n";
    for (const std::string& line : player_->last_errors()) last_lines_ += "stderr: " + line + "\n";
}

}  // namespace assay::harness
