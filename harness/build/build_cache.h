#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/command.h"
#include "harness/build/git_repository.h"
#include "harness/plan/plan.h"
#include "harness/record/version.h"

namespace assay::harness {

/// Where an assay's store has its builds: "<store>.builds".
[[nodiscard]] std::string builds_folder(const std::string& store);

/// The result of a build. If it failed, record.failure says why.
struct Built {
    BuildRecord record;
    bool is_interrupted = false;  // by a signal, which is still pending
};

/// Built trees, kept by commit, steps, command, compiler and processor, so that no version is built
/// twice:
///     FOLDER/COMMIT-KEY/tree       a clone of its own, where the steps ran
///     FOLDER/COMMIT-KEY/log.txt    what they said: its first and last MiB
///     FOLDER/COMMIT-KEY/built.json written last: a folder without it is unfinished and built again
/// Each build has a lock, so that several assays can share a folder. Failed builds are removed,
/// their logs are kept.
class BuildCache {
public:
    using Say = std::function<void(const std::string&)>;

    /// `say` is told what is built, and how long it took.
    BuildCache(adapters::CommandRunner& runner, std::string folder, Say say);

    /// The program's tree at the source, built now or earlier. Throws Error (exit 4) where the
    /// folder cannot be written, and as GitRepository does.
    [[nodiscard]] Built build(const GitRepository& repository, const SourceRecord& source,
                              const ProgramPlan& program);

    [[nodiscard]] std::string mirrors() const { return folder_ + "/mirrors"; }

    [[nodiscard]] std::string objects() const { return folder_ + "/objects"; }

    /// The program as it is started from its built tree: an absolute command and folder.
    [[nodiscard]] static ProgramPlan placed(const ProgramPlan& program, const std::string& folder);

private:
    [[nodiscard]] static bool is_kept(const BuildRecord& record, const ProgramPlan& program);
    void make(const GitRepository& repository, const SourceRecord& source,
              const ProgramPlan& program, Built& built);
    void run_steps(const ProgramPlan& program, Built& built);
    static void keep(const ProgramPlan& program, Built& built);
    [[nodiscard]] const std::string& compiler(const GitPlan& plan);

    adapters::CommandRunner& runner_;
    std::string folder_;
    Say say_;
    std::vector<std::pair<std::string, std::string>> compilers_;  // asked already
    std::string compiler_;
};

}  // namespace assay::harness
