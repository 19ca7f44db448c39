// Where and when a Brownian motion leaves a boundary. Calibration needs errors to 1e-5 and planning
// needs quantiles, for every drift: a simulation would take some 1e11 paths for the first. Instead
// the density of the paths still inside is stepped forward in time, once and without drift. Under a
// drift m every path of end b at time tau is exp(m b - m^2 tau / 2) times as likely (Cameron and
// Martin 1944), so that the one solution gives all drifts by a weighted sum. An independent
// computation for few looks is look_law.cpp.
//
// The density between two moving bounds L(tau) < U(tau) is kept as masses of `cells` equal cells in
// x = (b - L) / (U - L). In x the motion has drift -(L' + x w') / w and variance 1 / w^2, w = U -
// L. Fluxes through the faces are central; at the walls, where the density is 0, its slope is taken
// from the two nearest cells to second order. Implicit Euler steps damp the start, trapezoidal
// steps follow (Rannacher 1984: the trapezoidal rule alone would carry the oscillations of a point
// start along). Under a drift the probabilities of all outcomes must add to 1: dividing by their
// sum removes most of what the grid gets wrong for large drifts.
#include "stats/stop/exit_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/data/normal.h"

namespace assay::stats {

namespace {

/// When the bounds are this close, the remaining mass is split at the centre.
constexpr double kClosed = 0.02;
constexpr int kEulerSteps = 4;

struct DriftWeight {
    double drift;

    double operator()(double b, double tau) const {
        return std::exp(drift * b - 0.5 * drift * drift * tau);
    }
};

struct PriorWeight {
    ExitLaw::Prior prior;

    double operator()(double b, double tau) const {
        const double variance = prior.sd * prior.sd;
        const double spread = 1 + variance * tau;
        const double numerator =
            prior.mean * b + 0.5 * variance * b * b - 0.5 * prior.mean * prior.mean * tau;
        return std::exp(numerator / spread) / std::sqrt(spread);
    }
};

}  // namespace

class ExitLaw::Solver {
public:
    Solver(ExitLaw& law, const SolverGrid& grid)
        : law_(law),
          boundary_(law.boundary_),
          cells_(static_cast<std::size_t>(grid.cells)),
          masses_(cells_),
          upper_(cells_) {}

    void run(const SolverGrid& grid) {
        const double horizon = boundary_.horizon;
        const double first = std::min(horizon * 5e-5, law_.until_);
        start(first);
        const double early_end = horizon * 1e-2;
        const double ratio = std::pow(early_end / (horizon * 5e-5), 1.0 / grid.early_steps);
        double tau = first;
        // Early exits are rare but decide the tails: steps grow with time from a very small one.
        for (int step = 0; step < grid.early_steps && tau < law_.until_; ++step) {
            const double next = std::min(tau * ratio, law_.until_);
            if (!advance(tau, next, step < kEulerSteps)) return;
            tau = next;
        }
        const double left = law_.until_ - tau;
        const int count = static_cast<int>(std::ceil(left / horizon * grid.steps - 1e-9));
        for (int step = 0; step < count; ++step) {
            const double from = tau + left * step / count;
            if (!advance(from, tau + left * (step + 1) / count, false)) return;
        }
        keep_alive(law_.until_);
    }

private:
    /// Normal masses at the first time; mass outside of the bounds has left already.
    void start(double tau) {
        const double low = boundary_.lower(tau);
        const double high = boundary_.upper(tau);
        const double sd = std::sqrt(tau);
        const double h = (high - low) / static_cast<double>(cells_);
        double last = normal_cdf(low / sd);
        law_.steps_.push_back({tau, tau, high, low, normal_cdf(-high / sd), last});
        for (std::size_t i = 0; i < cells_; ++i) {
            const double next = normal_cdf((low + h * static_cast<double>(i + 1)) / sd);
            masses_[i] = next - last;
            last = next;
        }
    }

    /// One time step. False once the bounds have closed; the masses are then kept as they are.
    bool advance(double from, double to, bool euler) {
        const double dt = to - from;
        const double middle = 0.5 * (from + to);
        const double low = boundary_.lower(middle);
        const double high = boundary_.upper(middle);
        const double width = high - low;
        if (width < kClosed) {
            keep_alive(from);
            return false;
        }
        const double low_speed = (boundary_.lower(to) - boundary_.lower(from)) / dt;
        const double high_speed = (boundary_.upper(to) - boundary_.upper(from)) / dt;
        const double implicit_share = euler ? 1 : 0.5;
        const double h = 1 / static_cast<double>(cells_);
        const double diffusion = 0.5 / (width * width * h * h);
        const double old_below = wall(diffusion, masses_[0], masses_[1]);
        const double old_above = wall(diffusion, masses_[cells_ - 1], masses_[cells_ - 2]);
        step_masses({diffusion, low_speed, high_speed - low_speed, width}, dt, implicit_share);
        const double new_below = wall(diffusion, masses_[0], masses_[1]);
        const double new_above = wall(diffusion, masses_[cells_ - 1], masses_[cells_ - 2]);
        // What leaves through a wall, by the same rule in time as the masses: nothing is lost.
        const auto outflow = [&](double before, double after) {
            return std::max(0.0, dt * ((1 - implicit_share) * before + implicit_share * after));
        };
        law_.steps_.push_back(
            {middle, to, high, low, outflow(old_above, new_above), outflow(old_below, new_below)});
        return true;
    }

    static double wall(double diffusion, double nearest, double next) {
        return diffusion * (3 * nearest - next / 3);
    }

    /// What moves masses during a step: the bounds' speeds, and half the variance in cells.
    struct Motion {
        double diffusion = 0;
        double low_speed = 0;
        double width_speed = 0;
        double width = 0;
    };

    /// A row of the tridiagonal A in dM/dtau = A M: what a cell gets from the one below, from
    /// itself and from the one above.
    struct Row {
        double below = 0;
        double own = 0;
        double above = 0;
    };

    /// `left`, `right`: half the speed of the cell's faces, in cells. The fluxes upward through
    /// them are (left + diffusion) M_{i-1} + (left - diffusion) M_i, and so on.
    [[nodiscard]] static Row row_of(double diffusion, double left, double right) {
        return {left + diffusion, (left - diffusion) - (right + diffusion), -(right - diffusion)};
    }

    [[nodiscard]] static Row lowest_row(double diffusion, double right) {
        return {0, -(right + diffusion) - 3 * diffusion, -(right - diffusion) + diffusion / 3};
    }

    [[nodiscard]] static Row highest_row(double diffusion, double left) {
        return {left + diffusion + diffusion / 3, (left - diffusion) - 3 * diffusion, 0};
    }

    /// (1 - s dt A) M' = (1 + (1 - s) dt A) M by Thomas' algorithm, in one pass up, which forms the
    /// rows and the right side as it goes, and one down. Plain pointers: nearly all time of a
    /// calibration is spent here, and builds without optimisation check every index of a vector.
    void step_masses(const Motion& motion, double dt, double implicit_share) {
        const double h = 1 / static_cast<double>(cells_);
        const double e = (1 - implicit_share) * dt;
        const double s = implicit_share * dt;
        const double diffusion = motion.diffusion;
        double* const masses = masses_.data();
        double* const upper = upper_.data();
        const auto speed_of_face = [&](std::size_t face) {
            const double x = h * static_cast<double>(face);
            return -(motion.low_speed + x * motion.width_speed) / (2 * motion.width * h);
        };
        double left = speed_of_face(1);
        Row row = lowest_row(diffusion, left);
        double above = row.above;
        double before = masses[0];
        double pivot = 1 - s * row.own;
        masses[0] = (before + e * (row.own * before + row.above * masses[1])) / pivot;
        const std::size_t last = cells_ - 1;
        for (std::size_t i = 1; i <= last; ++i) {
            const double right = i < last ? speed_of_face(i + 1) : 0;
            row = i < last ? row_of(diffusion, left, right) : highest_row(diffusion, left);
            const double mass = masses[i];
            double rate = row.own * mass + row.below * before;
            if (i < last) rate += row.above * masses[i + 1];
            upper[i - 1] = -s * above / pivot;  // the eliminated upper diagonal
            pivot = 1 - s * row.own + s * row.below * upper[i - 1];
            masses[i] = (mass + e * rate + s * row.below * masses[i - 1]) / pivot;
            before = mass;
            above = row.above;
            left = right;
        }
        for (std::size_t i = last; i-- > 0;) masses[i] -= upper[i] * masses[i + 1];
    }

    void keep_alive(double tau) {
        const double middle = 0.5 * (boundary_.lower(tau) + boundary_.upper(tau));
        // Never of width 0, even where the bounds meet.
        const double width = std::max(boundary_.upper(tau) - boundary_.lower(tau), 1e-9);
        const double low = middle - 0.5 * width;
        const double h = width / static_cast<double>(cells_);
        for (std::size_t i = 0; i < cells_; ++i) {
            const double left = low + h * static_cast<double>(i);
            law_.alive_.push_back({left, left + h, std::max(0.0, masses_[i])});
        }
        law_.until_ = tau;
    }

    ExitLaw& law_;
    const Boundary& boundary_;
    std::size_t cells_;
    std::vector<double> masses_;
    std::vector<double> upper_;  // of Thomas' algorithm
};

ExitLaw::ExitLaw(const Boundary& boundary, SolverGrid grid)
    : ExitLaw(boundary, boundary.horizon, grid) {}

ExitLaw::ExitLaw(const Boundary& boundary, double until, SolverGrid grid)
    : boundary_(boundary), until_(std::min(until, boundary.horizon)) {
    Solver(*this, grid).run(grid);
}

template <class Weight>
double ExitLaw::total(const Weight& weight) const {
    double sum = 0;
    for (const Step& step : steps_) {
        sum += step.above * weight(step.upper, step.middle) +
               step.below * weight(step.lower, step.middle);
    }
    for (const Cell& cell : alive_) {
        sum += cell.mass * weight(0.5 * (cell.low + cell.high), until_);
    }
    return sum;
}

template <class Weight>
double ExitLaw::passed(const Weight& weight) const {
    double sum = 0;
    for (const Step& step : steps_) sum += step.above * weight(step.upper, step.middle);
    for (const Cell& cell : alive_) {
        const double share =
            std::clamp((cell.high - boundary_.centre) / (cell.high - cell.low), 0.0, 1.0);
        const double from = std::max(cell.low, std::min(boundary_.centre, cell.high));
        sum += share * cell.mass * weight(0.5 * (from + cell.high), until_);
    }
    return sum;
}

template <class Weight>
double ExitLaw::mean_tau(const Weight& weight) const {
    double sum = 0;
    for (const Step& step : steps_) {
        sum += step.middle * (step.above * weight(step.upper, step.middle) +
                              step.below * weight(step.lower, step.middle));
    }
    for (const Cell& cell : alive_) {
        sum += boundary_.horizon * cell.mass * weight(0.5 * (cell.low + cell.high), until_);
    }
    return sum / total(weight);
}

template <class Weight>
double ExitLaw::quantile(const Weight& weight, double probability) const {
    const double wanted = probability * total(weight);
    double sum = 0;
    for (const Step& step : steps_) {
        sum += step.above * weight(step.upper, step.middle) +
               step.below * weight(step.lower, step.middle);
        if (sum >= wanted) return step.end;
    }
    return boundary_.horizon;
}

/// A wide or distant prior as a sum of drifts. Drifts beyond those that the grid resolves leave at
/// once through the nearer bound.
class ExitLaw::Mixture {
public:
    Mixture(const ExitLaw& law, const Prior& prior) : law_(law), prior_(prior) {
        for (int i = -kFar * kCells; i < kFar * kCells; ++i) {
            const double low = static_cast<double>(i) / kCells;
            const double high = static_cast<double>(i + 1) / kCells;
            const double share = below(high) - below(low);
            const double drift = 0.5 * (low + high);
            if (share < 1e-9) continue;
            nodes_.push_back({drift, share, share / law_.total(DriftWeight{drift})});
        }
    }

    /// Whether PriorWeight would lose its digits for this prior.
    static bool is_needed(const Prior& prior) {
        return prior.sd > 3 || std::fabs(prior.mean) + 3 * prior.sd > kFar;
    }

    /// The central drifts' outcomes; a weight for the sums over outcomes.
    double operator()(double b, double tau) const {
        double sum = 0;
        for (const Node& node : nodes_) {
            sum += node.factor * std::exp(node.drift * (b - 0.5 * node.drift * tau));
        }
        return sum;
    }

    [[nodiscard]] double pass_above(double least) const {
        double sum = 1 - below(std::max<double>(kFar, least));
        for (const Node& node : nodes_) {
            const double low = node.drift - 0.5 / kCells;
            const double high = node.drift + 0.5 / kCells;
            if (high <= least) continue;
            const double share = low >= least ? node.share : below(high) - below(least);
            sum += share * law_.pass_probability(node.drift);
        }
        return std::min(1.0, sum);
    }

    [[nodiscard]] double mean_tau() const {
        double sum = 0;
        for (const Node& node : nodes_) sum += node.share * law_.expected_tau(node.drift);
        constexpr int kStrata = 2000;
        for (int i = 0; i < kStrata; ++i) {
            const double drift = prior_.mean + prior_.sd * normal_quantile((i + 0.5) / kStrata);
            if (std::fabs(drift) <= kFar) continue;
            const double bound = drift > 0 ? law_.boundary_.upper(0) : law_.boundary_.lower(0);
            sum += bound / drift / kStrata;
        }
        return sum;
    }

    [[nodiscard]] double quantile(double probability) const {
        double sum = below(-kFar) + 1 - below(kFar);
        for (const Step& step : law_.steps_) {
            if (sum >= probability) return step.end;
            sum += step.above * (*this)(step.upper, step.middle) +
                   step.below * (*this)(step.lower, step.middle);
            if (sum >= probability) return step.end;
        }
        return law_.boundary_.horizon;
    }

private:
    static constexpr int kFar = 12;
    static constexpr int kCells = 8;  // to a unit of drift

    struct Node {
        double drift = 0;
        double share = 0;
        double factor = 0;  // scales its weights so that they add up to the share
    };

    [[nodiscard]] double below(double drift) const {
        return normal_cdf((drift - prior_.mean) / prior_.sd);
    }

    const ExitLaw& law_;
    Prior prior_;
    std::vector<Node> nodes_;
};

double ExitLaw::pass_probability(double drift) const {
    const DriftWeight weight{drift};
    return std::min(1.0, passed(weight) / total(weight));
}

double ExitLaw::fail_probability(double drift) const {
    const double horizon = boundary_.horizon;
    return std::min(1.0, left_below_by(horizon, drift) + alive_below(boundary_.centre, drift));
}

double ExitLaw::expected_tau(double drift) const {
    return mean_tau(DriftWeight{drift});
}

double ExitLaw::quantile_tau(double drift, double probability) const {
    return quantile(DriftWeight{drift}, probability);
}

double ExitLaw::pass_probability(const Prior& prior) const {
    if (Mixture::is_needed(prior)) return Mixture(*this, prior).pass_above(-HUGE_VAL);
    const PriorWeight weight{prior};
    return std::min(1.0, passed(weight) / total(weight));
}

double ExitLaw::pass_probability_above(const Prior& prior, double least) const {
    if (Mixture::is_needed(prior)) return Mixture(*this, prior).pass_above(least);
    // After an exit at (tau, b) the drift is N((mean + sd^2 b) / (1 + sd^2 tau), sd^2 / (...)).
    const PriorWeight weight{prior};
    const double variance = prior.sd * prior.sd;
    const auto above = [&](double b, double tau) {
        const double spread = 1 + variance * tau;
        const double mean = (prior.mean + variance * b) / spread;
        return weight(b, tau) * normal_cdf((mean - least) * std::sqrt(spread) / prior.sd);
    };
    return std::min(1.0, passed(above) / total(weight));
}

double ExitLaw::expected_tau(const Prior& prior) const {
    if (Mixture::is_needed(prior)) return Mixture(*this, prior).mean_tau();
    return mean_tau(PriorWeight{prior});
}

double ExitLaw::quantile_tau(const Prior& prior, double probability) const {
    if (Mixture::is_needed(prior)) return Mixture(*this, prior).quantile(probability);
    return quantile(PriorWeight{prior}, probability);
}

double ExitLaw::left_by(double tau, double drift, bool above) const {
    const DriftWeight weight{drift};
    double sum = 0;
    double begin = 0;
    for (const Step& step : steps_) {
        if (begin >= tau && begin > 0) break;
        const bool whole = step.end <= tau || step.end <= begin;
        const double share = whole ? 1 : (tau - begin) / (step.end - begin);
        sum += share * (above ? step.above * weight(step.upper, step.middle)
                              : step.below * weight(step.lower, step.middle));
        begin = step.end;
    }
    return std::min(1.0, sum / total(weight));
}

double ExitLaw::left_above_by(double tau, double drift) const {
    return left_by(tau, drift, true);
}

double ExitLaw::left_below_by(double tau, double drift) const {
    return left_by(tau, drift, false);
}

double ExitLaw::alive_below(double level, double drift) const {
    const DriftWeight weight{drift};
    double sum = 0;
    for (const Cell& cell : alive_) {
        if (level <= cell.low) break;
        const double high = std::min(level, cell.high);
        const double share = (high - cell.low) / (cell.high - cell.low);
        sum += share * cell.mass * weight(0.5 * (cell.low + high), until_);
    }
    return std::min(1.0, sum / total(weight));
}

}  // namespace assay::stats
