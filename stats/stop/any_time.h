#pragma once
#include "stats/estimate/estimate.h"

namespace assay::stats {

/// 95 % interval of the mean score that holds at every look at once, however the data are peeked
/// at: the asymptotic confidence sequence with a normal mixture (Waudby-Smith and others 2021),
/// narrowest for its width around `planned` / 12 units. Cut at 0 and 1; without ends where the
/// sample has no variance. REQUIRES: planned > 0.
[[nodiscard]] Interval any_time_score(const Sample& sample, double planned);

}  // namespace assay::stats
