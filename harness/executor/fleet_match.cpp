#include "harness/executor/fleet_match.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/executor/slurm_executor.h"
#include "harness/executor/slurm_folder.h"
#include "harness/executor/slurm_submitter.h"
#include "harness/match/match_setting.h"
#include "harness/record/fleet.h"
#include "harness/store/part/part_import.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/part/quarantine.h"

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
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i)
        spec.stretches.push_back({i, 0, run.plan.matches[i].pairs, batch_pairs_of(run.plan, i)});
    return spec;
}

/// The run without its games, from which workers learn all that a store says of a run.
void write_run(const RunRecord& run, const SlurmFolder& folder) {
    const std::string path =
        (fs::temp_directory_path() / fmt::format("assay-{}-{}.db", run.uid, ::getpid())).string();
    fs::remove(path);
    {
        Store store(path, Store::Access::Write);
        (void)store.begin_run(run);
    }
    close_part(path);
    folder.write("run.db", File::open(path).read_at(0, kMostRunBytes));
    fs::remove(path);
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

/// Takes parts into the store, each in one transaction.
class PartTaker {
public:
    PartTaker(const RunRecord& run, Store& store) : run_(run), store_(store) {}

    SlurmExecutor::Taken take(const std::string& file, const Shard::Window& window) {
        const PartAsked asked{AskedPairs{window.match, window.first, window.pairs}, std::nullopt};
        // As the store has it: what parts are compared with does not change while it is played.
        if (!stored_run_) stored_run_ = store_.find_run(std::to_string(run_.id)).value();
        std::variant<Imported, PartFault> imported = import_part(store_, *stored_run_, file, asked);
        SlurmExecutor::Taken taken;
        if (const auto* const fault = std::get_if<PartFault>(&imported)) {
            taken.is_read = fault->kind != PartFault::Kind::Missing;
            if (!taken.is_read) return taken;
            const std::string to = quarantine(store_.path(), file, fault->sentence);
            taken.refusal = fmt::format("{}; the file is in {} now, and its pairs are played again",
                                        fault->sentence, printable_utf8(to));
            return taken;
        }
        taken.pairs = std::move(std::get<Imported>(imported).pairs);
        for (const PairDigest& pair : taken.pairs) {
            if (is_replaced(pair.state)) continue;
            for (const int game : {0, 1})
                if (auto record = store_.game_of(run_.id, pair.match, pair.pair, game))
                    taken.games.push_back(std::move(*record));
        }
        return taken;
    }

    /// Attempts that another one followed are counted by node: long games are lost more often than
    /// short ones.
    void note_claims(const Shard::Window& window, const std::vector<Claim>& claims,
                     std::int64_t counted, std::int64_t machine) {
        const auto count = static_cast<std::size_t>(counted);
        if (count < claims.size()) machines_[claims[count].node] = machine;
        for (std::size_t i = 0; i < claims.size(); ++i) {
            const Claim& claim = claims[i];
            const bool is_lost = claim.end.empty() && i < count;
            if (!is_lost && claim.end != "left") continue;
            AttemptRecord attempt;
            attempt.match = window.match;
            attempt.attempt = kAttemptsOfClaim * static_cast<int>(i);
            attempt.machine = machines_[claim.node];
            attempt.fate = is_lost ? AttemptFate::Lost : AttemptFate::Returned;
            attempt.claimed_us = claim.began_us;
            attempt.ended_us = claim.ended_us;
            store_.transaction([&] {
                for (std::int64_t pair = 0; pair < window.pairs; ++pair) {
                    attempt.pair = window.first + pair;
                    store_.write_attempt(run_.id, attempt);
                }
            });
        }
    }

private:
    const RunRecord& run_;
    Store& store_;
    std::optional<RunRecord> stored_run_;
    std::map<std::string, std::int64_t> machines_;  // by node
};

}  // namespace

std::unique_ptr<Executor> slurm_executor(const RunRecord& run, std::size_t match, Store& store) {
    const SlurmPlan& plan = *run.plan.slurm;
    SlurmFolder folder = SlurmFolder::make(plan.folder, run.uid);
    folder.write("task.sh", kTask, 0700);
    write_run(run, folder);
    FleetSpec spec = spec_in(folder, run);
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    SlurmSubmitter submitter(plan, run.uid, folder.path(), self);
    const auto taker = std::make_shared<PartTaker>(run, store);
    return std::make_unique<SlurmExecutor>(SlurmExecutor::Setup{
        plan, std::move(folder), std::move(spec), std::move(submitter), match,
        batch_pairs_of(run.plan, match),
        [taker](const std::string& file, const Shard::Window& window) {
            return taker->take(file, window);
        },
        [taker](const Shard::Window& window, const std::vector<Claim>& claims, std::int64_t counted,
                std::int64_t machine) { taker->note_claims(window, claims, counted, machine); }});
}

}  // namespace assay::harness
