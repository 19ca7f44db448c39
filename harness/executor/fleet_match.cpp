#include "harness/executor/fleet_match.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include "harness/executor/folder/coordinator_lock.h"
#include "harness/executor/folder/part_taker.h"
#include "harness/executor/folder/shipped_files.h"

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/executor/slurm_executor.h"
#include "harness/executor/slurm_folder.h"
#include "harness/executor/slurm_submitter.h"
#include "harness/executor/temp_folder.h"
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
    spec.ships = run.plan.slurm->ships;
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

    if (plan.ships) ship_programs(run, folder);
/// Takes parts into the store, each in one transaction.
class PartTaker {
public:
    PartTaker(const RunRecord& run, std::size_t match, Store& store) : run_(run), store_(store) {
        note(store.pairs(run.id, match));
        for (const AttemptRecord& attempt : store.attempts(run.id))
            if (attempt.match == match) known_.emplace(attempt.pair, attempt.attempt);
    }

    SlurmExecutor::Taken take(const std::string& file, const Shard::Window& window, bool is_late) {
        const PartAsked asked{AskedPairs{window.match, window.first, window.pairs}, std::nullopt,
                              is_late};
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
        Imported& done = std::get<Imported>(imported);
        const RunMeters& meters = done.meters.at(window.match);
        taken.delay = meters.delay;
        taken.between_games = meters.between_games;
        taken.warnings = std::move(done.warnings);
        taken.pairs = std::move(done.pairs);
        note(taken.pairs);
        for (const PairDigest& pair : taken.pairs) {
            if (is_replaced(pair.state)) continue;
            for (const int game : {0, 1})
                if (auto record = store_.game_of(run_.id, pair.match, pair.pair, game))
                    taken.games.push_back(std::move(*record));
        }
        return taken;
    }

    /// Each claim of a pair is in the store when the run is over: it counted, came late, was lost
    /// or given back. Long games are lost more often than short ones, so the lost ones count.
    void note_claims(const Shard::Window& window, int first, const std::vector<Claim>& claims,
                     bool is_over) {
        store_.transaction([&] {
            for (std::size_t i = 0; i < claims.size(); ++i) {
                const int attempt = kAttemptsOfClaim * (first + static_cast<int>(i));
                const bool is_followed = i + 1 < claims.size();
                if (const auto fate =
                        fate_of(claims[i], came(window, attempt), is_followed, is_over))
                    note_rest(window, attempt, claims[i], *fate);
            }
        });
    }

private:
    /// Of the pairs that the store has not of this claim; nullopt: they may come yet.
    static std::optional<AttemptFate> fate_of(const Claim& claim, bool came, bool is_followed,
                                              bool is_over) {
        // Its part was taken without them, or the worker gave all of them back.
        if (came || claim.end == "left" || claim.has_failed()) return AttemptFate::Returned;
        const bool is_open = claim.end.empty();
        if (is_open && is_followed) return AttemptFate::Lost;
        if (!is_over) return std::nullopt;
        // The end of the run ended it; of what was handed in nothing could be taken.
        return is_open ? AttemptFate::Returned : AttemptFate::Lost;
    }

    void note(const std::vector<PairDigest>& pairs) {
        for (const PairDigest& pair : pairs)
            known_.emplace(pair.pair, pair.attempt / kAttemptsOfClaim * kAttemptsOfClaim);
    }

    [[nodiscard]] bool came(const Shard::Window& window, int attempt) const {
        for (std::int64_t i = 0; i < window.pairs; ++i)
            if (known_.contains({window.first + i, attempt})) return true;
        return false;
    }

    void note_rest(const Shard::Window& window, int attempt, const Claim& claim, AttemptFate fate) {
        AttemptRecord record;
        record.match = window.match;
        record.attempt = attempt;
        record.fate = fate;
        record.claimed_us = claim.began_us;
        record.ended_us = claim.ended_us;
        record.reason = claim.reason;
        for (std::int64_t i = 0; i < window.pairs; ++i) {
            record.pair = window.first + i;
            if (!known_.emplace(record.pair, attempt).second) continue;
            record.machine = machine_of(claim.node);
            store_.write_attempt(run_.id, record);
        }
    }

    /// Of a node from which no part has come nothing is known but its name.
    [[nodiscard]] std::int64_t machine_of(const std::string& node) {
        if (const auto found = machines_.find(node); found != machines_.end()) return found->second;
        const auto run = store_.find_run(std::to_string(run_.id));
        for (const auto& [number, machine] : run->other_machines)
            if (machine.worker == node) return machines_[node] = number;
        if (run->machine.worker == node) return machines_[node] = 0;
        return kNoMachine;
    }

    const RunRecord& run_;
    Store& store_;
    std::optional<RunRecord> stored_run_;
    std::set<std::pair<std::int64_t, int>> known_;  // pairs with the first attempt of a claim
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
    const auto taker = std::make_shared<PartTaker>(run, match, store);
    return std::make_unique<SlurmExecutor>(SlurmExecutor::Setup{
        plan, std::move(folder), std::move(spec), std::move(submitter), match,
        batch_pairs_of(run.plan, match),
        [taker](const std::string& file, const Shard::Window& window, bool is_late) {
            return taker->take(file, window, is_late);
        },
        [taker](const Shard::Window& window, int first, const std::vector<Claim>& claims,
                bool is_over) { taker->note_claims(window, first, claims, is_over); }});
}

}  // namespace assay::harness
