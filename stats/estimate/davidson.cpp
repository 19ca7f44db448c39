// The log-likelihood is concave in (strengths, eta, ln nu), so that Newton's method with step
// halving finds its maximum wherever there is one. There is none at finite values where the results
// are one-sided: where a group of programs never took a point from another one, and in rarer
// cases that involve the first move or the draws and show only in the parameters' running away.
// Both get half a win and half a loss against the field, a program of strength 0.
//
// Errors: the inverse information is right only if the model is, and games of a pair are
// independent. Both fail (openings have biases of their own), so the covariance is the sandwich
// H^-1 M H^-1 with M the sum over clusters of the outer products of their scores (White 1982;
// Liang and Zeger 1986). Games across a one-sided border have scores near zero whatever the truth,
// so that they enter M by their information instead, as do the prior's games and those of programs
// with few clusters.
#include "stats/estimate/davidson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "base/check.h"

namespace assay::stats {

namespace {

/// All games of one kind: who was first, who second, and whether sides are known.
struct Cell {
    std::size_t first = 0;
    std::size_t second = 0;
    bool has_side = true;
    double wins = 0;
    double draws = 0;
    double losses = 0;

    [[nodiscard]] double games() const { return wins + draws + losses; }
};

/// Parameters are numbered: the strengths, then n for eta and n + 1 for ln nu. The field, the
/// opponent of the prior's games, has no number.
constexpr std::size_t kField = static_cast<std::size_t>(-1);

struct Slope {
    double u = 0;       // derivative of the log-likelihood by u
    double log_nu = 0;  // and by ln nu
    double uu = 0;      // minus the second derivatives
    double u_log_nu = 0;
    double nu_nu = 0;
};

Slope slope_of(const DavidsonLaw& law, double wins, double draws, double losses) {
    const double games = wins + draws + losses;
    const double mean = 0.5 * (law.win - law.loss);
    return {0.5 * (wins - losses) - games * mean, draws - games * law.draw,
            games * (0.25 * (law.win + law.loss) - mean * mean), -games * mean * law.draw,
            games * law.draw * (1 - law.draw)};
}

/// ln of the sum e^(u/2) + nu + e^(-u/2).
double log_sum(double u, double nu) {
    const double top = 0.5 * std::fabs(u);
    return top + std::log1p(nu * std::exp(-top) + std::exp(-2 * top));
}

struct Parameters {
    std::vector<double> strength;
    double eta = 0;
    double log_nu = 0;
};

class DavidsonModel {
public:
    DavidsonModel(std::size_t programs, const std::vector<RatedGames>& games,
                  const std::vector<RatedPairs>& pairs, const Connection& connection)
        : programs_(programs), connection_(connection), prior_(connection.components().size()) {
        std::map<std::tuple<std::size_t, std::size_t, bool>, Cell> cells;
        const auto add = [&cells](const RatedGames& row) {
            Cell& cell = cells[{row.first, row.second, row.has_first_move}];
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
        for (const Cell& cell : cells_) draws_ += cell.draws;
        for (const Cell& cell : cells_) games_ += cell.games();
        has_eta_ = tells_first_move();
        for (std::size_t i = 0; i < prior_.size(); ++i) {
            prior_[i] = connection.components()[i].size() > 1 && !connection.is_strong(i);
        }
        if (draws_ == games_) std::fill(prior_.begin(), prior_.end(), true);
    }

    /// Fits the model, and adds more of the prior until the parameters stay finite.
    [[nodiscard]] Parameters fit() {
        std::optional<Parameters> found = newton();
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

    [[nodiscard]] bool has_eta() const { return has_eta_; }

    [[nodiscard]] bool has_nu() const { return draws_ > 0; }

    [[nodiscard]] const std::vector<bool>& prior() const { return prior_; }

    [[nodiscard]] bool first_move_prior() const { return first_move_prior_; }

    [[nodiscard]] std::size_t size() const { return programs_ + 2; }

    /// Whether the errors of these games come from the model rather than from their scores.
    [[nodiscard]] bool is_model_based(std::size_t a, std::size_t b) const {
        return is_model_based_ || !connection_.is_bounded(a, b) ||
               (!is_thin_.empty() && (is_thin_[a] || is_thin_[b]));
    }

    /// Programs with too few clusters, or too equal ones, for an error from their scatter.
    void set_thin(std::vector<bool> programs) { is_thin_ = std::move(programs); }

    [[nodiscard]] double u_of(const Parameters& at, std::size_t first, std::size_t second,
                              bool has_side) const {
        const double a = first == kField ? 0 : at.strength[first];
        const double b = second == kField ? 0 : at.strength[second];
        return a - b + (has_side && has_eta_ ? at.eta : 0);
    }

    [[nodiscard]] double nu_of(const Parameters& at) const {
        return has_nu() ? std::exp(at.log_nu) : 0;
    }

    /// Every kind of games, the prior's included, with a flag for those.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const Cell& cell : cells_) visit(cell, false);
        for (std::size_t i = 0; i < programs_; ++i) {
            if (prior_[connection_.component_of(i)]) visit(Cell{i, kField, false, .5, 0, .5}, true);
        }
        if (first_move_prior_) visit(Cell{kField, kField, true, .5, 0, .5}, true);
    }

    /// Adds the information of games at u to `matrix`.
    void add_information(Matrix& matrix, const Cell& cell, const Slope& slope) const {
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

    /// Adds the first derivatives of games to `gradient`.
    void add_gradient(std::vector<double>& gradient, const Cell& cell, const Slope& slope) const {
        const auto [at, sign, count] = indices_of(cell);
        for (std::size_t i = 0; i < count; ++i) gradient[at[i]] += sign[i] * slope.u;
        if (has_nu()) gradient[programs_ + 1] += slope.log_nu;
    }

    /// Minus the second derivatives, made regular. The games do not determine the zero of a
    /// component's strengths; no gradient points in that direction, so that any value on it may be
    /// added. Parameters that are not fitted have a 1 on the diagonal.
    [[nodiscard]] Matrix information(const Parameters& at) const {
        Matrix matrix(size());
        for_each([&](const Cell& cell, bool /*is_prior*/) {
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

private:
    struct Indices {
        std::array<std::size_t, 3> at{};
        std::array<double, 3> sign{};
        std::size_t count = 0;
    };

    [[nodiscard]] Indices indices_of(const Cell& cell) const {
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

    /// Whether the games separate the first move's advantage from the strengths: no strengths alone
    /// would explain a constant shift of all first players.
    [[nodiscard]] bool tells_first_move() const {
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
        for (const Cell& cell : cells_) {
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

    [[nodiscard]] double value(const Parameters& at) const {
        double sum = 0;
        const double nu = nu_of(at);
        for_each([&](const Cell& cell, bool /*is_prior*/) {
            const double u = u_of(at, cell.first, cell.second, cell.has_side);
            sum += 0.5 * u * (cell.wins - cell.losses) - cell.games() * log_sum(u, nu);
            if (cell.draws > 0) sum += cell.draws * at.log_nu;
        });
        return sum;
    }

    /// Nullopt where the parameters diverge or the steps do not converge.
    [[nodiscard]] std::optional<Parameters> newton() const {
        Parameters at{std::vector<double>(programs_, 0.0), 0, 0};
        if (has_nu()) {
            at.log_nu = std::log(2 * std::max(draws_, 0.5) / std::max(games_ - draws_, 0.5));
        }
        double best = value(at);
        for (int step = 0; step < 200; ++step) {
            std::vector<double> gradient(size(), 0.0);
            for_each([&](const Cell& cell, bool /*is_prior*/) {
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
            const std::optional<Parameters> next = better(at, move, best);
            if (!next) {
                return decrement < 1e-8 ? settled(at, *inverted) : std::nullopt;
            }
            at = *next;
            if (!is_model_based_ && has_run_away(at)) return std::nullopt;
        }
        return std::nullopt;
    }

    /// Halves the step until the likelihood rises; updates `best`.
    [[nodiscard]] std::optional<Parameters> better(const Parameters& from,
                                                   const std::vector<double>& move,
                                                   double& best) const {
        double greatest = 0;
        for (const double part : move) greatest = std::max(greatest, std::fabs(part));
        double length = greatest > 3 ? 3 / greatest : 1;
        for (int halving = 0; halving < 40; ++halving, length *= 0.5) {
            Parameters to = from;
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

    /// Whether the maximum is at infinity: the likelihood is then flat where the steps end, whereas
    /// a parameter that is bounded by results has a variance of at most about 10.
    [[nodiscard]] std::optional<Parameters> settled(const Parameters& at,
                                                    const Matrix& variance) const {
        if (is_model_based_) return at;
        for (std::size_t i = 0; i < size(); ++i) {
            if (variance.at(i, i) > 1e3) return std::nullopt;
        }
        return at;
    }

    /// 25 in natural units is 4300 Elo: no possible number of games could determine it.
    [[nodiscard]] bool has_run_away(const Parameters& at) const {
        constexpr double kFar = 25;
        if (std::fabs(at.eta) > kFar || std::fabs(at.log_nu) > kFar) return true;
        return std::any_of(cells_.begin(), cells_.end(), [&](const Cell& cell) {
            return std::fabs(at.strength[cell.first] - at.strength[cell.second]) > 2 * kFar;
        });
    }

    std::size_t programs_;
    const Connection& connection_;
    std::vector<Cell> cells_;
    std::vector<bool> prior_;
    double draws_ = 0;
    double games_ = 0;
    bool has_eta_ = false;
    bool first_move_prior_ = false;
    bool is_model_based_ = false;
    std::vector<bool> is_thin_;
};

/// The middle of the sandwich.
class Meat {
public:
    Meat(const DavidsonModel& model, const Parameters& at)
        : model_(model),
          at_(at),
          nu_(model.nu_of(at)),
          matrix_(model.size()),
          score_(model.size(), 0.0) {}

    void add(std::vector<RatedGames> games, const std::vector<RatedPairs>& pairs) {
        std::stable_sort(games.begin(), games.end(), [](const RatedGames& a, const RatedGames& b) {
            return a.cluster < b.cluster;
        });
        std::size_t begin = 0;
        while (begin < games.size()) {
            std::size_t end = begin + 1;
            if (games[begin].cluster >= 0) {
                while (end < games.size() && games[end].cluster == games[begin].cluster) ++end;
                add_cluster(games.data() + begin, games.data() + end);
            } else {
                add_single(games[begin]);
            }
            begin = end;
        }
        for (const RatedPairs& row : pairs) add_pairs(row);
        const double k = static_cast<double>(clusters_);
        if (clusters_ > 1) scale(k / (k - 1));
        model_.for_each([&](const Cell& cell, bool is_prior) {
            if (!is_prior && !model_.is_model_based(cell.first, cell.second)) return;
            model_.add_information(matrix_, cell, slope(cell));
        });
    }

    [[nodiscard]] const Matrix& matrix() const { return matrix_; }

    [[nodiscard]] std::int64_t clusters() const { return clusters_; }

private:
    [[nodiscard]] Slope slope(const Cell& cell) const {
        const double u = model_.u_of(at_, cell.first, cell.second, cell.has_side);
        return slope_of(davidson_law(u, nu_), cell.wins, cell.draws, cell.losses);
    }

    static Cell cell_of(const RatedGames& row) {
        return {row.first, row.second, row.has_first_move, row.wins, row.draws, row.losses};
    }

    void add_cluster(const RatedGames* begin, const RatedGames* end) {
        std::vector<std::size_t> touched{model_.size() - 2, model_.size() - 1};
        for (const RatedGames* row = begin; row != end; ++row) {
            if (model_.is_model_based(row->first, row->second)) continue;
            model_.add_gradient(score_, cell_of(*row), slope(cell_of(*row)));
            touched.push_back(row->first);
            touched.push_back(row->second);
        }
        ++clusters_;
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (const std::size_t i : touched) {
            for (const std::size_t j : touched) matrix_.at(i, j) += score_[i] * score_[j];
        }
        for (const std::size_t i : touched) score_[i] = 0;
    }

    /// Equal pairs have equal scores: each of the nine outcomes is added once, times its count.
    void add_pairs(const RatedPairs& row) {
        clusters_ += static_cast<std::int64_t>(row.pairs());
        if (model_.is_model_based(row.first, row.second)) return;
        for (std::size_t outcome = 0; outcome < row.counts.size(); ++outcome) {
            if (row.counts[outcome] <= 0) continue;
            RatedPairs one{row.first, row.second, {}, row.swaps_sides};
            one.counts[outcome] = 1;
            for (const RatedGames& game : one.games()) {
                model_.add_gradient(score_, cell_of(game), slope(cell_of(game)));
            }
            add_products(row.first, row.second, row.counts[outcome]);
        }
    }

    /// Adds the score of a cluster of two programs' games, and clears it.
    void add_products(std::size_t first, std::size_t second, double count) {
        const std::array<std::size_t, 4> touched{first, second, model_.size() - 2,
                                                 model_.size() - 1};
        for (const std::size_t i : touched) {
            for (const std::size_t j : touched) matrix_.at(i, j) += count * score_[i] * score_[j];
        }
        for (const std::size_t i : touched) score_[i] = 0;
    }

    /// Independent games: each result is a unit of its own.
    void add_single(const RatedGames& row) {
        clusters_ += static_cast<std::int64_t>(row.wins + row.draws + row.losses);
        if (model_.is_model_based(row.first, row.second)) return;
        for (const auto& [win, draw, loss, count] :
             {std::tuple{1., 0., 0., row.wins}, std::tuple{0., 1., 0., row.draws},
              std::tuple{0., 0., 1., row.losses}}) {
            if (count <= 0) continue;
            const Cell cell{row.first, row.second, row.has_first_move, win, draw, loss};
            model_.add_gradient(score_, cell, slope(cell));
            add_products(row.first, row.second, count);
        }
    }

    void scale(double factor) {
        for (std::size_t i = 0; i < matrix_.size(); ++i) {
            for (std::size_t j = 0; j < matrix_.size(); ++j) matrix_.at(i, j) *= factor;
        }
    }

    const DavidsonModel& model_;
    const Parameters& at_;
    double nu_;
    Matrix matrix_;
    std::vector<double> score_;
    std::int64_t clusters_ = 0;
};

/// Programs with fewer than ten clusters: the scatter of so few scores can have any size by chance,
/// and it is 0 with one cluster.
std::vector<bool> thin_programs(std::size_t programs, const std::vector<RatedGames>& games,
                                const std::vector<RatedPairs>& pairs) {
    constexpr std::size_t kFewest = 10;
    std::vector<std::set<std::int64_t>> clusters(programs);
    std::vector<double> count(programs, 0.0);
    for (const RatedGames& row : games) {
        for (const std::size_t program : {row.first, row.second}) {
            if (row.cluster < 0) {
                count[program] += row.wins + row.draws + row.losses;
            } else if (clusters[program].size() < kFewest &&
                       clusters[program].insert(row.cluster).second) {
                ++count[program];
            }
        }
    }
    for (const RatedPairs& row : pairs) {
        count[row.first] += row.pairs();
        count[row.second] += row.pairs();
    }
    std::vector<bool> thin(programs);
    for (std::size_t i = 0; i < programs; ++i) thin[i] = count[i] < static_cast<double>(kFewest);
    return thin;
}

/// The middle of the sandwich. It comes from the model where the scores of the clusters say too
/// little: there are too few of them, or nearly all are equal.
Meat meat_of(DavidsonModel& model, const Parameters& at, const std::vector<RatedGames>& games,
             const std::vector<RatedPairs>& pairs, const Matrix& information) {
    constexpr double kLeastScatter = 0.02;  // of what the model expects
    std::vector<bool> thin = thin_programs(model.size() - 2, games, pairs);
    model.set_thin(thin);
    Meat meat(model, at);
    meat.add(games, pairs);
    bool is_same = true;
    for (std::size_t i = 0; i < thin.size(); ++i) {
        if (thin[i] || meat.matrix().at(i, i) >= kLeastScatter * information.at(i, i)) continue;
        thin[i] = true;
        is_same = false;
    }
    if (is_same) return meat;
    model.set_thin(thin);
    Meat again(model, at);
    again.add(games, pairs);
    return again;
}

/// `result`: 0 lost, 1 drawn, 2 won.
void count_game(RatedGames& row, std::size_t result, double count) {
    (result == 2 ? row.wins : result == 1 ? row.draws : row.losses) += count;
}

void clear_row(Matrix& matrix, std::size_t index) {
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        matrix.at(i, index) = 0;
        matrix.at(index, i) = 0;
    }
}

}  // namespace

DavidsonLaw davidson_law(double u, double nu) {
    // By the greater of the two exponentials, against overflow.
    const double small = std::exp(-std::fabs(u));
    const double draw = nu * std::exp(-0.5 * std::fabs(u));
    const double sum = 1 + draw + small;
    DavidsonLaw law{1 / sum, draw / sum, small / sum};
    if (u < 0) std::swap(law.win, law.loss);
    return law;
}

double RatedPairs::pairs() const {
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

std::array<RatedGames, 2> RatedPairs::games() const {
    RatedGames one{first, second};
    RatedGames other = one;
    if (swaps_sides) std::swap(other.first, other.second);
    for (std::size_t outcome = 0; outcome < counts.size(); ++outcome) {
        count_game(one, outcome / 3, counts[outcome]);
        count_game(other, swaps_sides ? 2 - outcome % 3 : outcome % 3, counts[outcome]);
    }
    return {one, other};
}

DavidsonFit fit_davidson(std::size_t programs, const std::vector<RatedGames>& games,
                         const std::vector<RatedPairs>& pairs, const Connection& connection) {
    DavidsonModel model(programs, games, pairs, connection);
    Parameters at = model.fit();
    DavidsonFit fit;
    fit.covariance = Matrix(model.size());
    const Matrix information = model.information(at);
    const Meat meat = meat_of(model, at, games, pairs, information);
    const std::optional<Matrix> bread = inverse(information);
    ASSAY_CHECK(bread.has_value());
    fit.covariance = product(product(*bread, meat.matrix()), *bread);
    if (!model.has_eta()) clear_row(fit.covariance, programs);
    if (!model.has_nu()) clear_row(fit.covariance, programs + 1);
    for (const auto& members : connection.components()) {
        double mean = 0;
        for (const std::size_t i : members) mean += at.strength[i];
        mean /= static_cast<double>(members.size());
        for (const std::size_t i : members) at.strength[i] -= mean;
    }
    fit.strength = std::move(at.strength);
    fit.eta = at.eta;
    fit.nu = model.nu_of(at);
    fit.has_eta = model.has_eta();
    fit.prior = model.prior();
    fit.has_first_move_prior = model.first_move_prior();
    fit.clusters = meat.clusters();
    return fit;
}

}  // namespace assay::stats
