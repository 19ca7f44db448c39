#pragma once
#include <map>
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"
#include "harness/plan/plan.h"
#include "harness/record/version.h"

namespace assay::harness {

/// The executable that argv[0] names: itself if it has a slash (relative to `dir`), else the first
/// in PATH. Throws Error (exit 2) that names program and path where there is none.
[[nodiscard]] std::string resolve_executable(const ProgramPlan& program);

/// Hashes files, each once: programs of one run are often one file. For the moment of one look, not
/// for longer: a file may change.
class FileHashes {
public:
    /// Throws Error where it cannot be read.
    [[nodiscard]] const std::string& of(const std::string& path);

private:
    std::map<std::string, std::string> known_;
};

/// Path, hash and the files that its command and its options name, but for those that it writes (a
/// log, by its name or its flag's). Throws as above.
[[nodiscard]] VersionRecord version_of(const ProgramPlan& program, FileHashes& hashes);

/// The files of a version that must stay as they are while it plays.
[[nodiscard]] std::vector<adapters::SealedFile> sealed_files(const VersionRecord& version);

}  // namespace assay::harness
