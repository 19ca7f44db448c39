#pragma once
#include <cstdint>
#include <optional>

#include "stats/data/counts.h"

namespace assay::stats {

/// The null hypothesis of the lecture's test (Hsu, Theory of Computer Games): two equal programs,
/// the first player wins a game with probability `first_wins` and draws with `draws`.
/// REQUIRES: both >= 0, sum <= 1.
struct TrinomialNull {
    double first_wins = 0;
    double draws = 0;
};

/// The rates for Chinese chess that the lecture uses.
inline constexpr TrinomialNull kChineseChess{0.3918, 0.3161};

/// Rates estimated from the games themselves ("plug-in"). Nullopt without games.
[[nodiscard]] std::optional<TrinomialNull> plug_in_null(std::int64_t first_player_wins,
                                                        std::int64_t draws, std::int64_t games);

/// The exact law of the score S (a win 1, a loss -1, over `pairs` pairs) at |S| = score.
struct TrinomialTest {
    double prob_abs_le_s = 1;  // P(|S| <= score)
    double p_value = 1;        // P(|S| >= score), two-sided
    double sigma = 0;          // standard deviation of S: sqrt(pairs * (2b + 8a))
    /// Least s with P(|S| >= s) <= level; nullopt if there is none.
    std::optional<std::int64_t> critical_score;
};

/// Exact to 1e-15 absolutely, tails to about 1e-12 relatively; `score` may have either sign.
/// Throws Error unless pairs is in [0, 1e9], level in (0, 1) and the null is a probability law.
/// About 1 ms for 1e6 pairs. docs/statistics.md section 7.
[[nodiscard]] TrinomialTest trinomial_test(std::int64_t pairs, std::int64_t score,
                                           const TrinomialNull& null, double level = 0.05);

}  // namespace assay::stats
