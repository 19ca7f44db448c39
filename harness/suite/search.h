#pragma once
#include <memory>
#include <optional>
#include <string>

#include "adapters/protocol/player.h"
#include "base/clock.h"
#include "harness/plan/time_control.h"
#include "harness/program/running_program.h"
#include "harness/record/suite.h"

namespace assay::harness {

/// One search of a suite in a fresh process: starts the program, has it search one position, and
/// ends it, so that its tree log is closed. Whatever the program does instead becomes a SearchEnd;
/// nothing here throws. One thread; the owner calls tick() often and destroys it when it is done.
class SuiteSearch final : public adapters::PlayerListener {
public:
    struct Limits {
        Micros start{std::chrono::seconds(10)};  // see RunningProgram::Limits
        Micros wall{std::chrono::minutes(10)};   // from go to stop
        Micros drain{std::chrono::seconds(1)};   // from stop to bestmove
        Micros quit{std::chrono::seconds(5)};    // from quit to SIGTERM: a log is being closed
        Micros term{std::chrono::seconds(1)};    // from SIGTERM to SIGKILL
    };

    /// All must outlive it.
    SuiteSearch(const adapters::ProgramSpec& spec, const std::string& position,
                const TimeControl& limit, const PlayerFactory& factory, const Clock& clock,
                const Limits& limits);
    ~SuiteSearch() override;
    SuiteSearch(const SuiteSearch&) = delete;
    SuiteSearch& operator=(const SuiteSearch&) = delete;

    void start();
    void tick(TimePoint now);
    /// Gives the search up at once.
    void kill();

    /// The program is gone, or cannot be got rid of.
    [[nodiscard]] bool is_done() const { return state_ == State::Done; }

    /// The end is no fault of the program: the system did not make it run, or not within the start
    /// limit.
    [[nodiscard]] bool was_not_launched() const { return was_not_launched_; }

    /// Its program is to be started when others have been.
    [[nodiscard]] bool is_waiting_for_launch() const {
        return state_ == State::Starting && launch_ == adapters::Player::Launch::Waiting;
    }

    /// How often its start was seen to get on.
    [[nodiscard]] std::uint64_t launch_steps() const { return launch_steps_; }

    /// Searched or Unfinished where it answered; its log is yet to be looked at.
    [[nodiscard]] SearchEnd end() const { return end_; }

    [[nodiscard]] const std::string& reason() const { return reason_; }

    [[nodiscard]] const std::string& best_move() const { return best_move_; }

    [[nodiscard]] const std::string& last_lines() const { return last_lines_; }

    [[nodiscard]] Micros used() const { return used_; }

    /// Set once it has shaken hands.
    [[nodiscard]] const std::optional<adapters::Identity>& identity() const { return identity_; }

private:
    enum class State : std::uint8_t {
        Fresh,
        Starting,
        Thinking,
        Stopping,  // its wall limit is over
        Quitting,  // it was asked to end
        Terminating,
        Dying,  // SIGKILL
        Done,
    };

    void on_ready(adapters::Arrival arrival) override;
    void on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) override;
    void on_gone(const adapters::Gone& gone, adapters::Arrival arrival) override;

    void on_warning(std::string_view, std::string_view) override {}

    void go();
    void enter(State state, Micros limit);
    void on_overdue();
    void fail(SearchEnd end, const std::string& reason);
    void remember_lines();

    const adapters::ProgramSpec& spec_;
    const std::string& position_;
    const TimeControl& limit_;
    const PlayerFactory& factory_;
    const Clock& clock_;
    Limits limits_;
    std::unique_ptr<adapters::Player> player_;
    State state_ = State::Fresh;
    TimePoint deadline_{};
    adapters::Player::Launch launch_{};  // of a program that is Starting, as last seen
    std::uint64_t launch_steps_ = 0;
    bool was_not_launched_ = false;
    TimePoint go_written_{};
    SearchEnd end_ = SearchEnd::Searched;
    std::string reason_;
    std::string best_move_;
    std::string last_lines_;
    Micros used_{0};
    std::optional<adapters::Identity> identity_;
};

}  // namespace assay::harness
