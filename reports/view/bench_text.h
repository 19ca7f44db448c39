#pragma once
#include <string>

#include "harness/record/run.h"

namespace assay::reports {

/// "head 1,234 nodes, base 1,240 nodes": what the benchmarks of a match's programs searched, of
/// those that are known. Empty where none is. Not escaped.
[[nodiscard]] std::string bench_text(const harness::RunRecord& run,
                                     const harness::MatchPlan& match);

}  // namespace assay::reports
