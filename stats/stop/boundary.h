#pragma once
#include <optional>
#include <string_view>

namespace assay::stats {

/// The forms of a stopping boundary (docs/statistics.md section 8).
enum class Shape {
    Closing,          // symmetric, closes at its horizon: for questions without a likely answer
    ClosingFastFail,  // its lower side dips early: for changes that are mostly no gains
    ClosingFastFailMirror,  // its upper side dips early: for changes that mostly do no harm
    Capped,  // open at its horizon, where the sign of the LLR decides: for a fixed budget of pairs
};

/// "closing", "closing-ff", "closing-ff-mirror" or "capped".
[[nodiscard]] std::string_view name_of(Shape shape);
[[nodiscard]] std::optional<Shape> shape_named(std::string_view name);

/// Bounds of the LLR as functions of information time tau = pairs * (t1 - t0)^2, on whose scale
/// the LLR is a Brownian motion of variance 1 a unit and drift -1/2 at e0, +1/2 at e1. With
/// x = (tau / horizon)^power and g = 1 - (1 - rest) x:
///   upper = centre x + a_upper g,  lower = centre x - a_lower g,
/// the dipping side times 1 - dip exp(-tau / dip_time). For a finite horizon only.
struct Boundary {
    double horizon = 0;   // T
    double centre = 0;    // c: at the horizon H1 is accepted iff LLR >= c
    double a_upper = 0;   // A_U
    double a_lower = 0;   // A_L
    int power = 3;        // p
    double rest = 0;      // rho: the share of the width that is left at the horizon
    double dip = 0;       // d
    double dip_time = 1;  // td
    bool dip_on_upper = false;

    [[nodiscard]] double upper(double tau) const;
    [[nodiscard]] double lower(double tau) const;
};

/// Pairs times width^2 (in nElo) of one unit of information time: kElo^2 / 2.
inline constexpr double kPairsPerTau = 60355.74304371646;

/// Need of a test with a fixed number of pairs, in information time: (z_alpha + z_beta)^2.
/// Throws Error unless alpha and beta are in [1e-9, 0.5).
[[nodiscard]] double fixed_sample_tau(double alpha, double beta);

/// The horizon of a shape at these errors: 1.848056 (closing) or 1.201237 (capped) times that.
/// Throws as fixed_sample_tau does.
[[nodiscard]] double horizon_of(Shape shape, double alpha, double beta);

/// The shape with the amplitudes at which its errors are alpha at e0 and beta at e1, within 1e-5
/// relative, found by solving for the law of the exit (exit_law.h): about 50 ms. Throws Error
/// unless alpha and beta are in [1e-9, 0.5) and the search converges.
[[nodiscard]] Boundary calibrated_boundary(Shape shape, double alpha, double beta);

}  // namespace assay::stats
