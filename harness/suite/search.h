#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "harness/executor/node_limit.h"
#include "harness/plan/time_control.h"
#include "harness/program/running_program.h"
#include "harness/program/shutdown_queue.h"
#include "harness/record/suite.h"
#include "harness/suite/solution.h"

namespace assay::harness {

/// One search of a suite in a fresh process: starts the program, has it search one position, and
/// ends it, so that its tree log is closed. Whatever the program does instead becomes a SearchEnd;
/// nothing here throws. One thread; the owner calls tick() often and destroys it when it is done.
class SuiteSearch final : public ProgramEvents {
public:
    struct Limits {
        Micros start{std::chrono::seconds(10)};  // see RunningProgram::Limits
        Micros wall{std::chrono::minutes(10)};   // from the search to its being stopped
        Micros drain{std::chrono::seconds(1)};   // from then to the answer
        Micros quit{std::chrono::seconds(5)};    // from quit to SIGTERM: a log is being closed
        Micros term{std::chrono::seconds(1)};    // from SIGTERM to SIGKILL
    };

    /// All must outlive it. `on_relaunch` is told why the program is started once more. `watch` is
    /// that of the position's solution, or null.
    SuiteSearch(const adapters::ProgramSpec& spec, const SuitePosition& position,
                const TimeControl& limit, const PlayerFactory& factory, const Clock& clock,
                const Limits& limits, std::unique_ptr<SolutionWatch> watch,
                std::function<void(const std::string& why)> on_relaunch);

    void start();
    void tick(TimePoint now);
    /// Gives the search up at once.
    void kill();

    /// The process is gone, or cannot be killed.
    [[nodiscard]] bool is_done() const { return is_over_ && shutdown_queue_.is_empty(); }

    /// The end is no fault of the program: the system did not make it run, twice in a row.
    [[nodiscard]] bool was_not_launched() const { return was_not_launched_; }

    /// It was not started because its file is not the one that the run began with.
    [[nodiscard]] bool was_replaced() const { return was_replaced_; }

    [[nodiscard]] const RunningProgram& running() const { return running_; }

    /// Searched or Unfinished where it answered; its log is yet to be looked at.
    [[nodiscard]] SearchEnd end() const { return end_; }

    [[nodiscard]] const std::string& reason() const { return reason_; }

    [[nodiscard]] const std::string& best_move() const { return best_move_; }

    /// The lasting solution; nullopt without one.
    [[nodiscard]] std::optional<Solution> solution() const {
        return watch_ ? watch_->solution() : std::nullopt;
    }

    /// The depth and the nodes that the program named last; 0: none.
    [[nodiscard]] int depth() const { return depth_; }

    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

    /// What it said last, where it failed.
    [[nodiscard]] const std::string& last_lines() const { return running_.last_words(); }

    [[nodiscard]] Micros used() const { return used_; }

    /// Empty while the program seems to keep to its limit of nodes.
    [[nodiscard]] std::string ignored_nodes() const { return ignored_nodes_text(reported_); }

    /// Set once it has shaken hands.
    [[nodiscard]] const std::optional<adapters::Identity>& identity() const { return identity_; }

private:
    void on_program_ready(RunningProgram& running) override;
    void on_program_move(RunningProgram& running, const adapters::BestMove& best,
                         adapters::Arrival arrival) override;
    void on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool started,
                           bool is_stall) override;

    void on_program_go_written(RunningProgram&, TimePoint when) override { go_written_ = when; }

    void on_program_info(RunningProgram& running, const adapters::SearchInfo& info,
                         adapters::Arrival arrival) override;

    void on_program_relaunch(RunningProgram&, const std::string& why) override {
        on_relaunch_(why);
    }

    void on_program_not_launched(RunningProgram&, const std::string& why) override {
        was_not_launched_ = true;
        finish(SearchEnd::NoStart, why);
    }

    [[nodiscard]] bool on_program_hung(RunningProgram&, const adapters::Gone&) override {
        return true;
    }

    void on_program_warning(RunningProgram&, std::string_view, std::string_view) override {}

    void finish(SearchEnd end, std::string reason);

    const SuitePosition& position_;
    const TimeControl& limit_;
    const Clock& clock_;
    Limits limits_;
    std::function<void(const std::string& why)> on_relaunch_;
    ShutdownQueue shutdown_queue_;
    RunningProgram running_;
    bool is_over_ = false;
    bool was_not_launched_ = false;
    bool was_replaced_ = false;
    TimePoint go_written_{};
    SearchEnd end_ = SearchEnd::Searched;
    std::string reason_;
    std::string_view go_word_;  // the protocol's, for sentences
    std::string best_move_;
    std::unique_ptr<SolutionWatch> watch_;
    int depth_ = 0;
    std::uint64_t nodes_ = 0;
    NodesSearched reported_;
    Micros used_{0};
    std::optional<adapters::Identity> identity_;
};

}  // namespace assay::harness
