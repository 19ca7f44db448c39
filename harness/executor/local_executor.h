#pragma once
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "adapters/protocol/player.h"
#include "harness/executor/executor.h"
#include "harness/executor/places.h"
#include "harness/executor/program_pool.h"
#include "harness/executor/slot/slot.h"
#include "harness/executor/turn_meters.h"
#include "harness/plan/plan.h"
#include "harness/program/launch_timer.h"
#include "rules/game.h"

namespace assay::harness {

/// Plays on this machine: one slot an encounter, each with one process a program. An encounter gets
/// the slot that has most of its programs; the others are taken from the pool.
class LocalExecutor final : public Executor {
public:
    struct Setup {
        const MatchPlan& plan;
        std::map<std::size_t, adapters::ProgramSpec> specs;  // by program of the plan
        std::map<std::size_t, TimeControl> time;             // likewise
        const rules::Game& game;
        int concurrency = 1;
        Micros start_limit{std::chrono::seconds(10)};
        std::vector<std::vector<int>> cpus;           // by slot; empty: no affinity
        std::function<Micros()> run_queue;            // this thread's wait for a processor so far
        std::uint64_t seed = 0;                       // of the run, for chance events
        std::int64_t machine = 0;                     // of this session (GameRecord::machine)
        bool keeps_pv = false;                        // RecordWishes::lines_of_moves
        const rules::Tablebase* tablebase = nullptr;  // AdjudicatePlan::tablebase
        Places* places = nullptr;  // shared with other executors, and outlives them; null: own ones
    };

    /// `pool` outlives the executor.
    LocalExecutor(Setup setup, ProgramPool& pool, const Clock& clock);
    LocalExecutor(const LocalExecutor&) = delete;
    LocalExecutor& operator=(const LocalExecutor&) = delete;
    ~LocalExecutor() override;

    void start(ExecutorEvents& events, TimePoint now) override;
    [[nodiscard]] int appetite() const override;
    void offer(const Encounter& encounter) override;
    void rest() override;
    void withdraw(Withdrawal why) override;
    void hurry(TimePoint now, Micros grace) override;
    void tick(TimePoint now) override;
    [[nodiscard]] bool is_idle() const override;
    [[nodiscard]] bool is_settled() const override;
    void show_games(std::size_t most, LiveState& state) const override;
    [[nodiscard]] DelayRecord delays() const override;

private:
    [[nodiscard]] bool is_free(const Slot& slot) const;
    [[nodiscard]] Slot& free_slot(const Encounter& encounter);
    void check_launches(TimePoint now);

    Setup setup_;
    ProgramPool& pool_;
    const Clock& clock_;
    TurnMeters meters_;
    LaunchTimer launches_;
    std::unique_ptr<SlotContext> context_;
    std::vector<std::unique_ptr<Slot>> slots_;
    bool is_withdrawn_ = false;
};

}  // namespace assay::harness
