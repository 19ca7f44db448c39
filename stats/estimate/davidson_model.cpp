// The log-likelihood is concave in (strengths, eta, ln nu), so that Newton's method with step
// halving finds its maximum wherever there is one. There is none at finite values where the results
// are one-sided: where a group of programs never took a point from another one, and in rarer
// cases that involve the first move or the draws and show only in the parameters' running away.
// Both get half a win and half a loss against the field, a program of strength 0.
#include "stats/estimate/davidson_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "base/check.h"

namespace assay::stats {

namespace {

/// ln of the sum e^(u/2) + nu + e^(-u/2).
double log_sum(double u, double nu) {
    const double top = 0.5 * std::fabs(u);
    return top + std::log1p(nu * std::exp(-top) + std::exp(-2 * top));
}

}  // namespace

DavidsonSlope slope_of(const DavidsonLaw& law, double wins, double draws, double losses) {
    const double games = wins + draws + losses;
    const double mean = 0.5 * (law.win - law.loss);
    return {0.5 * (wins - losses) - games * mean, draws - games * law.draw,
            games * (0.25 * (law.win + law.loss) - mean * mean), -games * mean * law.draw,
            games * law.draw * (1 - law.draw)};
}

DavidsonModel::DavidsonModel(std::size_t programs, const std::vector<RatedGames>& games,
                             const std::vector<RatedPairs>& pairs, const Connection& connection)
    : programs_(programs), connection_(connection), prior_(connection.components().size()) {
    std::map<std::tuple<std::size_t, std::size_t, bool>, DavidsonCell> cells;
    const auto add = [&cells](const RatedGames& row) {
        DavidsonCell& cell = cells[{row.first, row.second, row.has_first_move}];
        cell.first = row.first;
        cell.second = row.second;
        cell.has_side = row.has_first_move;
        cell.wins += row.wins;
        cell.draws += row.draws;
        cell.losses += row.losses;
    };
    for (const RatedGames& row : games) add(row);
    for (const RatedPairs& row : pairs) {
        for (const RatedGames& half : row.games()) add(half);
    }
    for (const auto& [key, cell] : cells) cells_.push_back(cell);
    for (const DavidsonCell& cell : cells_) draws_ += cell.draws;
    for (const DavidsonCell& cell : cells_) games_ += cell.games();
    has_eta_ = tells_first_move();
    for (std::size_t i = 0; i < prior_.size(); ++i) {
        prior_[i] = connection.components()[i].size() > 1 && !connection.is_strong(i);
    }
    if (draws_ == games_) std::fill(prior_.begin(), prior_.end(), true);
}

DavidsonParameters DavidsonModel::fit() {
    std::optional<DavidsonParameters> found = newton();
    if (found) return *found;
    if (has_eta_) {
        first_move_prior_ = true;
        found = newton();
        if (found) return *found;
    }
    std::fill(prior_.begin(), prior_.end(), true);
    is_model_based_ = true;
    found = newton();
    ASSAY_CHECK(found.has_value());
    return *found;
}

bool DavidsonModel::is_model_based(std::size_t a, std::size_t b) const {
    return is_model_based_ || !connection_.is_bounded(a, b) ||
           (!is_thin_.empty() && (is_thin_[a] || is_thin_[b]));
}

double DavidsonModel::u_of(const DavidsonParameters& at, std::size_t first, std::size_t second,
                           bool has_side) const {
    const double a = first == kField ? 0 : at.strength[first];
    const double b = second == kField ? 0 : at.strength[second];
    return a - b + (has_side && has_eta_ ? at.eta : 0);
}

double DavidsonModel::nu_of(const DavidsonParameters& at) const {
    return has_nu() ? std::exp(at.log_nu) : 0;
}

void DavidsonModel::add_information(Matrix& matrix, const DavidsonCell& cell,
                                    const DavidsonSlope& slope) const {
    const auto [at, sign, count] = indices_of(cell);
    const std::size_t nu = programs_ + 1;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            matrix.at(at[i], at[j]) += sign[i] * sign[j] * slope.uu;
        }
        if (!has_nu()) continue;
        matrix.at(at[i], nu) += sign[i] * slope.u_log_nu;
        matrix.at(nu, at[i]) += sign[i] * slope.u_log_nu;
    }
    if (has_nu()) matrix.at(nu, nu) += slope.nu_nu;
}

void DavidsonModel::add_gradient(std::vector<double>& gradient, const DavidsonCell& cell,
                                 const DavidsonSlope& slope) const {
    const auto [at, sign, count] = indices_of(cell);
    for (std::size_t i = 0; i < count; ++i) gradient[at[i]] += sign[i] * slope.u;
    if (has_nu()) gradient[programs_ + 1] += slope.log_nu;
}

Matrix DavidsonModel::information(const DavidsonParameters& at) const {
    Matrix matrix(size());
    for_each([&](const DavidsonCell& cell, bool /*is_prior*/) {
        const DavidsonLaw law =
            davidson_law(u_of(at, cell.first, cell.second, cell.has_side), nu_of(at));
        add_information(matrix, cell, slope_of(law, cell.wins, cell.draws, cell.losses));
    });
    for (std::size_t component = 0; component < prior_.size(); ++component) {
        if (prior_[component]) continue;  // the field is its zero
        const std::vector<std::size_t>& members = connection_.components()[component];
        // On the scale of the games, so that the matrix stays well conditioned.
        double scale = 0;
        for (const std::size_t i : members) scale += matrix.at(i, i);
        const double n = static_cast<double>(members.size());
        scale = scale > 0 ? scale / (n * n) : 1;
        for (const std::size_t i : members) {
            for (const std::size_t j : members) matrix.at(i, j) += scale;
        }
    }
    if (!has_eta_) matrix.at(programs_, programs_) = 1;
    if (!has_nu()) matrix.at(programs_ + 1, programs_ + 1) = 1;
    return matrix;
}

DavidsonModel::Indices DavidsonModel::indices_of(const DavidsonCell& cell) const {
    Indices out;
    const auto add = [&](std::size_t index, double sign) {
        out.at[out.count] = index;
        out.sign[out.count++] = sign;
    };
    if (cell.first != kField) add(cell.first, 1);
    if (cell.second != kField) add(cell.second, -1);
    if (cell.has_side && has_eta_) add(programs_, 1);
    return out;
}

bool DavidsonModel::tells_first_move() const {
    std::vector<std::size_t> root(programs_);
    std::iota(root.begin(), root.end(), std::size_t{0});
    std::vector<double> offset(programs_, 0);  // potential relative to the root
    const auto find = [&](std::size_t program) {
        double sum = 0;
        while (root[program] != program) {
            sum += offset[program];
            program = root[program];
        }
        return std::pair{program, sum};
    };
    for (const DavidsonCell& cell : cells_) {
        if (cell.games() <= 0) continue;
        const double wanted = cell.has_side ? 1 : 0;
        const auto [a, of_a] = find(cell.first);
        const auto [b, of_b] = find(cell.second);
        if (a == b) {
            if (std::fabs(of_a - of_b - wanted) > 0.5) return true;
            continue;
        }
        root[a] = b;
        offset[a] = wanted + of_b - of_a;
    }
    return false;
}

double DavidsonModel::value(const DavidsonParameters& at) const {
    double sum = 0;
    const double nu = nu_of(at);
    for_each([&](const DavidsonCell& cell, bool /*is_prior*/) {
        const double u = u_of(at, cell.first, cell.second, cell.has_side);
        sum += 0.5 * u * (cell.wins - cell.losses) - cell.games() * log_sum(u, nu);
        if (cell.draws > 0) sum += cell.draws * at.log_nu;
    });
    return sum;
}

std::optional<DavidsonParameters> DavidsonModel::newton() const {
    DavidsonParameters at{std::vector<double>(programs_, 0.0), 0, 0};
    if (has_nu()) {
        at.log_nu = std::log(2 * std::max(draws_, 0.5) / std::max(games_ - draws_, 0.5));
    }
    double best = value(at);
    for (int step = 0; step < 200; ++step) {
        std::vector<double> gradient(size(), 0.0);
        for_each([&](const DavidsonCell& cell, bool /*is_prior*/) {
            const DavidsonLaw law =
                davidson_law(u_of(at, cell.first, cell.second, cell.has_side), nu_of(at));
            add_gradient(gradient, cell, slope_of(law, cell.wins, cell.draws, cell.losses));
        });
        const std::optional<Matrix> inverted = inverse(information(at));
        if (!inverted) return std::nullopt;
        const std::vector<double> move = product(*inverted, gradient);
        double decrement = 0;  // twice the gain that the quadratic model promises
        for (std::size_t i = 0; i < size(); ++i) decrement += move[i] * gradient[i];
        if (decrement < 1e-20 * games_ + 1e-18) return settled(at, *inverted);
        const std::optional<DavidsonParameters> next = better(at, move, best);
        if (!next) {
            return decrement < 1e-8 ? settled(at, *inverted) : std::nullopt;
        }
        at = *next;
        if (!is_model_based_ && has_run_away(at)) return std::nullopt;
    }
    return std::nullopt;
}

std::optional<DavidsonParameters> DavidsonModel::better(const DavidsonParameters& from,
                                                        const std::vector<double>& move,
                                                        double& best) const {
    double greatest = 0;
    for (const double part : move) greatest = std::max(greatest, std::fabs(part));
    double length = greatest > 3 ? 3 / greatest : 1;
    for (int halving = 0; halving < 40; ++halving, length *= 0.5) {
        DavidsonParameters to = from;
        for (std::size_t i = 0; i < programs_; ++i) to.strength[i] += length * move[i];
        if (has_eta_) to.eta += length * move[programs_];
        if (has_nu()) to.log_nu += length * move[programs_ + 1];
        const double reached = value(to);
        if (!(reached > best)) continue;
        best = reached;
        return to;
    }
    return std::nullopt;
}

std::optional<DavidsonParameters> DavidsonModel::settled(const DavidsonParameters& at,
                                                         const Matrix& variance) const {
    if (is_model_based_) return at;
    for (std::size_t i = 0; i < size(); ++i) {
        if (variance.at(i, i) > 1e3) return std::nullopt;
    }
    return at;
}

bool DavidsonModel::has_run_away(const DavidsonParameters& at) const {
    constexpr double kFar = 25;
    if (std::fabs(at.eta) > kFar || std::fabs(at.log_nu) > kFar) return true;
    return std::any_of(cells_.begin(), cells_.end(), [&](const DavidsonCell& cell) {
        return std::fabs(at.strength[cell.first] - at.strength[cell.second]) > 2 * kFar;
    });
}

}  // namespace assay::stats
