#pragma once
#include <optional>
#include <vector>

#include "stats/stop/boundary.h"

namespace assay::stats {

/// Resolution of the computation of the exit law.
struct SolverGrid {
    int cells = 600;        // between the two bounds
    int early_steps = 200;  // geometric, to 1/100 of the horizon
    int steps = 4000;       // uniform, over the horizon

    /// For calibration: errors within 2e-6.
    [[nodiscard]] static SolverGrid coarse() { return {300, 200, 2000}; }
};

/// The joint law of the time and side at which a Brownian motion leaves a boundary. It is computed
/// once, without drift; under a drift m every outcome's probability is multiplied by
/// exp(m b - m^2 tau / 2) exactly, so that one pass serves every effect. Drift is in units in which
/// e0 is -1/2 and e1 +1/2. About 20 ms with the default grid. docs/statistics.md section 8.
class ExitLaw {
public:
    /// REQUIRES: a boundary with finite horizon and positive amplitudes.
    explicit ExitLaw(const Boundary& boundary, SolverGrid grid = {});
    /// Only up to `until`, in (0, horizon]: for a test that is still running.
    ExitLaw(const Boundary& boundary, double until, SolverGrid grid = {});

    /// P(H1 is accepted), the decision at the horizon included.
    [[nodiscard]] double pass_probability(double drift) const;
    /// P(H0 is accepted): one minus that, with the digits of a small chance.
    [[nodiscard]] double fail_probability(double drift) const;
    /// Mean of the time of the decision.
    [[nodiscard]] double expected_tau(double drift) const;
    /// Least time by which the test has ended with the given probability.
    [[nodiscard]] double quantile_tau(double drift, double probability) const;

    /// P(left through the upper / lower bound at a time up to tau).
    [[nodiscard]] double left_above_by(double tau, double drift) const;
    [[nodiscard]] double left_below_by(double tau, double drift) const;
    /// P(not left before the end of the computation, and LLR <= level there).
    [[nodiscard]] double alive_below(double level, double drift) const;

    /// The same three means for a drift that is itself normal, N(mean, sd^2), whatever mean and
    /// sd > 0 are. A prior that reaches beyond the drifts that the grid resolves takes about 200
    /// ms.
    struct Prior {
        double mean = 0;
        double sd = 0;
    };

    [[nodiscard]] double pass_probability(const Prior& prior) const;
    /// P(H1 is accepted and the drift is above `least`).
    [[nodiscard]] double pass_probability_above(const Prior& prior, double least) const;
    [[nodiscard]] double expected_tau(const Prior& prior) const;
    [[nodiscard]] double quantile_tau(const Prior& prior, double probability) const;

    [[nodiscard]] const Boundary& boundary() const { return boundary_; }

private:
    class Mixture;

    struct Step {
        double middle = 0;
        double end = 0;
        double upper = 0;  // the bounds at its middle
        double lower = 0;
        double above = 0;  // mass that left through them, without drift
        double below = 0;
    };

    struct Cell {
        double low = 0;
        double high = 0;
        double mass = 0;
    };

    class Solver;

    [[nodiscard]] double left_by(double tau, double drift, bool above) const;
    template <class Weight>
    [[nodiscard]] double total(const Weight& weight) const;
    template <class Weight>
    [[nodiscard]] double passed(const Weight& weight) const;
    template <class Weight>
    [[nodiscard]] double mean_tau(const Weight& weight) const;
    template <class Weight>
    [[nodiscard]] double quantile(const Weight& weight, double probability) const;

    Boundary boundary_;
    double until_ = 0;
    std::vector<Step> steps_;
    std::vector<Cell> alive_;
};

}  // namespace assay::stats
