#pragma once
#include <cstdint>
#include <vector>

namespace assay::stats {

/// One kind of independent, symmetric steps of a walk on the whole numbers: `steps` of them, each
/// +1 or -1 with probability `one` each and +2 or -2 with probability `two` each, else 0.
/// REQUIRES: steps >= 0, one >= 0, two >= 0, 2 * (one + two) <= 1.
struct LatticeSteps {
    std::int64_t steps = 0;
    double one = 0;
    double two = 0;
};

/// The exact law of the sum S of two kinds of steps, by Fourier inversion on a grid wide enough
/// that aliasing stays below 1e-17 (Hoeffding's inequality). Tails beyond three standard
/// deviations are computed under an exponential tilt to their saddle point, with a relative error
/// of about 1e-12; elsewhere the absolute error is about 1e-15. docs/statistics.md section 7.
class LatticeLaw {
public:
    explicit LatticeLaw(LatticeSteps a, LatticeSteps b = {});

    /// P(|S| >= s); 1 for s <= 0.
    [[nodiscard]] double two_sided_tail(std::int64_t s) const;

    /// The largest |S| possible.
    [[nodiscard]] std::int64_t greatest() const { return greatest_; }

    [[nodiscard]] double variance() const { return variance_; }

private:
    [[nodiscard]] double central_tail(std::int64_t s) const;
    [[nodiscard]] double tilted_tail(std::int64_t s) const;
    [[nodiscard]] double saddle_point(double s) const;

    /// A point of the grid where the characteristic function is not negligible.
    struct Term {
        double half_angle = 0;
        double sine = 0;   // of the half angle
        double value = 0;  // the function's, counted twice where the mirrored point is another
    };

    LatticeSteps a_;
    LatticeSteps b_;
    std::int64_t greatest_;
    std::int64_t grid_ = 1;
    double variance_;
    std::vector<Term> terms_;
};

}  // namespace assay::stats
