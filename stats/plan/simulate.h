#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "stats/data/counts.h"
#include "stats/stop/boundary.h"
#include "stats/stop/stop_rule.h"
#include "stats/test/sprt.h"

namespace assay::stats {

/// Probabilities of the five pair categories; they add to 1.
using PairLaw = std::array<double, kPairCategories>;

/// The laws of docs/statistics.md section 11 at nElo 0.
inline constexpr PairLaw kBalancedLaw{.04, .24, .44, .24, .04};
inline constexpr PairLaw kUnbalancedLaw{.002443, .2499, .495314, .2499, .002443};

/// The normalized Elo of a law; 0 where it has no variance.
[[nodiscard]] double nelo_of(const PairLaw& law);

/// The law tilted exponentially to the given nElo: p_i ~ p_i exp(theta a_i). Throws Error if the
/// probabilities are negative, do not add to 1 within 1e-6, or no tilt reaches the nElo.
[[nodiscard]] PairLaw tilted_law(const PairLaw& law, double nelo);

struct SimulationSettings {
    PairLaw law = kBalancedLaw;
    enum class Kind { Boundary, Sprt, Evidence };

    Kind kind = Kind::Boundary;
    BoundarySettings boundary;  // of the kind that is simulated
    SprtSettings sprt;
    EvidenceSettings evidence;
    int runs = 1000;
    std::int64_t most_pairs = 10'000'000;  // a run that reaches them counts as undecided
    std::uint64_t seed = 1;
    int threads = 1;
    /// Called now and then with the number of finished runs, from the calling thread only.
    std::function<void(int finished)> on_progress;
};

struct SimulationResult {
    int runs = 0;
    int undecided = 0;
    double pass = 0;  // share of runs that accepted H1
    double pass_error = 0;
    double mean_pairs = 0;
    double mean_pairs_error = 0;
    double pairs_95 = 0;
    double pairs_999 = 0;
    /// Share of the sequential 95 % intervals, and of the naive ones, that held the true nElo.
    double coverage = 0;
    double naive_coverage = 0;
    /// Share of median-unbiased estimates above the truth; 1/2 is right.
    double above_truth = 0;
};

/// Plays independent pairs of the law until the rule decides, `runs` times. The result depends on
/// the seed, not on the number of threads. Throws Error for invalid settings.
[[nodiscard]] SimulationResult simulate(const SimulationSettings& settings);

}  // namespace assay::stats
