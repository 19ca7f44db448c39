// One run may lie in several files: a copy that was fetched from a server, a part that an earlier
// session left, a store and its archive. Counted twice, it would give estimates that are too sure.
// So runs are told apart by their identity (uid), and of two copies the one counts that has all
// pairs of the other.
//
// Neither may be complete: then each has pairs that the other lacks, and which of two pairs of one
// number is right can only be told by comparing games. That is what `assay merge` does, so it is
// named and nothing is guessed. Shards of one run share its identity and have no pair in common;
// they are runs of their own here.
//
// Cost: the keys of all pairs, for runs that occur twice only.
#include "harness/store/found_runs.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::harness {

namespace {

std::int64_t pair_count_of(const Store& store, const RunRecord& run) {
    std::int64_t pairs = 0;
    for (const std::size_t match : store.begun_matches(run.id))
        pairs += store.pair_count(run.id, match);
    return pairs;
}

using PairKeys = std::set<std::tuple<std::size_t, std::int64_t, int>>;

PairKeys keys_of(const FoundRun& run) {
    PairKeys keys;
    for (const std::size_t match : run.store->begun_matches(run.record->id)) {
        for (const PairDigest& pair : run.store->pairs(run.record->id, match))
            keys.emplace(match, pair.pair, pair.attempt);
    }
    return keys;
}

bool has_all(const FoundRun& whole, const FoundRun& part) {
    return std::ranges::includes(keys_of(whole), keys_of(part));
}

/// Two shards of one run have no pair in common.
bool are_apart(const RunRecord& one, const RunRecord& other) {
    return one.shard && other.shard && one.shard->count == other.shard->count &&
           *one.shard != *other.shard;
}

}  // namespace

FoundRuns::FoundRuns(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        stores_.push_back(std::make_unique<Store>(path, Store::Access::Read));
        const Store& store = *stores_.back();
        for (RunRecord& run : store.runs()) {
            const std::int64_t pairs = pair_count_of(store, run);
            if (pairs == 0) continue;
            add({&store, path, std::make_shared<const RunRecord>(std::move(run)), pairs});
        }
    }
    std::ranges::stable_sort(runs_, {}, [](const FoundRun& run) {
        return std::tuple(run.record->started_us, run.record->machine.host, run.record->name);
    });
}

void FoundRuns::add(FoundRun run) {
    // `run` is compared with every known copy, and loses its store once it is found to be the copy;
    // the rest of the list stays then.
    std::erase_if(runs_, [&](const FoundRun& known) {
        if (run.store == nullptr) return false;
        if (known.record->uid != run.record->uid || are_apart(*known.record, *run.record))
            return false;
        const bool is_larger = known.pairs > run.pairs;
        if (!has_all(is_larger ? known : run, is_larger ? run : known)) {
            throw Error(fmt::format(
                "{} run {} and {} run {} are parts of one run, and each has pairs that the other "
                "lacks; merge them first: assay merge {} {} -o all.db",
                printable_utf8(known.path), known.record->id, printable_utf8(run.path),
                run.record->id, printable_utf8(known.path), printable_utf8(run.path)));
        }
        ++copies_;
        if (!is_larger) return true;
        run.store = nullptr;  // it is the copy
        return false;
    });
    if (run.store != nullptr) runs_.push_back(std::move(run));
}

}  // namespace assay::harness
