// The model is fitted by davidson_model.cpp; here are the errors of the fit.
//
// The inverse information is right only if the model is, and games of a pair are
// independent. Both fail (openings have biases of their own), so the covariance is the sandwich
// H^-1 M H^-1 with M the sum over clusters of the outer products of their scores (White 1982;
// Liang and Zeger 1986). Games across a one-sided border have scores near zero whatever the truth,
// so that they enter M by their information instead, as do the prior's games and those of programs
// with few clusters.
#include "stats/estimate/davidson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "base/check.h"
#include "stats/estimate/davidson_model.h"

namespace assay::stats {

namespace {

/// The middle of the sandwich.
class Meat {
public:
    Meat(const DavidsonModel& model, const DavidsonParameters& at)
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
        model_.for_each([&](const DavidsonCell& cell, bool is_prior) {
            if (!is_prior && !model_.is_model_based(cell.first, cell.second)) return;
            model_.add_information(matrix_, cell, slope(cell));
        });
    }

    [[nodiscard]] const Matrix& matrix() const { return matrix_; }

    [[nodiscard]] std::int64_t clusters() const { return clusters_; }

private:
    [[nodiscard]] DavidsonSlope slope(const DavidsonCell& cell) const {
        const double u = model_.u_of(at_, cell.first, cell.second, cell.has_side);
        return slope_of(davidson_law(u, nu_), cell.wins, cell.draws, cell.losses);
    }

    static DavidsonCell cell_of(const RatedGames& row) {
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
            const DavidsonCell cell{row.first, row.second, row.has_first_move, win, draw, loss};
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
    const DavidsonParameters& at_;
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
Meat meat_of(DavidsonModel& model, const DavidsonParameters& at,
             const std::vector<RatedGames>& games, const std::vector<RatedPairs>& pairs,
             const Matrix& information) {
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
    DavidsonParameters at = model.fit();
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
