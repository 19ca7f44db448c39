#pragma once
#include <string>

#include "reports/view/run_view.h"

namespace assay::reports {

/// The outcome of the run as shields.io's endpoint badge takes it:
/// {"schemaVersion":1,"label","message","color","isError"}.
[[nodiscard]] std::string badge_json(const RunView& view);

/// The figures as OpenMetrics text, one family a figure, matches by label: what GitLab's metrics
/// report compares between branches. Ends with "# EOF".
[[nodiscard]] std::string open_metrics(const RunView& view);

}  // namespace assay::reports
