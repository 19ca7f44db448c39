#pragma once
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"
#include "harness/plan/plan.h"
#include "harness/record/version.h"

namespace assay::harness {

/// The executable that argv[0] names: itself if it has a slash (relative to `dir`), else the first
/// in PATH. Throws Error (exit 2) that names program and path where there is none.
[[nodiscard]] std::string resolve_executable(const ProgramPlan& program);

/// Path, hash and the files that its command and its options name, but for those that it writes (a
/// log, by its name or its flag's). Throws as above.
[[nodiscard]] VersionRecord version_of(const ProgramPlan& program);

/// Whether the executable is machine code and lies in `folder`: what it does is in it, as far as a
/// file can tell. A script, or an interpreter elsewhere, is decided by other files.
[[nodiscard]] bool is_native_in(const std::string& folder, const std::string& executable);

/// The files of a version that must stay as they are while it plays.
[[nodiscard]] std::vector<adapters::SealedFile> sealed_files(const VersionRecord& version);

}  // namespace assay::harness
