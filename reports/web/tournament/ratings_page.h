#pragma once
#include <string>

#include "reports/tournament/rated_list.h"

namespace assay::reports::web {

/// A rating list as one HTML document that needs no network and no script: a line a program,
/// however often it has played, its rating with both intervals, and, of stores, when it began to
/// play.
[[nodiscard]] std::string ratings_page(const stats::RatingTable& table, const RatedList& list);

}  // namespace assay::reports::web
