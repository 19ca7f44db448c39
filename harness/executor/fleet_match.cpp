#include "harness/executor/fleet_match.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/executor/folder/part_taker.h"
#include "harness/executor/folder/shipped_files.h"
#include "harness/executor/slurm_executor.h"
#include "harness/executor/slurm_folder.h"
#include "harness/executor/slurm_submitter.h"
#include "harness/executor/temp_folder.h"
#include "harness/match/match_setting.h"
#include "harness/store/part/part_seal.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

/// What Slurm starts: it keeps each word as it was given.
constexpr const char* kTask = "#!/bin/sh\nexec \"$@\" \"$SLURM_ARRAY_TASK_ID\"\n";
constexpr std::size_t kMostRunBytes = std::size_t{64} << 20U;

std::int64_t batch_pairs_of(const RunPlan& plan, std::size_t match) {
    const MatchPlan& one = plan.matches[match];
    return pairs_of_task(*plan.slurm, one, games_within(plan, one, plan.slurm->cpus));
}

FleetSpec begun_spec(const RunRecord& run) {
    FleetSpec spec;
    spec.uid = run.uid;
    spec.scale = run.plan.slurm->scale;
    spec.reference = run.plan.slurm->reference;
    spec.ships = run.plan.slurm->ships;
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i)
        spec.stretches.push_back({i, 0, run.plan.matches[i].pairs, batch_pairs_of(run.plan, i)});
    return spec;
}

/// The run without its games, from which workers learn all that a store says of a run.
void write_run(const RunRecord& run, const SlurmFolder& folder) {
    const TempFolder local;
    const std::string path = local.file("run.db");
    {
        Store store(path, Store::Access::Write);
        (void)store.begin_run(run);
    }
    close_part(path);
    folder.write("run.db", File::open(path).read_at(0, kMostRunBytes));
}

FleetSpec spec_in(const SlurmFolder& folder, const RunRecord& run) {
    if (!folder.has_spec()) {
        const FleetSpec spec = begun_spec(run);
        folder.write_spec(spec);
        return spec;
    }
    FleetSpec spec = folder.spec();
    if (spec.uid != run.uid)
        throw Error(fmt::format("{}: spec.json is of another run ({})",
                                printable_utf8(folder.path()), spec.uid));
    if (spec.play != kPlayVersion)
        throw Error(fmt::format(
            "{}: the run was begun by an assay that plays otherwise (version {} of the play, here "
            "{}); go on with that one, or begin a new run",
            printable_utf8(folder.path()), spec.play, kPlayVersion));
    return spec;
}

}  // namespace

std::shared_ptr<CoordinatorLock> coordinator_lock(const RunRecord& run, const Store& store) {
    return std::make_shared<CoordinatorLock>(SlurmFolder::make(run.plan.slurm->folder, run.uid),
                                             this_coordinator(store.path()));
}

std::unique_ptr<Executor> slurm_executor(const RunRecord& run, std::size_t match, Store& store,
                                         std::shared_ptr<CoordinatorLock> lock) {
    const SlurmPlan& plan = *run.plan.slurm;
    SlurmFolder folder = SlurmFolder::make(plan.folder, run.uid);
    folder.write("task.sh", kTask, 0700);
    if (plan.ships) ship_programs(run, folder);
    write_run(run, folder);
    FleetSpec spec = spec_in(folder, run);
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    SlurmSubmitter submitter(plan, run.uid, folder.path(), self);
    const auto taker = std::make_shared<PartTaker>(run, match, store);
    return std::make_unique<SlurmExecutor>(SlurmExecutor::Setup{
        plan, std::move(folder), std::move(spec), std::move(submitter), match,
        batch_pairs_of(run.plan, match),
        [taker](const std::string& file, const Shard::Window& window, bool is_late) {
            return taker->take(file, window, is_late);
        },
        [taker](const Shard::Window& window, int first, const std::vector<Claim>& claims,
                bool is_over) { taker->note_claims(window, first, claims, is_over); },
        std::move(lock)});
}

}  // namespace assay::harness
