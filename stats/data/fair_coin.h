#pragma once
#include <cstdint>

namespace assay::stats {

/// The law of the number of heads of a fair coin thrown `n` times: P(at least `k`) and P(exactly
/// `k`). Relative error about 1e-13, down to the smallest numbers of a double; `n` steps. 1 where
/// k <= 0 is asked of the tail, and 0 where k > n. REQUIRES: n >= 0.
[[nodiscard]] double fair_coin_tail(std::int64_t n, std::int64_t k);
[[nodiscard]] double fair_coin_point(std::int64_t n, std::int64_t k);

}  // namespace assay::stats
