#pragma once
#include <cstddef>
#include <vector>

#include "stats/stop/after_stop.h"
#include "stats/stop/boundary.h"

namespace assay::stats {

/// The law of the look and side at which a test leaves its boundary, for looks so far apart that
/// the correction of a continuous boundary (stop_rule.cpp) is no longer accurate. Exact for a
/// Brownian motion seen at these times only, by the recursion of Armitage, McPherson and Rowe
/// (1969). Computed once without drift, as exit_law.h. docs/statistics.md section 8.
class LookLaw {
public:
    /// `looks`: rising times, the last of which is the horizon, where the centre decides.
    /// REQUIRES: at least one look, all above 0. About 0.2 ms a look.
    LookLaw(const Boundary& boundary, const std::vector<double>& looks);

    [[nodiscard]] double pass_probability(double drift) const;
    [[nodiscard]] double fail_probability(double drift) const;
    [[nodiscard]] double expected_tau(double drift) const;

    /// P(outcome <= the observed one), looks in their order and within a look by the LLR.
    [[nodiscard]] double outcome_probability(const Outcome& outcome, double drift) const;

    [[nodiscard]] const Boundary& boundary() const { return boundary_; }

private:
    /// A look, and the density without drift of the paths that went on from the look before.
    struct Look {
        double tau = 0;
        double step = 0;  // time since the look before
        double lower = 0;
        double upper = 0;
        double before = 0;  // time of the density
        double low = 0;     // its range, with `density` at equal distances
        double spacing = 0;
        std::vector<double> density;  // empty: the path starts at 0
    };

    static constexpr int kAbove = 1;
    static constexpr int kBelow = -1;
    [[nodiscard]] static double beyond(int side, const Look& look, double level, double drift);
    void add_look(double tau, bool is_last);

    Boundary boundary_;
    std::vector<Look> looks_;
};

/// Times of looks every `step` up to the horizon, which is the last one.
[[nodiscard]] std::vector<double> look_times(double step, double horizon);

/// The shape with amplitudes at which these looks, with bounds as they are, have the errors alpha
/// and beta within 1e-5. With two or three looks before a
/// horizon that is later than a fixed sample needs, no amplitudes have these errors: then they are
/// those of a continuous path, and the errors are below nominal. Throws Error as
/// calibrated_boundary does.
[[nodiscard]] Boundary calibrated_for_looks(Shape shape, double alpha, double beta,
                                            const std::vector<double>& looks);

}  // namespace assay::stats
