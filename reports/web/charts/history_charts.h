#pragma once
#include <string>

#include "reports/history/history.h"

namespace assay::reports::web {

// Panels over the same nights, one below the other with the same x. Series are apart: no
// band, line or level goes across a change of machine.

/// Dots with bands, levels, steps, changes of series, skips and taints.
[[nodiscard]] std::string history_elo_chart(const History& history);
/// Nodes a second of the first program; empty where no night has them.
[[nodiscard]] std::string history_speed_chart(const History& history);
/// What one of History::queries answered; empty where no night has an answer.
[[nodiscard]] std::string history_query_chart(const History& history, std::size_t query);
/// Bars of the first program's failures.
[[nodiscard]] std::string history_failure_chart(const History& history);

/// One night's interval on the range of all shown ones, for a table's row.
[[nodiscard]] std::string interval_bar(const stats::Estimate& elo, double lo, double hi,
                                       bool is_bad);

}  // namespace assay::reports::web
