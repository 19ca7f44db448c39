#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/program_spec.h"
#include "base/clock.h"
#include "harness/program/running_program.h"
#include "harness/program/shutdown_queue.h"

namespace assay::harness {

/// Has several processes of one program search the same positions at the same time, and sums up how
/// many nodes a second each of them said: what a machine gives a program while all its places are
/// busy. Begins when all are ready. Passive: driven by tick() and the loop that players run on. One
/// thread.
class SpeedSearch final : public ProgramEvents {
public:
    struct Setup {
        adapters::ProgramSpec spec;
        int slots = 1;
        std::vector<std::vector<int>> cpus;  // of each slot; empty: the system's choice
        std::vector<std::string> positions;  // texts; "": the game's start
        Micros move_time{1'000'000};         // for each
        RunningProgram::Limits limits;
    };

    /// `clock` outlives it. REQUIRES: slots > 0, positions not empty.
    SpeedSearch(Setup setup, PlayerFactory factory, const Clock& clock);
    SpeedSearch(const SpeedSearch&) = delete;
    SpeedSearch& operator=(const SpeedSearch&) = delete;
    ~SpeedSearch() override;

    void start();
    void tick(TimePoint now);
    /// Ends all programs, without a result.
    void stop();

    /// No program is left.
    [[nodiscard]] bool is_done() const;

    /// The median over the slots; nullopt where one failed or said no nodes.
    [[nodiscard]] std::optional<double> nps() const;

    /// Why there is none, a fragment; empty: there is one.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    struct Slot;

    void on_program_ready(RunningProgram& running) override;
    void on_program_move(RunningProgram& running, const adapters::BestMove& best,
                         adapters::Arrival arrival) override;
    void on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool started,
                           bool is_stall) override;

    void on_program_go_written(RunningProgram& running, TimePoint when) override;

    void on_program_relaunch(RunningProgram&, const std::string&) override {}

    void on_program_not_launched(RunningProgram&, const std::string& why) override { fail(why); }

    [[nodiscard]] bool on_program_hung(RunningProgram&, const adapters::Gone&) override {
        return true;
    }

    void on_program_warning(RunningProgram&, std::string_view, std::string_view) override {}

    [[nodiscard]] Slot& slot_of(const RunningProgram& running);
    void prepare(Slot& slot);
    void go(Slot& slot);
    void fail(std::string why);

    Setup setup_;
    PlayerFactory factory_;
    ShutdownQueue shutdown_queue_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::size_t ready_ = 0;  // slots that are, until all have begun
    bool is_over_ = false;
    std::string failure_;
};

}  // namespace assay::harness
