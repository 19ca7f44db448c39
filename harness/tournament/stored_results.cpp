#include "harness/tournament/stored_results.h"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/match/pair_counter.h"
#include "harness/record/run_identity.h"

namespace assay::harness {

namespace {

struct FoundRun {
    const Store* store = nullptr;
    RunRecord record;
    std::int64_t pairs = 0;
};

std::int64_t pairs_of(const Store& store, const RunRecord& run) {
    std::int64_t pairs = 0;
    for (std::size_t match = 0; match < run.plan.matches.size(); ++match) {
        pairs += store.pair_count(run.id, match);
    }
    return pairs;
}

class FoundRuns {
public:
    void add(const Store& store) {
        for (RunRecord& run : store.runs()) {
            const std::int64_t pairs = pairs_of(store, run);
            if (pairs == 0) continue;
            FoundRun& found = runs_[identity_of(run)];
            if (found.store != nullptr) ++copies_;
            if (found.store != nullptr && found.pairs >= pairs) continue;
            found = {&store, std::move(run), pairs};
        }
    }

    /// In the order in which they began.
    [[nodiscard]] const std::map<RunIdentity, FoundRun>& runs() const { return runs_; }

    [[nodiscard]] std::int64_t copies() const { return copies_; }

private:
    std::map<RunIdentity, FoundRun> runs_;
    std::int64_t copies_ = 0;
};

std::string note_of(const VersionPool& pool, const FoundRuns& found, std::size_t versions) {
    std::string note =
        fmt::format("{} of {} in {}", counted(pool.pairs(), "pair", "pairs"),
                    counted(static_cast<std::int64_t>(versions), "version", "versions"),
                    counted(static_cast<std::int64_t>(found.runs().size()), "run", "runs"));
    if (found.copies() > 0) {
        note += fmt::format("; {} left out",
                            counted(found.copies(), "copy of a run", "copies of runs"));
    }
    if (pool.own_pairs() > 0) {
        note += fmt::format("; {} of a version against itself left out",
                            counted(pool.own_pairs(), "pair", "pairs"));
    }
    return note;
}

}  // namespace

StoredResults results_of_stores(const std::vector<std::string>& paths, VersionsBy by) {
    std::vector<std::unique_ptr<Store>> stores;
    FoundRuns found;
    for (const std::string& path : paths) {
        stores.push_back(std::make_unique<Store>(path, Store::Access::Read));
        found.add(*stores.back());
    }
    VersionPool pool(by);
    for (const auto& [identity, run] : found.runs()) {
        for (std::size_t match = 0; match < run.record.plan.matches.size(); ++match) {
            pool.add(run.record, match, counted_pairs(*run.store, run.record, match));
        }
    }
    StoredResults results{pool.versions(), pool.results(), ""};
    results.note = note_of(pool, found, results.versions.size());
    return results;
}

}  // namespace assay::harness
