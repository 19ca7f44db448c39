#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/player.h"
#include "harness/executor/executor.h"
#include "harness/executor/program_pool.h"
#include "harness/executor/slot/open_turn.h"
#include "harness/executor/slot/slot_programs.h"
#include "harness/executor/turn_meters.h"
#include "harness/match/encounter.h"
#include "harness/match/game_play.h"
#include "harness/plan/plan.h"
#include "harness/program/running_program.h"
#include "harness/record/game.h"
#include "rules/game.h"

namespace assay::harness {

/// What all slots share; outlives them. The plan's programs, times and pairs are not read.
struct SlotContext {
    const rules::Game& game;
    const MatchPlan& plan;
    const std::map<std::size_t, adapters::ProgramSpec>& specs;  // by program of the plan
    const std::map<std::size_t, TimeControl>& time;             // likewise
    ProgramPool& pool;
    const Clock& clock;
    TurnMeters& meters;
    ExecutorEvents& events;
    std::uint64_t seed = 0;                       // of the run, for chance events
    std::int64_t machine = 0;                     // GameRecord::machine
    bool keeps_pv = false;                        // RecordWishes::lines_of_moves
    const rules::Tablebase* tablebase = nullptr;  // AdjudicatePlan::tablebase
    std::set<std::size_t> started = {};  // programs of which a process has completed a handshake
    std::set<std::size_t> told_of_nodes = {};  // that do not keep to their limit, which was said
};

/// Plays encounters, one game after the other, with one process an entrant. Programs are taken from
/// the pool when an encounter needs them and stay until give_back(). One thread; driven by the
/// players' events and by tick().
class Slot final : public ProgramEvents {
public:
    /// How long after the flag a late answer is still awaited, so that its overrun can be told.
    static constexpr Micros kFlagGrace{200'000};
    /// The same where the harness itself has been delayed by more than that.
    static constexpr Micros kMostFlagGrace{900'000};

    Slot(int number, SlotContext& context, std::vector<int> cpus);

    [[nodiscard]] int number() const { return number_; }

    [[nodiscard]] bool is_idle() const { return state_ == State::Idle; }

    /// Begins its first game, or the one after Encounter::played. REQUIRES: is_idle().
    void play(const Encounter& encounter);
    /// Ends what is being played without a result, and waits for no program that has left.
    void abort();
    /// The pool has its programs back; one that has not answered yet once it has. REQUIRES:
    /// is_idle().
    void give_back();
    void tick(TimePoint now);

    /// The game that it plays; nullopt where it plays none.
    [[nodiscard]] std::optional<LiveGame> live() const;

    /// How many of the programs that the encounter needs are here.
    [[nodiscard]] int programs_for(const Encounter& encounter) const;

    /// One of its programs waits in the launch queue.
    [[nodiscard]] bool is_waiting_for_launch() const { return programs_.is_waiting_for_launch(); }

    /// Steps that starts here have made (RunningProgram::launch_steps()); never fewer than before.
    [[nodiscard]] std::uint64_t launch_steps() const { return programs_.launch_steps(); }

    void on_program_ready(RunningProgram& running) override;
    void on_program_move(RunningProgram& running, const adapters::BestMove& best,
                         adapters::Arrival arrival) override;
    void on_program_go_written(RunningProgram& running, TimePoint when) override;
    void on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool started,
                           bool is_stall) override;
    void on_program_relaunch(RunningProgram& running, const std::string& why) override;
    void on_program_not_launched(RunningProgram& running, const std::string& why) override;
    [[nodiscard]] bool on_program_hung(RunningProgram& running,
                                       const adapters::Gone& gone) override;
    void on_program_warning(RunningProgram& running, std::string_view kind,
                            std::string_view text) override;

private:
    enum class State {
        Idle,
        Waiting,  // RunnerPlan::wait is not over
        Preparing,
        Playing,
    };

    [[nodiscard]] RunningProgram& running_of(int player) {
        return *programs_.members()[static_cast<std::size_t>(play_->program_of(player))].running;
    }

    [[nodiscard]] int player_of(const RunningProgram& running) const {
        return play_->record().program.player_of(running.program());
    }

    /// REQUIRES: the program is here, or leaving.
    [[nodiscard]] Participant participant_of(const RunningProgram& running) const;

    void take_programs(const Encounter& encounter);
    /// Of an entrant, by its place in the encounter.
    [[nodiscard]] const TimeControl& limits_of(std::size_t place) const;
    [[nodiscard]] std::vector<GameEntrant> entrants() const;
    void retry_start(RunningProgram& running, const adapters::Gone& gone);
    void tell_fault(const RunningProgram& running, const adapters::Gone& gone, bool is_stall,
                    std::string_view when);
    void begin_game();
    void begin_when_due(TimePoint now);
    void begin_turn(TimePoint started);
    void begin_search(TimePoint decided);
    void ponder(int player, std::string_view expected);
    void check_deadline(TimePoint now);
    void await_late_answer(TimePoint now, const MoveTime& time);
    void warn_of_ignored_nodes(const RunningProgram& running, const adapters::BestMove& best,
                               Micros used);
    void after_judgement();
    void finish_game();

    int number_;
    SlotContext& context_;
    std::vector<int> cpus_;  // affinity; empty: none
    SlotPrograms programs_;
    State state_ = State::Idle;
    Encounter encounter_;
    int game_ = 0;  // of the encounter, from 0
    std::optional<GamePlay> play_;
    long long started_us_ = 0;
    std::optional<TimePoint> due_;  // not before this the next game begins

    // the open turn
    OpenTurn turn_;
    bool search_open_ = false;            // go() or ponder_hit() was sent for the mover
    std::optional<TimePoint> stop_sent_;  // at the wall limit, or when the flag had fallen
    std::optional<MoveTime> flag_;        // it has fallen, and RunnerPlan::late_answer is not over
    std::string ponder_moves_;
    std::string expected_;  // the reply that the waiting side ponders on
};

}  // namespace assay::harness
