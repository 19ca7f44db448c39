#pragma once
#include <cstdint>
#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/build/build_versions.h"
#include "harness/match/match_setting.h"
#include "harness/run/run.h"

namespace assay::harness {

/// Finds the run to go on with, or begins one.
class RunOpener {
public:
    /// Begins to read the books of a run that is to be new, on a thread of its own: the store may
    /// be opened and programs be hashed meanwhile. Throws Error where a place that the plan names
    /// is not there, before it reads anything. Of a tournament that goes on `plan` becomes the one
    /// of that run, which has its programs under the numbers by which its games and versions are
    /// stored. REQUIRES: the store's lock is held, and `plan` and `options` outlive it.
    RunOpener(RunPlan& plan, const RunOptions& options);
    RunOpener(const RunOpener&) = delete;
    RunOpener& operator=(const RunOpener&) = delete;
    /// What is still being read is given up: this does not wait for a whole book.
    ~RunOpener();

    /// `settings` gets one of each match; of a tournament one. Programs from git have a commit
    /// then, and no build yet. Throws Error where what is asked for cannot be begun or gone on
    /// with.
    [[nodiscard]] RunOutcome open(Store& store, Versions& versions,
                                  std::vector<MatchSetting>& settings);

private:
    /// The newest run of this plan to extend, or the newest unfinished one to resume.
    [[nodiscard]] std::optional<RunRecord> find_earlier(const Store& store, Versions& versions);
    /// The newest run of this tournament, to go on with the programs that the plan has now.
    [[nodiscard]] RunRecord find_tournament(const Store& store);
    /// Goes on with a run of the store.
    RunOutcome go_on(RunRecord earlier, Store& store, Versions& versions,
                     std::vector<MatchSetting>& settings);
    /// What the refs are now where the run began with other commits; empty also where that cannot
    /// be told.
    [[nodiscard]] std::string moved_since(const RunRecord& run, Versions& versions);
    /// Whether a run that was failed by a program is to be left as it is, which is said if `tells`.
    [[nodiscard]] bool is_superseded(const RunRecord& run, Versions& versions, bool tells);
    [[nodiscard]] const std::vector<VersionRecord>& versions_now(Versions& versions);
    /// The plan numbers the programs of a tournament as this run does, or as written where there is
    /// none. Returns false, with the plan as written, where these are too many programs.
    bool number_as(const RunRecord* run);
    /// Throws Error where the order of the programs has a meaning and is another one now.
    void check_order(const RunRecord& run, const std::string& flag) const;
    [[nodiscard]] RunPlan whole_plan() const;
    /// The run in which the shard that is to be resumed has been played to its end.
    [[nodiscard]] std::optional<std::int64_t> done_shard(const Store& store, Versions& versions);
    void prepare(std::launch policy);
    RunRecord begin(Store& store, const std::vector<VersionRecord>& versions,
                    std::vector<MatchSetting>& settings);
    /// Begins a part of a fleet's run, with the programs that its coordinator found.
    RunRecord begin_batch(Store& store, const BatchOptions& batch,
                          std::vector<MatchSetting>& settings);

    RunPlan& plan_;
    const RunPlan written_;
    const RunOptions& options_;
    RunPlan begun_;  // the plan of a new run, with the values that it is given
    std::optional<std::vector<VersionRecord>> versions_now_;
    std::stop_source unwanted_;
    std::future<std::vector<MatchSetting>> settings_;
};

}  // namespace assay::harness
