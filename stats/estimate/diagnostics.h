#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "stats/data/counts.h"
#include "stats/estimate/estimate.h"

namespace assay::stats {

/// What the checks of a match need of one counted pair, in schedule order. 16 bytes.
struct ObservedPair {
    std::uint64_t moves = 0;    // hash of both games' moves
    std::uint32_t opening = 0;  // index in the book, cut to 32 bits
    std::uint16_t slot = 0;     // where it was played
    std::uint8_t cell = 0;  // 3 * (first program's result with the first move) + the other; 0 1 2
    std::uint8_t machine = 0;  // on which machine, from 0
};

/// Whether games of one opening depend on each other beyond their pair.
struct OpeningClusters {
    std::int64_t openings = 0;
    double design_effect = 1;  // variance of the mean over that of independent pairs
    Interval elo_ci95;         // with the openings as units
    /// At least 50 openings, and a design effect above 1.1: this interval is the right one.
    bool is_needed = false;
};

/// The first move's score and whether it was the same all along.
struct FirstMove {
    double score = 0.5;
    std::array<double, 2> halves{0.5, 0.5};
    double z = 0;  // of their difference
};

/// Whether results differ between slots, or between machines, by more than chance.
struct Homogeneity {
    int groups = 0;  // with at least 5 pairs expected in each kind of result
    double chi_square = 0;
    int degrees = 0;
    double p_value = 1;
    int worst = -1;  // the slot or machine of the greatest adjusted residual
    double worst_residual = 0;
    double worst_p_value = 1;  // Bonferroni over all cells
};

/// Checks of what the verdict takes for granted. docs/statistics.md section 15.
struct Diagnostics {
    std::int64_t pairs = 0;
    /// Correlation of the two games of a pair: negative where openings are unbalanced, and then
    /// counting games instead of pairs would understate what is known. 0 without variance.
    double pair_correlation = 0;
    std::int64_t duplicates = 0;  // pairs whose moves equal an earlier pair's
    double lag1 = 0;              // autocorrelation of successive pairs
    bool is_lag1_flagged = false;
    std::optional<OpeningClusters> openings;  // unset: no opening came twice
    FirstMove first_move;
    std::optional<Homogeneity> slots;     // unset: fewer than two slots with enough pairs
    std::optional<Homogeneity> machines;  // the same of machines
};

/// Never NaN. O(n log n).
[[nodiscard]] Diagnostics diagnose(std::span<const ObservedPair> pairs);

/// Exact two-sided p-value of so many failures of the one program against those of the other,
/// were both equally reliable; 1 where there are none.
[[nodiscard]] double failure_p_value(std::int64_t of_first, std::int64_t of_second);

}  // namespace assay::stats
