#pragma once
#include <string>

#include "harness/record/run.h"

namespace assay::reports {

/// How reports name a version of a program. `version`: null where the run does not say, which gives
/// an empty text.

/// Its commit, "a1b2c3d", with a '+' where files were changed since; else the beginning of its
/// executable's hash.
[[nodiscard]] std::string short_id(const harness::VersionRecord* version);

/// The first line of the commit's message, printable and shortened; empty without a commit.
[[nodiscard]] std::string subject_of(const harness::VersionRecord* version);

/// What tells it apart from other versions for a reader: "a1b2c3d Fix the null move", without a
/// commit what it calls itself ("Engine 1.2"), and without that short_id().
[[nodiscard]] std::string version_text(const harness::VersionRecord* version);

/// Null where the run does not say.
[[nodiscard]] const harness::VersionRecord* version_at(const harness::RunRecord& run,
                                                       std::size_t program);
/// The same of a match's first or second program.
[[nodiscard]] const harness::VersionRecord* version_of(const harness::RunRecord& run,
                                                       std::size_t match, std::size_t index);

/// "head 1,234 nodes, base 1,240 nodes": what the benchmarks of a match's programs searched, of
/// those that are known. Empty where none is. Not escaped.
[[nodiscard]] std::string bench_text(const harness::RunRecord& run,
                                     const harness::MatchPlan& match);

}  // namespace assay::reports
