#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/build/build_cache.h"
#include "harness/build/git_repository.h"
#include "harness/plan/plan.h"
#include "harness/record/run.h"
#include "harness/record/version.h"
#include "harness/store/store.h"

namespace assay::harness {

/// Turns the programs of a plan into versions that can be started: finds the commits of those from
/// git and builds them; looks up and hashes the others. For one run, on its thread.
class Versions {
public:
    /// Is told what is being done: "building head at a1b2c3d (…)".
    using Say = BuildCache::Say;

    /// `store`: its name is that of the folder of builds, its runs tell what `previous` is.
    /// `outputs`: files that this process writes, which belong to no `worktree`.
    Versions(const RunPlan& plan, const Store& store, std::vector<std::string> outputs, Say say);
    Versions(const Versions&) = delete;
    Versions& operator=(const Versions&) = delete;
    ~Versions();

    /// A version of each program, in the plan's order, with the commits of this moment; of the
    /// first ones those that are `known`, and of those that a tournament leaves out the name alone.
    /// Throws Error (exit 2)
    /// where a repository or ref is not there, or a program without `git` is no file. `is_quiet`:
    /// nothing is said of it.
    [[nodiscard]] std::vector<VersionRecord> resolve(bool is_quiet = false,
                                                     std::vector<VersionRecord> known = {});

    /// For a run that is continued. Throws Error (exit 2) if a program without `git` is not the one
    /// that the run began with.
    void check_unbuilt(const RunRecord& earlier) const;

    /// "no commit since run 12", where a program is `previous` and the first of the first match is
    /// still at its commit.
    [[nodiscard]] std::optional<std::string> skip_reason(
        const std::vector<VersionRecord>& versions) const;

    /// What the refs of the plan are now where an earlier run of it began with other commits or
    /// files: "HEAD is a1b2c3d now". Refs that follow another program are only named where no other
    /// has moved. Empty where all are the same, or nothing is from git.
    [[nodiscard]] static std::string moved_text(const RunRecord& earlier,
                                                const std::vector<VersionRecord>& now);

    enum class End : std::uint8_t { Ready, Failed, Interrupted };

    /// Builds what has a source and fills in paths, hashes and build records. Failed: a version's
    /// build.failure says why. Throws Error (exit 2) where `run` began with another build of the
    /// same commit on this machine: its games would be of two programs.
    [[nodiscard]] End build(RunRecord& run);

    /// The message of the commit of a version that has a source.
    [[nodiscard]] std::string message_of(const VersionRecord& version, std::size_t program);

    void say(const std::string& text) const {
        if (say_) say_(text);
    }

    [[nodiscard]] adapters::CommandRunner& runner() { return runner_; }

private:
    struct Previous {
        std::int64_t run = 0;
        std::string commit;
    };

    [[nodiscard]] GitRepository& repository_of(const std::string& repo);
    [[nodiscard]] SourceRecord source_of(std::size_t program,
                                         const std::vector<VersionRecord>& versions, bool is_quiet);
    [[nodiscard]] std::string tree_of(const SourceRecord& source, const ProgramPlan& program);
    [[nodiscard]] std::string head_commit(std::size_t program,
                                          const std::vector<VersionRecord>& versions);
    [[nodiscard]] const std::optional<Previous>& previous();
    [[nodiscard]] std::size_t head() const;

    const RunPlan& plan_;
    const Store& store_;
    std::vector<std::string> outputs_;
    Say say_;
    adapters::CommandRunner runner_;
    std::unique_ptr<BuildCache> cache_;
    std::map<std::string, std::unique_ptr<GitRepository>> repositories_;
    std::optional<std::optional<Previous>> previous_;
};

/// The program of a plan with the command and folder of this version.
[[nodiscard]] ProgramPlan placed_program(const ProgramPlan& program, const VersionRecord& version);

/// "a1b2c3d (merge base of origin/main)"; empty of a version without a source.
[[nodiscard]] std::string source_text(const VersionRecord& version);

}  // namespace assay::harness
