// A worker of a fleet is the ordinary run of one window of a run's pairs, into a store of its own.
// So a game is played, stored, judged and voided by the code that plays any other game, and the
// part that is handed in is a store that every command reads. What is added is the way in (the run,
// its programs and its openings come from the folder, where the coordinator found and hashed them)
// and the way out (the store is closed to one file, copied and linked).
//
// A task that is told to end, since its time is over or its node is wanted, plays the pairs in play
// to their ends and hands in what it has: long games would be lost more often else, and losing them
// would favour short ones. The coordinator divides what lacks anew.
#include "harness/fleet/batch_work.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/executor/folder/shipped_files.h"
#include "harness/executor/slurm_folder.h"
#include "harness/executor/temp_folder.h"
#include "harness/fleet/worker_speed.h"
#include "harness/machine/machine.h"
#include "harness/match/match_setting.h"
#include "harness/run/run.h"
#include "harness/run/stop_signals_held.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/store.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? "" : value;
}

/// A network file system keeps no journal that several machines may share: the run is read from a
/// copy.
RunRecord run_in(const SlurmFolder& folder, const TempFolder& local) {
    const std::string copy = local.file("run.db");
    std::error_code error;
    fs::copy_file(folder.file("run.db"), copy, error);
    if (error)
        throw Error(fmt::format("{}: cannot read it: {}", printable_utf8(folder.file("run.db")),
                                error.message()),
                    4);
    auto run = Store(copy, Store::Access::Read).find_run("latest");
    if (!run)
        throw Error(fmt::format("{}: it has no run", printable_utf8(folder.file("run.db"))), 4);
    return std::move(*run);
}

int games_at_once(const BatchWork& work, const RunPlan& plan, std::size_t match) {
    if (work.slots) return *work.slots;
    MatchPlan own = plan.matches[match];
    own.concurrency = 0;  // the config's is one of a run on one machine
    return concurrency_of(plan, own);
}

Claim claim_here() {
    Claim claim;
    claim.node = variable("SLURMD_NODENAME");
    if (claim.node.empty()) claim.node = this_machine().host;
    if (const std::string job = variable("SLURM_ARRAY_JOB_ID"); !job.empty())
        claim.job = job + "_" + variable("SLURM_ARRAY_TASK_ID");
    claim.pid = ::getpid();
    claim.began_us = wall_clock_us();
    return claim;
}

/// Why the batch was not played to its end, as a failure of a program or of the machine; empty
/// where it was, or a signal came.
void note_failure(const RunOutcome& outcome, Claim& claim) {
    for (const MatchEnd& end : outcome.ends) {
        using Cause = MatchEnd::Cause;
        const bool keeps_failing = end.cause == Cause::KeepsFailing;
        const bool cannot_start = end.cause == Cause::CannotStart;
        const bool is_failed = keeps_failing || cannot_start || end.cause == Cause::MachineFailed ||
                               end.cause == Cause::StoreFailed;
        if (!is_failed) continue;
        claim.end = "failed";
        claim.reason = end.message;
        claim.program = keeps_failing || cannot_start ? end.program : -1;
        claim.keeps_failing = keeps_failing;
    }
}

std::int64_t time_losses_in(const RunOutcome& outcome) {
    std::int64_t losses = 0;
    for (const MatchTally& tally : outcome.matches)
        for (const Failures& failures : tally.failures()) losses += failures.time_losses;
    return losses;
}

/// Slurm ends a task by a signal to all its processes: a program that is gone since then has not
/// crashed, whatever its status: wrappers and virtual machines catch the signal and exit. The order
/// in which it and we are told is chance, so that its end may be seen first.
bool ended_with_us(const GameRecord& game, long long told_us) {
    constexpr long long kSpread = 2'000'000;  // microseconds, far more than it takes to tell all
    return is_gone(game.termination) && game.ended_us >= told_us - kSpread;
}

/// Copies the pairs of a part that are over, without those whose programs ended with us since
/// `told_us`: these are given back. How many it has.
std::int64_t copy_finished(const std::string& from, const std::string& to, const RunPlan& plan,
                           long long told_us) {
    const Store source(from, Store::Access::Read);
    RunRecord run = source.find_run("latest").value();
    const std::int64_t source_id = run.id;
    run.plan = plan;  // what is read is the part's
    Store target(to, Store::Access::Write);
    std::int64_t count = 0;
    target.transaction([&] {
        const std::int64_t id = target.begin_run(run);
        for (const std::size_t match : source.begun_matches(source_id)) {
            std::map<std::pair<std::int64_t, int>, std::vector<GameRecord>> games;
            source.for_each_game(source_id, match, [&](const GameRecord& game) {
                games[{game.pair, game.attempt}].push_back(game);
            });
            for (const PairDigest& pair : source.pairs(source_id, match)) {
                const std::vector<GameRecord>& own = games[{pair.pair, pair.attempt}];
                const bool is_ended = std::ranges::any_of(own, [told_us](const GameRecord& game) {
                    return ended_with_us(game, told_us);
                });
                if (is_ended) continue;
                for (const GameRecord& game : own) target.write_game(id, match, game);
                target.write_pair(id, match, pair);
                count += is_replaced(pair.state) ? 0 : 1;
            }
            target.set_meters(id, match, source.meters(source_id, match));
        }
    });
    return count;
}

std::int64_t pairs_in(const std::string& path) {
    const Store store(path, Store::Access::Read);
    const std::int64_t run = store.find_run("latest").value().id;
    std::int64_t count = 0;
    for (const std::size_t match : store.begun_matches(run))
        count += std::ranges::count_if(store.pairs(run, match), [](const PairDigest& pair) {
            return !is_replaced(pair.state);
        });
    return count;
}

/// A note that cannot be written costs no batch: its games count without it.
void try_to_note_speed(const SlurmFolder& folder, std::size_t match, const std::string& node,
                       int games, const std::string& part) {
    try {
        note_speed_in_games(folder, match, node, games, part);
    } catch (const Error&) {
        // A drift is seen by the node's next batch; a folder that fails is told by the handing in.
    }
}

std::string batch_text(std::int64_t batch, const Shard::Window& window) {
    return fmt::format("batch {} (pairs {} to {})", batch, window.first + 1,
                       window.first + window.pairs);
}

/// Says why, for whoever chose too short a time limit for a batch.
std::string given_back(const std::string& batch, std::string_view when) {
    return fmt::format(
        "{}: given back: the task was told to end (time limit, preemption, scancel) {}", batch,
        when);
}

/// Plays, hands in, and says in the claim what came of it.
BatchEnd play_claimed(const BatchWork& work, const SlurmFolder& folder, const FleetSpec& spec,
                      RunRecord whole, const TempFolder& local, const Shard::Window& window,
                      int attempt, Claim& claim, const Clock& clock) {
    RunPlan plan = whole.plan;
    const int games = games_at_once(work, plan, window.match);
    for (MatchPlan& match : plan.matches) match.concurrency = games;
    std::optional<ShippedFiles> shipped;
    if (spec.ships) {
        const auto [first, second] = plan.matches[window.match].between;
        shipped.emplace(folder, whole, std::vector{first, second}, local.file("programs"));
    }
    RunRecord placed = whole;
    if (shipped) shipped->place(placed);
    const WorkerSpeed speed =
        worker_speed(folder, spec, placed, window.match, claim.node, games, clock);
    if (speed.signal != 0) {
        claim.end = "left";
        return {128 + speed.signal,
                given_back(batch_text(work.batch, window), "while its speed was measured")};
    }
    claim.drift = speed.drift;
    if (!speed.trouble.empty()) {
        claim.end = "failed";
        claim.reason = speed.trouble;
        return {4, fmt::format("{}: {}", batch_text(work.batch, window), speed.trouble)};
    }
    RunOptions options;
    options.store = local.file("part.db");
    options.assay_version = work.assay_version;
    options.command_line = work.command_line;
    // Behind the decision nobody waits for them.
    long long told_us = 0;
    options.drain = [&] {
        told_us = wall_clock_us();
        return folder.is_stopped() ? Micros{0} : work.drain;
    };
    options.batch = BatchOptions{std::move(whole),
                                 window,
                                 spec.first_claim_of(work.batch) + attempt,
                                 games,
                                 claim.node,
                                 speed.nps,
                                 speed.factor,
                                 speed.drift,
                                 {}};
    if (shipped) options.batch->place = [&shipped](RunRecord& run) { shipped->place(run); };
    const RunOutcome outcome = execute(plan, options, {}, clock);
    claim.ended_us = wall_clock_us();
    claim.time_losses = time_losses_in(outcome);
    const std::string what = batch_text(work.batch, window);
    // A task that is ended says nothing about its programs.
    if (outcome.signal == 0) note_failure(outcome, claim);
    if (claim.has_failed()) return {4, fmt::format("{}: {}", what, claim.reason)};
    std::string part = options.store;
    if (outcome.signal != 0) {
        part = local.file("finished.db");
        claim.pairs = copy_finished(options.store, part, options.batch->whole.plan, told_us);
    } else {
        claim.pairs = pairs_in(part);
    }
    // Who was told to end and lacks nothing has done what it was asked.
    const bool is_whole = outcome.signal == 0 || claim.pairs == window.pairs;
    const int code = is_whole ? 0 : 128 + outcome.signal;
    if (claim.pairs == 0) {
        claim.end = "left";
        return {code, given_back(what, "before a pair was over")};
    }
    if (speed.nps > 0) try_to_note_speed(folder, window.match, claim.node, games, options.store);
    close_part(part);
    const Handed handed = folder.hand_in(work.batch, attempt, part);
    claim.end = handed == Handed::Late ? "late" : "played";
    return {code, fmt::format("{}: {} played{}", what, counted(claim.pairs, "pair"),
                              handed == Handed::Late ? ", too late: a newer attempt counts" : "")};
}

}  // namespace

BatchEnd work_on_batch(const BatchWork& work, const Clock& clock) {
    const SlurmFolder folder(work.folder);
    const FleetSpec spec = folder.spec();
    const auto window = spec.window_of(work.batch);
    if (!window)
        throw Error(fmt::format("--batch: there is no batch {} in {}: they are 0 to {}", work.batch,
                                printable_utf8(folder.path()), spec.batches() - 1));
    if (spec.play != kPlayVersion)
        throw Error(fmt::format(
            "{}: the run was begun by an assay that plays otherwise (version {} of the play, here "
            "{}); start that one",
            printable_utf8(folder.path()), spec.play, kPlayVersion));
    if (folder.is_stopped()) return {0, "nothing to do: the run is decided, or was stopped"};
    if (folder.is_done(work.batch))
        return {0, fmt::format("{}: it has been played", batch_text(work.batch, *window))};
    if (!work.takes_open && folder.is_in_play(work.batch))
        return {0, fmt::format("{}: another worker has claimed it; if that one is dead, 'assay "
                               "work --again' plays it",
                               batch_text(work.batch, *window))};
    const TempFolder local;
    RunRecord whole = run_in(folder, local);
    if (whole.uid != spec.uid)
        throw Error(fmt::format("{}: run.db is not of this run", printable_utf8(folder.path())), 4);
    if (window->match >= whole.plan.matches.size())
        throw Error(fmt::format("{}: spec.json names a match that the run does not have",
                                printable_utf8(folder.path())),
                    4);
    const StopSignalsHeld held;  // a claim gets its end
    Claim claim = claim_here();
    const int attempt = folder.claim(work.batch, claim);
    try {
        BatchEnd end = play_claimed(work, folder, spec, std::move(whole), local, *window, attempt,
                                    claim, clock);
        folder.note_end(work.batch, attempt, claim);
        return end;
    } catch (const std::exception& error) {
        claim.end = "failed";
        claim.reason = error.what();
        try {
            folder.note_end(work.batch, attempt, claim);
        } catch (const Error&) {
            // The folder is the trouble; the first error says so.
        }
        throw;
    }
}

}  // namespace assay::harness
