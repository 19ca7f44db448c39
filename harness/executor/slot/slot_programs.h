#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <boost/container/static_vector.hpp>

#include "adapters/process/program_spec.h"
#include "base/clock.h"
#include "harness/executor/executor.h"
#include "harness/executor/program_pool.h"
#include "harness/program/running_program.h"
#include "rules/game.h"

namespace assay::harness {

/// The processes of a slot: one an entrant of its encounter, and those that have left it while they
/// owe an answer. Holds them between the pool and the games, and plays nothing. One thread.
class SlotPrograms {
public:
    /// An entrant here.
    struct Member {
        std::unique_ptr<RunningProgram> running;  // null: the pool has it
        bool is_ready = false;                    // while preparing
        int retries = 0;                          // handshakes that failed
        bool is_silent = false;                   // lost its last game on time, without an answer
    };

    /// What a program tells while these are gone through may begin another encounter, so that they
    /// must not move.
    using Members = boost::container::static_vector<Member, rules::kMostPlayers>;

    /// Both outlive it. `owner` hears all programs that are here or leave.
    SlotPrograms(ProgramPool& pool, ProgramEvents& owner) : pool_(pool), owner_(owner) {}

    /// One of each of these, by place. `match`: of those that were here, for what they may still
    /// owe.
    void take(const std::vector<adapters::ProgramSpec>& specs, std::size_t match);
    /// The pool has all of them back; one that owes an answer once it has given it.
    void give_back(std::size_t match);
    /// What has left is waited for no longer, and no answer is owed.
    void forget_silent();

    /// By place; none before take().
    [[nodiscard]] Members& members() { return members_; }

    [[nodiscard]] const Members& members() const { return members_; }

    /// REQUIRES: the program is here.
    [[nodiscard]] Member& member_of(const RunningProgram& running) {
        return members_[static_cast<std::size_t>(running.program())];
    }

    [[nodiscard]] static bool is_leaving(const RunningProgram& running) {
        return running.program() == kLeaves;
    }

    /// Who it was when it left; nullopt: it has not.
    [[nodiscard]] std::optional<Participant> left_as(const RunningProgram& running) const;
    /// The pool gets one that has left, if it is one.
    void drop(const RunningProgram& leaving);
    /// Ticks those that have left; `on_answer` is told of each that answers, which goes to the
    /// pool.
    void watch_leaving(TimePoint now, const std::function<void(const Participant&)>& on_answer);

    [[nodiscard]] bool are_all_ready() const;
    /// One of those here waits in the launch queue.
    [[nodiscard]] bool is_waiting_for_launch() const;
    /// Steps that starts here have made (RunningProgram::launch_steps()); never fewer than before.
    [[nodiscard]] std::uint64_t launch_steps() const;

private:
    /// RunningProgram::program() of those that are leaving.
    static constexpr int kLeaves = -1;

    /// Lost its last game on time without an answer, and is needed no more: whether it hangs shows
    /// when it answers or when its time to do so is over.
    struct Leaving {
        std::unique_ptr<RunningProgram> running;
        Participant who;
    };

    /// For each place the member that comes to it; nullopt: none has its program.
    [[nodiscard]] std::vector<std::optional<std::size_t>> stayers(
        const std::vector<adapters::ProgramSpec>& specs) const;
    void give_back(Member& member, const Participant& who);

    ProgramPool& pool_;
    ProgramEvents& owner_;
    Members members_;
    std::vector<Leaving> leaving_;
    std::uint64_t steps_of_others_ = 0;  // launch_steps() of those given back
};

}  // namespace assay::harness
