#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "adapters/protocol/player.h"
#include "harness/match/game_play.h"
#include "harness/match/schedule.h"
#include "harness/plan/plan.h"
#include "harness/program/running_program.h"
#include "harness/record/game.h"
#include "openings/read/opening.h"
#include "rules/game.h"

namespace assay::harness {

class Slot;

/// What a slot asks of and tells its runner.
class SlotOwner {
public:
    virtual ~SlotOwner() = default;
    virtual void on_game_started(Slot& slot, std::int64_t game_number) = 0;
    /// A game is over; `is_void`: its pair does not count and is played again. Returns false where
    /// nothing more is to be played in this slot now.
    [[nodiscard]] virtual bool on_game_over(Slot& slot, GameRecord record, bool is_void) = 0;
    /// The pair is done (both games, or void): the slot is idle.
    virtual void on_pair_over(Slot& slot) = 0;
    /// A program that never completed a handshake has failed to, twice: nothing can be played.
    virtual void on_cannot_start(Slot& slot, int program, const std::string& why) = 0;
    /// The system did not make a program run, twice in a row: the machine's failure.
    virtual void on_machine_failed(int program, const std::string& why) = 0;
    /// May a loss on time that the harness caused void this pair (or must it be counted)?
    [[nodiscard]] virtual bool may_void(std::int64_t pair, int attempt) = 0;
    virtual void on_play_warning(int program, std::string_view kind, std::string text) = 0;
    /// The harness's own time in the run queue so far; `fresh`: asked of the kernel now.
    [[nodiscard]] virtual Micros run_queue(bool fresh) = 0;
    /// How long the harness stood still against its will so far.
    [[nodiscard]] virtual Micros standstill(TimePoint now) const = 0;
    /// A program that had lost on time without an answer did not answer `stop` either, or ended.
    virtual void on_hang(int program) = 0;
    /// A program that had lost on time did answer, late or once it was told to stop.
    virtual void on_late(int program) = 0;
    virtual void on_move_delay(std::chrono::nanoseconds delay) = 0;
    /// True once any process of this program has completed a handshake in this run.
    [[nodiscard]] virtual bool has_started(int program) const = 0;
    virtual void on_started(int program, const adapters::Identity& identity) = 0;
};

/// What all slots of a match share; outlives them.
struct SlotContext {
    const rules::Game& game;
    const MatchPlan& plan;
    std::array<std::string, 2> names;
    std::array<adapters::ProgramSpec, 2> specs;
    const PlayerFactory& factory;
    const Clock& clock;
    ShutdownQueue& shutdown_queue;
    RunningProgram::Limits limits;
    std::uint64_t seed = 0;  // of the run
};

/// Plays pairs, one game after the other, with one process a program. One thread; driven by the
/// players' events and by tick().
class Slot final : public ProgramEvents {
public:
    /// How long after the flag a late answer is still awaited, so that its overrun can be told.
    static constexpr Micros kFlagGrace{200'000};
    /// The same where the harness itself has been delayed by more than that.
    static constexpr Micros kMostFlagGrace{900'000};

    Slot(int number, const SlotContext& context, const std::vector<int>& cpus, SlotOwner& owner);

    [[nodiscard]] int number() const { return number_; }

    [[nodiscard]] bool is_idle() const { return state_ == State::Idle; }

    /// Begins a pair, or its second game if `first` is set (a pair that was cut in half).
    /// REQUIRES: is_idle().
    void play(const Schedule::Assignment& assignment, const openings::Opening& opening,
              const std::optional<GameRecord>& first);
    /// Ends what is being played without a result.
    void abort();
    /// Both programs end in their own time. REQUIRES: is_idle().
    void dismiss(Micros grace);
    void tick(TimePoint now);

    void on_program_ready(RunningProgram& running) override;
    void on_program_move(RunningProgram& running, const adapters::BestMove& best,
                         adapters::Arrival arrival) override;
    void on_program_go_written(RunningProgram& running, TimePoint when) override;
    void on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool started,
                           bool is_stall) override;
    void on_program_relaunch(RunningProgram& running, const std::string& why) override;
    void on_program_not_launched(RunningProgram& running, const std::string& why) override;
    [[nodiscard]] bool on_program_hung(RunningProgram& running) override;
    void on_program_warning(RunningProgram& running, std::string_view kind,
                            std::string_view text) override;

    [[nodiscard]] const std::array<RunningProgram, 2>& running() const { return running_; }

private:
    enum class State { Idle, Preparing, Playing };

    [[nodiscard]] RunningProgram& running_of(int player) {
        return running_[static_cast<std::size_t>(play_->program_of(player))];
    }

    [[nodiscard]] int player_of(const RunningProgram& running) const;
    void begin_game();
    void begin_turn(TimePoint started);
    void begin_search(TimePoint decided);
    void ponder(int player, std::string_view expected);
    void check_deadline(TimePoint now);
    [[nodiscard]] MoveTime time_of(TimePoint stamp, TimePoint wake, bool fresh_queue);
    void after_judgement();
    void finish_game();

    int number_;
    const SlotContext& context_;
    SlotOwner& owner_;
    std::array<RunningProgram, 2> running_;  // by program of `between`
    State state_ = State::Idle;
    Schedule::Assignment assignment_;
    openings::Opening opening_;
    int game_ = 0;
    std::optional<GamePlay> play_;
    std::array<bool, 2> ready_{};   // by program, while preparing
    std::array<int, 2> retries_{};  // handshakes that failed, by program
    std::array<bool, 2> silent_{};  // by program: lost its last game on time, without an answer
    long long started_us_ = 0;

    // the open turn
    TimePoint turn_started_{};            // what the clock runs from
    Micros write_delay_{0};               // decided until written
    std::optional<Micros> queue_before_;  // run-queue time at the turn's first tick
    Micros standstill_before_{0};         // the harness's standstills until the turn
    bool search_open_ = false;            // go() or ponder_hit() was sent for the mover
    std::optional<TimePoint> stop_sent_;  // at the wall limit
    std::string ponder_moves_;
    std::string expected_;  // the reply that the waiting side ponders on
};

}  // namespace assay::harness
