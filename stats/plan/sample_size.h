#pragma once
#include <cstdint>
#include <optional>

#include "stats/estimate/likelihood_ratio.h"
#include "stats/stop/boundary.h"
#include "stats/stop/exit_law.h"

namespace assay::stats {

/// The expected outcome of a test at one strength, or for a prior of strengths.
struct Prospect {
    double pass = 0;        // P(H1 is accepted)
    double mean_pairs = 0;  // expected length
    double pairs_95 = 0;    // 95 % of such tests end within this number of pairs
    double pairs_999 = 0;
};

/// The default prior of the normalized Elo of a change. It is an assumption and printed as one.
struct EloPrior {
    double mean = -0.75;
    double sd = 1.75;
};

/// The figures of a test's first line. docs/statistics.md section 10.
struct TestPlan {
    Prospect at_e0;
    Prospect middle;
    Prospect at_e1;
    Prospect prior;
    double improvement = 0;           // P(H1 is accepted and nElo > 0) under the prior
    std::optional<std::int64_t> cap;  // pairs; nullopt for Wald's test, which has none

    /// Pairs spent for each true improvement that is accepted, under the prior.
    [[nodiscard]] double pairs_per_improvement() const { return prior.mean_pairs / improvement; }
};

/// A test of the given shape with normalized bounds e0 < e1. Throws Error as calibrated_boundary
/// does. About 100 ms.
[[nodiscard]] TestPlan plan_boundary(Shape shape, double e0, double e1, double alpha, double beta,
                                     EloPrior prior = {});
/// Wald's test with the same bounds, without overshoot.
[[nodiscard]] TestPlan plan_wald(double e0, double e1, double alpha, double beta,
                                 EloPrior prior = {});

/// Pairs of a test with a fixed number: two-sided level alpha, the given power at `nelo`.
[[nodiscard]] double fixed_pairs(double nelo, double alpha, double power);
/// Pairs for a 95 % interval of half width `nelo`, and that half width for a number of pairs.
[[nodiscard]] double pairs_for_half_width(double nelo);
[[nodiscard]] double half_width_of_pairs(double pairs);

/// Variance of one game's score in a pair, from the rate of drawn games and the root mean square
/// of the openings' bias in logistic Elo. Nullopt where the bias leaves no variance.
[[nodiscard]] std::optional<double> game_variance(double draw_rate, double rms_bias);

}  // namespace assay::stats
