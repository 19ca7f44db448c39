#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/protocol/player.h"
#include "base/clock.h"
#include "harness/program/running_program.h"
#include "harness/program/shutdown_queue.h"

namespace assay::harness {

/// The programs of a session that no game needs at the moment. Whoever plays takes a program and
/// gives it back; a program that a later match needs with the same command, options and processors
/// stays and is not started again. All others end beside the games. One thread; outlives every
/// program taken from it.
class ProgramPool final : public ProgramEvents {
public:
    ProgramPool(PlayerFactory factory, const Clock& clock, const RunningProgram::Limits& limits);

    /// From now on at most so many programs of each of these are kept when they are given back,
    /// and at most so many of all together. Those that are here stay.
    void keep(std::vector<std::pair<adapters::ProgramSpec, int>> needed,
              std::size_t most = std::numeric_limits<std::size_t>::max()) {
        needed_ = std::move(needed);
        most_ = most;
    }

    /// Nothing is kept from now on; those that are here end.
    void end_all();

    /// One that is here and idle, or one that prepare() will start. `program`: its number in
    /// events.
    [[nodiscard]] std::unique_ptr<RunningProgram> take(const adapters::ProgramSpec& spec,
                                                       int program, ProgramEvents& owner);
    /// Also from inside one of the program's own events. It is kept if it is ready and needed
    /// later, else it ends in its own time.
    void give_back(std::unique_ptr<RunningProgram> running);

    /// All that are ending get no more grace than this.
    void hurry(TimePoint now, Micros grace) { shutdown_queue_.hurry(now, grace); }

    /// `tell` is told, in sentences, of programs that end while they are here, and of processes
    /// that cannot be killed and are left running.
    void tell(std::function<void(const std::string& text)> tell);

    void tick(TimePoint now);

    /// No program is ending any more; kept ones may be here.
    [[nodiscard]] bool is_settled() const { return shutdown_queue_.is_empty(); }

    // Of programs that are here: they are asked for nothing, so that only their end matters.
    void on_program_ready(RunningProgram&) override {}

    void on_program_move(RunningProgram&, const adapters::BestMove&, adapters::Arrival) override {}

    void on_program_go_written(RunningProgram&, TimePoint) override {}

    void on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool,
                           bool) override;

    void on_program_relaunch(RunningProgram&, const std::string&) override {}

    void on_program_not_launched(RunningProgram& running, const std::string&) override {
        remove(running);
    }

    [[nodiscard]] bool on_program_hung(RunningProgram&, const adapters::Gone&) override {
        return false;
    }

    void on_program_warning(RunningProgram&, std::string_view, std::string_view) override {}

private:
    void remove(const RunningProgram& running);
    void end(std::unique_ptr<RunningProgram> running);
    [[nodiscard]] bool is_needed(const adapters::ProgramSpec& spec) const;

    PlayerFactory factory_;
    std::function<void(const std::string& text)> tell_;
    const Clock& clock_;
    RunningProgram::Limits limits_;
    ShutdownQueue shutdown_queue_;
    std::vector<std::pair<adapters::ProgramSpec, int>> needed_;
    std::size_t most_ = 0;
    std::vector<std::unique_ptr<RunningProgram>> idle_;
    std::vector<std::unique_ptr<RunningProgram>>
        ended_;  // freed by tick(), outside of their events
};

}  // namespace assay::harness
