#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/fleet_plan.h"

namespace assay::harness {

/// A task as squeue tells of it.
struct SlurmTask {
    std::string job;  // number of its array
    std::int64_t batch = 0;
    std::string state;  // two letters: PD, R, CD, F …
    std::string reason;
    std::string node;        // empty: none yet
    std::int64_t index = 0;  // in its array

    /// It runs, will run, or is ending.
    [[nodiscard]] bool is_live() const;
};

/// What a command of Slurm answered.
struct SlurmAnswer {
    bool is_done = false;
    bool may_pass = false;  // not done: the controller is away or busy, so that it is worth a wait
    std::string error;      // not done: what it said, on one line
};

struct SlurmQueue : SlurmAnswer {
    std::vector<SlurmTask> tasks;
};

/// Speaks with Slurm by its commands. What is started is argv, no shell; what is read are the
/// formats of `-o`, which mean the same in every version, and never JSON. Each call waits for the
/// command, for half a minute at most; any thread may call, one at a time.
class SlurmSubmitter {
public:
    /// `folder`: of the run (SlurmFolder); `program`: assay itself.
    SlurmSubmitter(SlurmPlan plan, std::string uid, std::string folder, std::string program);

    /// Throws Error (exit code 2) where Slurm's commands are not in PATH.
    static void check_installed();

    /// The words with which sbatch is called.
    [[nodiscard]] std::vector<std::string> sbatch_words(
        const std::vector<std::int64_t>& batches,
        const std::vector<std::string>& excluded_nodes) const;

    /// Submits these batches, rising, as one array. No more than most_at_once() of them may be
    /// given, nor may the last be that far from the first.
    [[nodiscard]] SlurmAnswer submit(const std::vector<std::int64_t>& batches,
                                     const std::vector<std::string>& excluded_nodes) const;
    /// The run's tasks, those that have ended lately too.
    [[nodiscard]] SlurmQueue queue() const;
    [[nodiscard]] SlurmAnswer cancel(bool pending_alone) const;
    [[nodiscard]] static SlurmAnswer cancel_task(const SlurmTask& task);
    /// Slurm's MaxArraySize; 1001, its default, where it cannot be asked.
    [[nodiscard]] static std::int64_t most_at_once();

    /// "assay-0123abcd"
    [[nodiscard]] std::string job_name() const;

private:
    SlurmPlan plan_;
    std::string uid_;
    std::string folder_;
    std::string program_;
};

/// Reads what squeue printed with our format; lines of other runs and those that make no sense are
/// left out.
[[nodiscard]] std::vector<SlurmTask> slurm_tasks_of(std::string_view text, std::string_view uid);

/// "0-3,7": offsets from the first, as an array is described. REQUIRES: rising, not empty.
[[nodiscard]] std::string array_text(const std::vector<std::int64_t>& batches);

/// Whether Slurm refuses so many tasks at once: its limit of an array, or the user's of jobs.
[[nodiscard]] bool is_too_many(std::string_view error);

/// Whether an error of Slurm's commands goes away by itself: the controller cannot be reached, or
/// the user has as many jobs as are allowed.
[[nodiscard]] bool is_passing(std::string_view error);

}  // namespace assay::harness
