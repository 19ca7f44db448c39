// Several stores into one. The output is made as OUTPUT.part and renamed when it is whole, so that
// a merge that is killed leaves no store that looks finished.
//
// All runs of all inputs are put into the order in which they began and numbered anew. Records with
// one uid are copies of one run, as a resume on another machine or a copied file makes them, or
// parts of it that were played as shards; their plans, seeds, books and programs must agree, else
// the merge is refused. Copies are united game by game, by (match, pair, game, attempt): a game
// that only one of them has is taken, one that several have must be equal in all columns. Two
// different games under one key mean that the run was continued in two places: which one counts
// cannot be known, so that is refused too. What is not a game (state, findings, versions, meters)
// comes from the copy that has more games, or, with as many, the one that ended later. Shards have
// no verdict and no findings: what is put together from them alone is a run that nobody has judged,
// which
// `--resume` takes up, and its meters are those of all of them. A shard that is merged with the
// whole run adds its games, and no meters.
#include "harness/store/merge/store_merge.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/record/run_identity.h"
#include "harness/record/suite.h"
#include "harness/store/merge/run_copier.h"
#include "harness/store/store.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

/// Removes the unfinished output, unless keep() is called.
class Draft {
public:
    explicit Draft(const std::string& output)
        : output_(output), file_(output + ".part"), trees_(trees_folder(output)) {
        for (const std::string& path : {output_, file_, trees_}) {
            if (!fs::exists(path)) continue;
            throw Error(fmt::format(
                "{}: already exists; a merge writes a new store: name another file with -o, or "
                "delete what an interrupted merge left",
                printable_utf8(path)));
        }
    }

    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    ~Draft() {
        if (is_kept_) return;
        std::error_code ignored;
        for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(file_ + end, ignored);
        fs::remove_all(trees_, ignored);
    }

    [[nodiscard]] const std::string& file() const { return file_; }

    [[nodiscard]] const std::string& trees() const { return trees_; }

    void keep() {
        fs::rename(file_, output_);
        is_kept_ = true;
    }

private:
    std::string output_;
    std::string file_;
    std::string trees_;
    bool is_kept_ = false;
};

void check_inputs(const std::vector<std::string>& inputs) {
    std::set<fs::path> seen;
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (seen.insert(fs::weakly_canonical(input, ignored)).second) continue;
        throw Error(fmt::format("{}: is named twice", printable_utf8(input)));
    }
}

/// Checks what must be equal in all copies and shards of a run, wherever it was continued.
void check_same_run(const MergePart& one, const MergePart& other) {
    const std::string why = why_not_one_run(one.record, other.record);
    if (why.empty()) return;
    throw Error(fmt::format(
        "{} and {} have one identity ({}), but {}: they are not copies or shards of one run",
        place_of(*one.store, one.record.id), place_of(*other.store, other.record.id),
        one.record.uid, printable_utf8(why)));
}

/// All runs of all inputs in the order of the output, with their numbers there.
std::vector<MergePart> numbered(const std::vector<std::string>& inputs, MergeResult& result) {
    std::vector<MergePart> parts;
    std::map<std::string, long long> starts;  // of the earliest part, by uid
    for (const std::string& input : inputs) {
        for (RunRecord& run : Store(input, Store::Access::Read).runs()) {
            const auto [start, is_new] = starts.try_emplace(run.uid, run.started_us);
            start->second = std::min(start->second, run.started_us);
            parts.push_back({&input, std::move(run)});
        }
    }
    std::ranges::stable_sort(parts, {}, [&starts](const MergePart& part) {
        const RunRecord& run = part.record;
        return std::tuple(starts.at(run.uid), run.name, run.uid, run.started_us);
    });
    const MergePart* last = nullptr;
    for (MergePart& part : parts) {
        if (last != nullptr && last->record.uid == part.record.uid) {
            check_same_run(part, *last);
        } else {
            result.runs.push_back(
                {static_cast<std::int64_t>(result.runs.size()) + 1, part.record.name, {}, 0, {}});
        }
        part.target = result.runs.back().run;
        result.runs.back().from.push_back({*part.store, part.record.id});
        last = &part;
    }
    return parts;
}

/// Sentences on runs that look like shards of one run, and are not: only where one lacks pairs, as
/// shards of several nights may well be in one store.
std::vector<std::string> look_alikes(const std::vector<MergePart>& parts,
                                     const std::vector<MergedRun>& runs) {
    std::map<std::string, const MergePart*> seen;  // the last shard, by the run's name
    std::vector<std::string> found;
    for (const MergePart& part : parts) {
        if (!part.record.shard) continue;
        const MergePart*& other = seen[part.record.name];
        const MergePart* const before = std::exchange(other, &part);
        if (before == nullptr || before->target == part.target) continue;
        const bool lacks = !runs[static_cast<std::size_t>(before->target) - 1].lacks.empty() ||
                           !runs[static_cast<std::size_t>(part.target) - 1].lacks.empty();
        if (!lacks) continue;
        const std::string why = why_not_one_run(part.record, before->record);
        found.push_back(fmt::format(
            "{} and {} are shards of two runs: {}", place_of(*before->store, before->record.id),
            place_of(*part.store, part.record.id),
            why.empty() ? "their keys differ (--shard-key)" : printable_utf8(why)));
    }
    return found;
}

/// What has been put into one run of the output.
struct Target {
    std::string from;                                      // its first part, for messages
    bool has_whole = false;                                // a part that is no shard
    std::map<std::string, std::vector<RunMeters>> shards;  // by text_of(): their meters, by match
    std::map<std::string, std::int64_t> pairs;             // of the part that these are from

    [[nodiscard]] bool is_of_shards() const { return !has_whole; }
};

RunMeters together(RunMeters one, const RunMeters& other) {
    one.delay.p50_us = std::max(one.delay.p50_us, other.delay.p50_us);
    one.delay.p99_us = std::max(one.delay.p99_us, other.delay.p99_us);
    one.delay.max_us = std::max(one.delay.max_us, other.delay.max_us);
    one.delay.cpu_us_per_ply = std::max(one.delay.cpu_us_per_ply, other.delay.cpu_us_per_ply);
    one.wall_us = std::max(one.wall_us, other.wall_us);
    one.voided += other.voided;
    one.between_games.resize(std::max(one.between_games.size(), other.between_games.size()));
    for (std::size_t i = 0; i < other.between_games.size(); ++i) {
        one.between_games[i].crashes += other.between_games[i].crashes;
        one.between_games[i].stalls += other.between_games[i].stalls;
    }
    return one;
}

std::int64_t pairs_of(const MergePart& part) {
    const Store store(*part.store, Store::Access::Read);
    std::int64_t pairs = 0;
    for (std::size_t match = 0; match < part.record.plan.matches.size(); ++match)
        pairs += store.pair_count(part.record.id, match);
    return pairs;
}

std::vector<RunMeters> meters_of(const MergePart& part) {
    const Store store(*part.store, Store::Access::Read);
    std::vector<RunMeters> meters;
    for (std::size_t match = 0; match < part.record.plan.matches.size(); ++match)
        meters.push_back(store.meters(part.record.id, match));
    return meters;
}

/// Puts a run, or a part of it, into the output.
void add_part(RunCopier& copier, const MergePart& part, Target& target) {
    const bool is_first = target.from.empty();
    const std::optional<Shard>& shard = part.record.shard;
    const std::string name = shard ? text_of(*shard) : "";
    if (is_first) {
        copier.copy(part);
        target.from = place_of(*part.store, part.record.id);
    } else if (!shard) {
        copier.unite(part, target.from,
                     target.has_whole ? RunCopier::Row::Further : RunCopier::Row::New);
    } else {
        const bool is_copy =
            !target.has_whole && target.shards.size() == 1 && target.shards.contains(name);
        copier.unite(part, target.from,
                     is_copy ? RunCopier::Row::Further : RunCopier::Row::Present);
    }
    target.has_whole = target.has_whole || !shard;
    if (!shard) return;
    // Of two copies of a shard the further one's.
    if (const std::int64_t pairs = pairs_of(part); pairs >= target.pairs[name]) {
        target.pairs[name] = pairs;
        target.shards[name] = meters_of(part);
    }
}

void finish_of_shards(Store& output, std::int64_t run, const Target& target) {
    std::vector<RunMeters> sum;
    for (const auto& [name, meters] : target.shards) {
        sum.resize(std::max(sum.size(), meters.size()));
        for (std::size_t match = 0; match < meters.size(); ++match)
            sum[match] = together(std::move(sum[match]), meters[match]);
    }
    output.transaction([&] {
        for (std::size_t match = 0; match < sum.size(); ++match)
            output.set_meters(run, match, sum[match]);
    });
}

/// The pairs that each match of a run still lacks.
std::vector<MergedRun::Lack> lacking(const Store& output, const RunRecord& run) {
    std::vector<MergedRun::Lack> found;
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i) {
        const MatchPlan& match = run.plan.matches[i];
        std::int64_t next = 0;  // the first pair not yet seen
        std::int64_t lack = 0;
        std::int64_t first = -1;
        const auto skip_to = [&](std::int64_t pair) {
            if (pair > next && first < 0) first = next;
            if (pair > next) lack += pair - next;
        };
        for (const PairDigest& pair : output.pairs(run.id, i)) {
            if (is_replaced(pair.state) || pair.pair < next || pair.pair >= match.pairs) continue;
            skip_to(pair.pair);
            next = pair.pair + 1;
        }
        skip_to(match.pairs);
        if (lack > 0) found.push_back({match.name, lack, match.pairs, first});
    }
    return found;
}

}  // namespace

MergeResult merge_stores(const std::vector<std::string>& inputs, const std::string& output) {
    check_inputs(inputs);
    MergeResult result;
    const std::vector<MergePart> parts = numbered(inputs, result);
    std::string at_work = output;  // the file that SQLite's complaint is about
    try {
        Draft draft(output);
        { const Store made(draft.file(), Store::Access::Write); }
        std::map<std::int64_t, Target> targets;
        {
            RunCopier copier(draft.file());
            for (const std::string& input : inputs) {
                at_work = input;
                copier.attach(input);
                for (const MergePart& part : parts) {
                    if (part.store != &input) continue;
                    add_part(copier, part, targets[part.target]);
                    copier.copy_trees(part, draft.trees());
                }
                copier.detach();
            }
            at_work = output;
            for (const auto& [run, target] : targets)
                if (target.is_of_shards()) copier.open_whole(run);
            result.missing_trees = copier.forget_missing(draft.trees());
            for (MergedRun& run : result.runs) run.games = copier.games_of(run.run);
        }
        {
            Store made(draft.file(), Store::Access::Write);
            for (MergedRun& run : result.runs) {
                const Target& target = targets.at(run.run);
                if (target.is_of_shards()) finish_of_shards(made, run.run, target);
                if (!target.shards.empty())
                    run.lacks = lacking(made, made.find_run(std::to_string(run.run)).value());
            }
        }
        result.warnings = look_alikes(parts, result.runs);
        draft.keep();
    } catch (const SQLite::Exception&) {
        rethrow_store_error(at_work);
    } catch (const fs::filesystem_error& error) {
        throw Error(fmt::format("{}: cannot write the trees: {}", printable_utf8(output),
                                error.code().message()),
                    4);
    }
    return result;
}

}  // namespace assay::harness
