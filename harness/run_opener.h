#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/build_versions.h"
#include "harness/run.h"

namespace assay::harness {

/// Finds the run to go on with, or begins one.
class RunOpener {
public:
    /// All of them must outlive it.
    RunOpener(Store& store, const RunPlan& plan, const RunOptions& options, Versions& versions)
        : store_(store), plan_(plan), options_(options), versions_(versions) {}

    /// `settings` gets one of each match. Programs from git have a commit then, and no build yet.
    /// Throws Error where what is asked for cannot be begun or gone on with.
    [[nodiscard]] RunOutcome open(std::vector<MatchSetting>& settings);

private:
    /// The newest run of this plan to extend, or the newest unfinished one to resume.
    [[nodiscard]] std::optional<RunRecord> find_earlier() const;
    RunRecord begin(const std::string& hash, const std::vector<VersionRecord>& versions,
                    std::vector<MatchSetting>& settings);

    Store& store_;
    const RunPlan& plan_;
    const RunOptions& options_;
    Versions& versions_;
};

}  // namespace assay::harness
