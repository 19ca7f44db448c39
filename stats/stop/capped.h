#pragma once
#include <cstdint>

#include "stats/stop/boundary.h"

namespace assay::stats {

/// The number of pairs after which a test of this shape with bounds `width` nElo apart has ended.
[[nodiscard]] std::int64_t cap_in_pairs(Shape shape, double width, double alpha, double beta);

/// A capped test has three quantities, of which two give the third. The least distance of the
/// bounds, in nElo, that `pairs` pairs can tell apart at these errors. REQUIRES: pairs >= 1.
[[nodiscard]] double capped_width(std::int64_t pairs, double alpha, double beta);
/// The errors alpha = beta of `pairs` pairs between bounds `width` nElo apart. Throws Error above
/// 0.25; the message says what to change.
[[nodiscard]] double capped_error(std::int64_t pairs, double width);

}  // namespace assay::stats
