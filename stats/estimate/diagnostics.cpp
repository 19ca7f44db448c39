// Checks of the assumptions behind a verdict: pairs are independent, alike wherever they were
// played, and their law does not change. Each check compares a figure with what chance alone would
// give, and is meant to be read by a person; none of them changes a verdict.
//
// Openings that recur make pairs dependent. The variance of the mean is then that of sums over
// openings (Liang and Zeger 1986), and its ratio to the variance of independent pairs is the design
// effect. Places (slots, machines) are compared by a chi-square test on lost, even and won pairs;
// rows with fewer than five pairs expected in a cell are left out, since the law of the statistic
// does not hold for them, and the worst cell is found by adjusted residuals (Haberman 1973) with
// Bonferroni's correction over all cells.
//
// Duplicates are counted by a hash of the moves: deterministic programs replay a game they have
// played, and such a pair adds no information. Cost: sorting the pairs.
#include "stats/estimate/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "stats/data/elo.h"
#include "stats/data/normal.h"
#include "stats/data/sample.h"

namespace assay::stats {

namespace {

/// The pair's score in points a game.
double score_of(const ObservedPair& pair) {
    const int half_points = pair.cell / 3 + pair.cell % 3;
    return 0.25 * half_points;
}

/// The first player's score over the pair's two games, in points a game.
double first_player_score(const ObservedPair& pair) {
    const int half_points = pair.cell / 3 + 2 - pair.cell % 3;
    return 0.25 * half_points;
}

double mean_of(std::span<const double> values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values, double mean) {
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// The variance of a game computed from pairs over that from single games, less 1.
double pair_correlation(std::span<const ObservedPair> pairs, double pair_variance) {
    Wdl games;
    for (const ObservedPair& pair : pairs) {
        for (const int result : {pair.cell / 3, pair.cell % 3}) {
            games.wins += result == 2 ? 1 : 0;
            games.draws += result == 1 ? 1 : 0;
            games.losses += result == 0 ? 1 : 0;
        }
    }
    const double game_variance = moments_of(sample_of(games)).variance;
    return game_variance > 0 ? 2 * pair_variance / game_variance - 1 : 0;
}

double lag1_of(std::span<const double> scores, double mean, double variance) {
    if (!(variance > 0)) return 0;
    double sum = 0;
    for (std::size_t i = 1; i < scores.size(); ++i) {
        sum += (scores[i] - mean) * (scores[i - 1] - mean);
    }
    return sum / static_cast<double>(scores.size()) / variance;
}

std::optional<OpeningClusters> openings_of(std::span<const ObservedPair> pairs, double mean,
                                           double variance) {
    // Deviations from the mean, added up within each opening: where they are independent the
    // squares of these sums add up to the variance of single pairs.
    std::map<std::uint32_t, double> sums;
    for (const ObservedPair& pair : pairs) sums[pair.opening] += score_of(pair) - mean;
    if (sums.size() == pairs.size() || sums.size() < 2 || !(variance > 0)) return std::nullopt;
    const double n = static_cast<double>(pairs.size());
    const double k = static_cast<double>(sums.size());
    double squares = 0;
    for (const auto& [opening, sum] : sums) squares += sum * sum;
    const double clustered = k / (k - 1) * squares / (n * n);
    OpeningClusters out;
    out.openings = static_cast<std::int64_t>(sums.size());
    out.design_effect = clustered * n / variance;
    const double half_width = kZ95 * std::sqrt(clustered);
    if (mean - half_width > 0) out.elo_ci95.low = elo_of_score(mean - half_width);
    if (mean + half_width < 1) out.elo_ci95.high = elo_of_score(mean + half_width);
    out.is_needed = out.openings >= 50 && out.design_effect > 1.1;
    return out;
}

FirstMove first_move_of(std::span<const ObservedPair> pairs) {
    std::vector<double> scores;
    for (const ObservedPair& pair : pairs) scores.push_back(first_player_score(pair));
    FirstMove out;
    out.score = mean_of(scores);
    const std::span<const double> all(scores);
    const std::size_t half = scores.size() / 2;
    double error = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto part = i == 0 ? all.first(half) : all.subspan(half);
        out.halves[i] = part.empty() ? out.score : mean_of(part);
        if (!part.empty()) {
            error += variance_of(part, out.halves[i]) / static_cast<double>(part.size());
        }
    }
    if (error > 0) out.z = (out.halves[1] - out.halves[0]) / std::sqrt(error);
    return out;
}

/// Results of a group: lost, even and won pairs.
using Row = std::array<double, 3>;

struct Table {
    std::map<int, Row> rows;
    Row column{};
    double total = 0;

    void sum() {
        column = {};
        total = 0;
        for (const auto& [group, row] : rows) {
            for (std::size_t j = 0; j < row.size(); ++j) column[j] += row[j];
        }
        for (const double count : column) total += count;
    }

    [[nodiscard]] static double row_total(const Row& row) { return row[0] + row[1] + row[2]; }

    [[nodiscard]] double expected(const Row& row, std::size_t j) const {
        return row_total(row) * column[j] / total;
    }

    [[nodiscard]] bool is_thin(const Row& row) const {
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (column[j] > 0 && expected(row, j) < 5) return true;
        }
        return false;
    }
};

/// `group_of` says where a pair was played.
template <class Group>
std::optional<Homogeneity> homogeneity_of(std::span<const ObservedPair> pairs,
                                          const Group& group_of) {
    Table table;
    for (const ObservedPair& pair : pairs) {
        // Half points of the pair: below 2 it is lost, at 2 even.
        const int points = pair.cell / 3 + pair.cell % 3;
        table.rows[group_of(pair)][points < 2 ? 0 : points == 2 ? 1 : 2] += 1;
    }
    table.sum();
    // Removing rows changes the expectations, so that others may become too thin.
    while (std::erase_if(table.rows, [&](const auto& row) { return table.is_thin(row.second); }) >
           0) {
        table.sum();
    }
    const auto columns = std::count_if(table.column.begin(), table.column.end(),
                                       [](double count) { return count > 0; });
    if (table.rows.size() < 2 || columns < 2) return std::nullopt;
    Homogeneity out;
    out.groups = static_cast<int>(table.rows.size());
    out.degrees = (out.groups - 1) * static_cast<int>(columns - 1);
    for (const auto& [group, row] : table.rows) {
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (table.column[j] <= 0) continue;
            const double expected = table.expected(row, j);
            const double gap = row[j] - expected;
            out.chi_square += gap * gap / expected;
            // The gap over its own standard deviation, which is smaller for large rows and columns.
            const double residual =
                gap / std::sqrt(expected * (1 - Table::row_total(row) / table.total) *
                                (1 - table.column[j] / table.total));
            if (std::fabs(residual) > std::fabs(out.worst_residual)) {
                out.worst = group;
                out.worst_residual = residual;
            }
        }
    }
    out.p_value = chi_square_tail(out.chi_square, out.degrees);
    const double cells = static_cast<double>(out.groups) * static_cast<double>(columns);
    out.worst_p_value = std::min(1.0, cells * 2 * normal_cdf(-std::fabs(out.worst_residual)));
    return out;
}

}  // namespace

Diagnostics diagnose(std::span<const ObservedPair> pairs) {
    Diagnostics out;
    out.pairs = static_cast<std::int64_t>(pairs.size());
    if (pairs.empty()) return out;
    std::vector<double> scores;
    std::vector<std::uint64_t> moves;
    for (const ObservedPair& pair : pairs) {
        scores.push_back(score_of(pair));
        moves.push_back(pair.moves);
    }
    const double mean = mean_of(scores);
    const double variance = variance_of(scores, mean);
    out.pair_correlation = pair_correlation(pairs, variance);
    std::sort(moves.begin(), moves.end());
    out.duplicates = moves.end() - std::unique(moves.begin(), moves.end());
    out.lag1 = lag1_of(scores, mean, variance);
    out.is_lag1_flagged = std::fabs(out.lag1) * std::sqrt(static_cast<double>(pairs.size())) > 3.3;
    out.openings = openings_of(pairs, mean, variance);
    out.first_move = first_move_of(pairs);
    out.slots = homogeneity_of(pairs, [](const ObservedPair& pair) { return int{pair.slot}; });
    out.machines =
        homogeneity_of(pairs, [](const ObservedPair& pair) { return int{pair.machine}; });
    return out;
}

double failure_p_value(std::int64_t of_first, std::int64_t of_second) {
    return fair_coin_p_value(static_cast<double>(of_first),
                             static_cast<double>(of_first + of_second));
}

}  // namespace assay::stats
