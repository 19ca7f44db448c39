#pragma once
#include <map>
#include <string>

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

/// Path, hash and the files that options name. Throws as above.
[[nodiscard]] VersionRecord version_of(const ProgramPlan& program, FileHashes& hashes);

}  // namespace assay::harness
