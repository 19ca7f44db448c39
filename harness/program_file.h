#pragma once
#include <string>

#include "harness/plan.h"
#include "harness/record.h"

namespace assay::harness {

/// The executable that argv[0] names: itself if it has a slash (relative to `dir`), else the first
/// in PATH. Throws Error (exit 2) that names program and path where there is none.
[[nodiscard]] std::string resolve_executable(const ProgramPlan& program);

/// Path, hash and the files that options name. Throws as above.
[[nodiscard]] VersionRecord version_of(const ProgramPlan& program);

}  // namespace assay::harness
