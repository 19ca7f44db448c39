#pragma once
#include <cstdint>

#include "stats/stop/boundary.h"

namespace assay::stats {

/// Pairs after which a test of this shape with bounds `width` nElo apart has certainly ended.
[[nodiscard]] std::int64_t cap_in_pairs(Shape shape, double width, double alpha, double beta);

/// The third quantity of a capped test from the two others. The width in nElo that `pairs` pairs
/// can tell at these errors. REQUIRES: pairs >= 1.
[[nodiscard]] double capped_width(std::int64_t pairs, double alpha, double beta);
/// alpha = beta that `pairs` pairs reach between bounds `width` nElo apart. Throws Error above
/// 0.25, saying what would help.
[[nodiscard]] double capped_error(std::int64_t pairs, double width);

}  // namespace assay::stats
