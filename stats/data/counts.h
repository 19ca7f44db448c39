#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::stats {

/// Games counted from the point of view of the first program. Each count is in [0, 1e9].
struct Wdl {
    std::int64_t wins = 0;
    std::int64_t draws = 0;
    std::int64_t losses = 0;

    [[nodiscard]] constexpr std::int64_t games() const { return wins + draws + losses; }

    /// The same games seen by the second program.
    [[nodiscard]] constexpr Wdl mirrored() const { return {losses, draws, wins}; }

    friend constexpr bool operator==(const Wdl&, const Wdl&) = default;
};

/// A pair's outcome for the first program, by the sum of its two scores: 0, 1/2, 1, 3/2, 2.
inline constexpr int kPairCategories = 5;

/// Pairs counted as [LL, LD, DD+WL, WD, WW] (docs/statistics.md section 1). Each in [0, 1e9].
struct Pentanomial {
    std::array<std::int64_t, kPairCategories> counts{};

    /// REQUIRES: 0 <= category <= 4.
    [[nodiscard]] constexpr std::int64_t operator[](int category) const {
        return counts[static_cast<std::size_t>(category)];
    }

    /// REQUIRES: 0 <= category <= 4.
    constexpr void add(int category, std::int64_t pairs = 1) {
        counts[static_cast<std::size_t>(category)] += pairs;
    }

    [[nodiscard]] constexpr std::int64_t pairs() const {
        return counts[0] + counts[1] + counts[2] + counts[3] + counts[4];
    }

    /// Wins minus losses in games, in half points: the sum of the pairs' X in {-2, ..., 2}.
    [[nodiscard]] constexpr std::int64_t balance() const {
        return 2 * (counts[4] - counts[0]) + counts[3] - counts[1];
    }

    /// The same pairs seen by the second program.
    [[nodiscard]] constexpr Pentanomial mirrored() const {
        return {{counts[4], counts[3], counts[2], counts[1], counts[0]}};
    }

    friend constexpr bool operator==(const Pentanomial&, const Pentanomial&) = default;
};

}  // namespace assay::stats
