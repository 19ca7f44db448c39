#pragma once
#include <cstdint>
#include <span>

namespace assay::stats {

/// Tests of "a change moves no position's figure more often, or farther, one way than the other",
/// from one difference a position (after minus before, on any scale). Positions differ by orders of
/// magnitude, so neither test sees more of a difference than its sign and its rank: one odd
/// position cannot decide either. Positions without a change are left out of both.
struct PairedPositions {
    std::int64_t more = 0;   // positions with a difference above 0
    std::int64_t fewer = 0;  // below 0
    std::int64_t equal = 0;

    /// Sign test, exact: P(at least as many of the more frequent sign) both ways, and of `more`
    /// alone ("at least as many above 0 as seen").
    double sign_p = 1;
    double sign_p_more = 1;

    /// Wilcoxon's signed-rank test (Biometrics Bulletin 1, 1945) with mid-ranks for ties; exact up
    /// to kExactPositions, then the normal approximation with correction for ties and continuity.
    double rank_sum_more = 0;  // of the ranks of differences above 0
    double wilcoxon_p = 1;
    double wilcoxon_p_more = 1;

    [[nodiscard]] std::int64_t changed() const { return more + fewer; }
};

inline constexpr std::int64_t kExactPositions = 200;

/// Differences that are not finite count as farther than any other. The order does not matter.
[[nodiscard]] PairedPositions test_paired_positions(std::span<const double> differences);

/// The smallest one-sided p-value that `changed` positions can give: 2^-changed.
[[nodiscard]] double least_p(std::int64_t changed);

}  // namespace assay::stats
