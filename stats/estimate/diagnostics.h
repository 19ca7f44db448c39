#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "stats/data/counts.h"
#include "stats/estimate/estimate.h"

namespace assay::stats {

/// The data of one counted pair that the checks of a match use, in schedule order. 24 bytes.
struct ObservedPair {
    std::uint64_t moves = 0;    // hash of both games' moves
    std::uint32_t opening = 0;  // index in the book, cut to 32 bits
    std::uint16_t slot = 0;     // where it was played
    std::uint8_t cell = 0;  // 3 * (first program's result with the first move) + the other; 0 1 2
    std::uint16_t machine = 0;  // on which machine, from 0
};

/// Whether pairs of the same opening depend on each other.
struct OpeningClusters {
    std::int64_t openings = 0;
    double design_effect = 1;  // variance of the mean over that of independent pairs
    Interval elo_ci95;         // with the openings as units
    /// At least 50 openings, and a design effect above 1.1: this interval replaces the plain one.
    bool is_needed = false;
};

/// The score of the side that moves first, and whether it was constant over the match.
struct FirstMove {
    double score = 0.5;
    std::array<double, 2> halves{0.5, 0.5};
    double z = 0;  // of their difference
};

/// Whether results differ between slots, or between machines, by more than chance allows.
struct Homogeneity {
    int groups = 0;  // with at least 5 pairs expected in each kind of result
    double chi_square = 0;
    int degrees = 0;
    double p_value = 1;
    int worst = -1;  // the slot or machine of the greatest adjusted residual
    double worst_residual = 0;
    double worst_p_value = 1;  // Bonferroni over all cells
};

/// Checks of the assumptions behind the verdict. docs/statistics.md section 16.
struct Diagnostics {
    std::int64_t pairs = 0;
    /// Correlation of the two games of a pair. It is negative where openings are unbalanced;
    /// counting games instead of pairs would then overstate the error. 0 without variance.
    double pair_correlation = 0;
    std::int64_t duplicates = 0;  // pairs with the same moves as an earlier one
    double lag1 = 0;              // autocorrelation of successive pairs
    bool is_lag1_flagged = false;
    std::optional<OpeningClusters> openings;  // unset: no opening was played twice
    FirstMove first_move;
    std::optional<Homogeneity> slots;     // unset: fewer than two slots with enough pairs
    std::optional<Homogeneity> machines;  // the same of machines
};

/// Never NaN. O(n log n).
[[nodiscard]] Diagnostics diagnose(std::span<const ObservedPair> pairs);

/// Exact two-sided p-value of the numbers of failures of both programs, if both are equally
/// reliable; 1 without failures.
[[nodiscard]] double failure_p_value(std::int64_t of_first, std::int64_t of_second);

}  // namespace assay::stats
