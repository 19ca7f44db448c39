#include "harness/executor/folder/tasks_elsewhere.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "adapters/process/process.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/executor/slurm_folder.h"
#include "harness/executor/slurm_submitter.h"

namespace assay::harness {

namespace {

/// "3 tasks of the run are in Slurm's queue"; empty: none.
std::string others_text(const SlurmFolder& folder, const std::string& uid) {
    if (!adapters::find_program("squeue").empty()) {
        const SlurmQueue queue = SlurmSubmitter({}, uid, folder.path(), "").queue();
        const auto live = std::ranges::count_if(queue.tasks, &SlurmTask::is_live);
        if (live > 0)
            return fmt::format("{} of the run {} still in Slurm's queue", counted(live, "task"),
                               live == 1 ? "is" : "are");
        if (queue.is_done) return "";
    }
    const std::vector<std::int64_t> claimed = folder.claimed_batches();
    const auto open = std::ranges::count_if(claimed, [&folder](std::int64_t batch) {
        return !folder.is_done(batch) && folder.is_in_play(batch);
    });
    if (open == 0) return "";
    return fmt::format("workers have claimed {} of the run and not ended",
                       counted(open, "batch", "batches"));
}

}  // namespace

std::string tasks_elsewhere(const RunRecord& run) {
    if (run.findings.fleet.empty()) return "";
    try {
        const SlurmFolder folder(run.findings.fleet);
        const std::string others = others_text(folder, run.uid);
        if (others.empty()) return "";
        return fmt::format(
            "{}, and what they play is not taken here: 'assay fleet stop {}' ends them; --resume "
            "with the 'executor' that began it takes it",
            others, printable_utf8(shell_word(run.findings.fleet)));
    } catch (const Error&) {
        return "";  // the folder is gone, or was never on this machine
    }
}

}  // namespace assay::harness
