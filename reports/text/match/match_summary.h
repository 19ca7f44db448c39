#pragma once
#include <cstddef>
#include <string>

#include "reports/view/run_view.h"

namespace assay::reports {

/// A match as the terminal shows it; as of summary.h.

/// What is played and what it can tell: two lines. `concurrency` 0: not said.
[[nodiscard]] std::string match_header(const RunView& view, std::size_t match, int concurrency);

/// The verdict with its figures, both tests, how games ended, and what failed.
[[nodiscard]] std::string match_summary(const RunView& view, std::size_t match, bool colour);

}  // namespace assay::reports
