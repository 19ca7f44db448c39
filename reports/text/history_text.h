#pragma once
#include <string>

#include "reports/history/history.h"

namespace assay::reports {

/// A history for a terminal: what history_markdown() has, with aligned columns.
[[nodiscard]] std::string history_text(const History& history);

}  // namespace assay::reports
