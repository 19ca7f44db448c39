// A rating list: strengths of many programs from all games at once, their errors, and what may be
// claimed of their order. The strengths come from davidson_model.cpp; this file turns them into
// Elo.
//
// Only differences of strengths are identified. A rating is therefore relative to a reference: the
// anchors, or the mean of the programs that are connected by games. Its error is that of the
// difference to this reference, so that an only anchor has error 0. The scale from strengths to Elo
// depends on the rate of draws, which is estimated too; its error enters by the delta method.
//
// A list invites many comparisons at once, and 95 % intervals for one comparison each would be
// wrong somewhere in most long lists. Bonferroni's correction is too wide, since all differences
// share the same few programs. The factor of the simultaneous intervals is instead the 0.95
// quantile of the greatest |z| over all differences, drawn from the normal law of the errors with
// their correlations (Hothorn, Bretz and Westfall, Simultaneous inference in general parametric
// models, 2008). The ranks that a program may have follow from them: it is below those shown to be
// stronger and above those shown to be weaker (Klein, Wright and Wieczorek 2020). All claims of a
// list together are then right with probability 95 %.
//
// Cost: n^2 for each draw, with fewer draws for long lists: about 1e8 steps, more beyond 200
// programs.
#include "stats/estimate/rating.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/random.h"
#include "stats/data/normal.h"

namespace assay::stats {

namespace {

constexpr double kLeastError = 1e-6;  // in Elo; below it is rounding

const double kEloPerUnit = 400 / std::log(10.0);

Connection connection_of(std::size_t programs, const std::vector<RatedGames>& games,
                         const std::vector<RatedPairs>& pairs) {
    if (programs == 0) throw Error("ratings need at least one program");
    std::vector<std::pair<std::size_t, std::size_t>> took;
    double total = 0;
    const auto add = [&](const RatedGames& row) {
        if (row.first >= programs || row.second >= programs) {
            throw Error("a game names a program that is not in the list");
        }
        if (row.first == row.second) throw Error("a program cannot be rated by games with itself");
        for (const double count : {row.wins, row.draws, row.losses}) {
            if (!(count >= 0 && count <= 1e9)) throw Error("a count must be from 0 to 1000000000");
        }
        if (row.wins + row.draws > 0) took.emplace_back(row.first, row.second);
        if (row.losses + row.draws > 0) took.emplace_back(row.second, row.first);
        total += row.wins + row.draws + row.losses;
    };
    for (const RatedGames& row : games) add(row);
    for (const RatedPairs& row : pairs) {
        for (const RatedGames& half : row.games()) add(half);
    }
    if (total <= 0) throw Error("there are no games to rate");
    return {programs, took};
}

/// Two independent standard normal numbers (Box and Muller 1958).
std::pair<double, double> normal_pair(Random& random) {
    const double radius = std::sqrt(-2 * std::log1p(-random.unit()));
    const double angle = 6.283185307179586 * random.unit();
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

double quantile_95(std::vector<double>& values) {
    const auto rank = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(values.size()));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
}

Interval interval(double value, double half_width, bool has_low, bool has_high) {
    Interval out;
    if (has_low) out.low = value - half_width;
    if (has_high) out.high = value + half_width;
    return out;
}

/// Errors of the programs from N(0, factor factor'); `factor` has a last row for the first move.
std::vector<double> drawn_errors(const Matrix& factor, std::size_t programs, Random& random) {
    std::vector<double> z(programs + 1);
    for (std::size_t i = 0; i < z.size(); i += 2) {
        const auto [one, other] = normal_pair(random);
        z[i] = one;
        if (i + 1 < z.size()) z[i + 1] = other;
    }
    std::vector<double> shift(programs, 0.0);
    for (std::size_t i = 0; i < programs; ++i) {
        for (std::size_t j = 0; j <= i; ++j) shift[i] += factor.at(i, j) * z[j];
    }
    return shift;
}

/// The greatest |z| of all differences that have an error.
double greatest_difference(const std::vector<double>& shift, const Matrix& error) {
    double most = 0;
    for (std::size_t a = 0; a < shift.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (error.at(a, b) <= 0) continue;
            most = std::max(most, std::fabs(shift[a] - shift[b]) / error.at(a, b));
        }
    }
    return most;
}

}  // namespace

RatingTable::RatingTable(std::size_t programs, const std::vector<RatedGames>& games,
                         const RatingSettings& settings)
    : RatingTable(programs, games, {}, settings) {}

RatingTable::RatingTable(std::size_t programs, const std::vector<RatedGames>& games,
                         const std::vector<RatedPairs>& pairs, const RatingSettings& settings)
    : programs_(programs),
      anchor_(settings.anchor),
      connection_(connection_of(programs, games, pairs)),
      fit_(fit_davidson(programs, games, pairs, connection_)),
      covariance_(programs + 1),
      ratings_(programs) {
    for (const RatedGames& row : games) count(row);
    for (const RatedPairs& row : pairs) {
        for (const RatedGames& half : row.games()) count(half);
    }
    set_covariance();
    set_ratings();
    set_criticals(settings);
    set_intervals();
    set_ranks();
}

void RatingTable::count(const RatedGames& row) {
    const double total = row.wins + row.draws + row.losses;
    ratings_[row.first].games += total;
    ratings_[row.second].games += total;
    ratings_[row.first].points += row.wins + 0.5 * row.draws;
    ratings_[row.second].points += row.losses + 0.5 * row.draws;
}

/// By the delta method: Elo = 400/ln 10 * th * 2/(2 + nu), and nu is estimated too.
void RatingTable::set_covariance() {
    const std::size_t nu_at = programs_ + 1;
    const double shrink = 2 / (2 + fit_.nu);
    const double scale = kEloPerUnit * shrink;
    const double by_log_nu = -kEloPerUnit * shrink * fit_.nu / (2 + fit_.nu);
    const auto value_of = [&](std::size_t i) {
        return i < programs_ ? fit_.strength[i] : fit_.eta;
    };
    const Matrix& v = fit_.covariance;
    for (std::size_t i = 0; i <= programs_; ++i) {
        for (std::size_t j = 0; j <= programs_; ++j) {
            const double a = value_of(i) * by_log_nu;
            const double b = value_of(j) * by_log_nu;
            covariance_.at(i, j) = scale * scale * v.at(i, j) + scale * b * v.at(i, nu_at) +
                                   scale * a * v.at(j, nu_at) + a * b * v.at(nu_at, nu_at);
        }
    }
    // The first move's advantage is the last row: it has the same scale as a strength.
    if (!fit_.has_eta) return;
    const double elo = scale * fit_.eta;
    const double error = std::sqrt(std::max(0.0, covariance_.at(programs_, programs_)));
    // Games that are all alike have no spread from which an error could be known.
    const bool is_known = error > kLeastError;
    first_move_ = Estimate{elo, interval(elo, kZ95 * error, is_known, is_known)};
}

std::vector<std::size_t> RatingTable::references_of(std::size_t component) const {
    std::vector<std::size_t> anchors;
    for (const std::size_t program : anchor_.programs) {
        if (program < programs_ && connection_.component_of(program) == component) {
            anchors.push_back(program);
        }
    }
    return anchors.empty() ? connection_.components()[component] : anchors;
}

void RatingTable::set_ratings() {
    const double scale = kEloPerUnit * 2 / (2 + fit_.nu);
    for (std::size_t component = 0; component < connection_.components().size(); ++component) {
        const std::vector<std::size_t> references = references_of(component);
        const double share = 1 / static_cast<double>(references.size());
        double centre = 0;
        for (const std::size_t r : references) centre += share * fit_.strength[r];
        double centre_variance = 0;
        for (const std::size_t r : references) {
            for (const std::size_t q : references) {
                centre_variance += share * share * covariance_.at(r, q);
            }
        }
        for (const std::size_t i : connection_.components()[component]) {
            double with_centre = 0;
            for (const std::size_t r : references) with_centre += share * covariance_.at(i, r);
            const double variance = covariance_.at(i, i) - 2 * with_centre + centre_variance;
            ratings_[i].elo = anchor_.value + scale * (fit_.strength[i] - centre);
            // An only anchor has no error; a remaining variance is rounding.
            const bool is_only_anchor = references.size() == 1 && references.front() == i;
            ratings_[i].error = is_only_anchor ? 0 : std::sqrt(std::max(0.0, variance));
        }
    }
}

double RatingTable::error_of_difference(std::size_t a, std::size_t b) const {
    return std::sqrt(
        std::max(0.0, covariance_.at(a, a) + covariance_.at(b, b) - 2 * covariance_.at(a, b)));
}

Matrix RatingTable::errors_of_differences() const {
    Matrix error(programs_);
    for (std::size_t a = 0; a < programs_; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (connection_.component_of(a) == connection_.component_of(b)) {
                error.at(a, b) = error_of_difference(a, b);
            }
        }
    }
    return error;
}

double RatingTable::greatest_rating(const std::vector<double>& shift, std::size_t component,
                                    const std::vector<std::size_t>& references) const {
    double centre = 0;
    for (const std::size_t r : references) centre += shift[r];
    centre /= static_cast<double>(references.size());
    double most = 0;
    for (const std::size_t i : connection_.components()[component]) {
        if (ratings_[i].error <= 0) continue;
        most = std::max(most, std::fabs(shift[i] - centre) / ratings_[i].error);
    }
    return most;
}

/// Simulates errors N(0, V) and takes the 0.95 quantiles of the greatest |z|, once over all
/// differences and once over all ratings.
void RatingTable::set_criticals(const RatingSettings& settings) {
    Random random(mix64(settings.seed));
    const Matrix factor = semidefinite_factor(covariance_);
    std::vector<std::vector<std::size_t>> references;
    for (std::size_t component = 0; component < connection_.components().size(); ++component) {
        references.push_back(references_of(component));
    }
    const Matrix error = errors_of_differences();
    const double work = static_cast<double>(programs_) * static_cast<double>(programs_);
    const int draws = std::min(settings.draws, std::max(2000, static_cast<int>(1e8 / work)));
    std::vector<double> greatest;
    std::vector<double> greatest_of_ratings;
    for (int draw = 0; draw < draws; ++draw) {
        const std::vector<double> shift = drawn_errors(factor, programs_, random);
        greatest.push_back(greatest_difference(shift, error));
        double most = 0;
        for (std::size_t component = 0; component < references.size(); ++component) {
            most = std::max(most, greatest_rating(shift, component, references[component]));
        }
        greatest_of_ratings.push_back(most);
    }
    // One difference alone needs kZ95; sampling error must not make the factor less than that.
    critical_ = std::max(kZ95, quantile_95(greatest));
    critical_of_ratings_ = std::max(kZ95, quantile_95(greatest_of_ratings));
}

/// An end is open where no chain of results bounds the program against a reference.
void RatingTable::set_intervals() {
    for (std::size_t i = 0; i < programs_; ++i) {
        Rating& rating = ratings_[i];
        bool has_low = true;
        bool has_high = true;
        for (const std::size_t r : references_of(connection_.component_of(i))) {
            has_low = has_low && connection_.reaches(i, r);
            has_high = has_high && connection_.reaches(r, i);
        }
        rating.ci95 = interval(rating.elo, kZ95 * rating.error, has_low, has_high);
        rating.simultaneous95 =
            interval(rating.elo, critical_of_ratings_ * rating.error, has_low, has_high);
    }
}

void RatingTable::set_ranks() {
    for (const auto& members : connection_.components()) {
        for (const std::size_t i : members) {
            ratings_[i].rank_low = 1;
            ratings_[i].rank_high = members.size();
            for (const std::size_t j : members) {
                if (i == j) continue;
                const Interval ends = difference(i, j).simultaneous95;
                // j is shown to be stronger than i, or i than j, or neither is.
                if (ends.high && *ends.high < 0) ++ratings_[i].rank_low;
                if (ends.low && *ends.low > 0) --ratings_[i].rank_high;
            }
        }
    }
}

RatingDifference RatingTable::difference(std::size_t a, std::size_t b) const {
    RatingDifference out;
    if (connection_.component_of(a) != connection_.component_of(b)) {
        out.is_comparable = false;
        return out;
    }
    if (a == b) return out;
    const double gap = fit_.strength[a] - fit_.strength[b];
    out.elo = kEloPerUnit * 2 / (2 + fit_.nu) * gap;
    out.error = error_of_difference(a, b);
    const bool has_low = connection_.reaches(a, b);
    const bool has_high = connection_.reaches(b, a);
    out.ci95 = interval(out.elo, kZ95 * out.error, has_low, has_high);
    out.simultaneous95 = interval(out.elo, critical_ * out.error, has_low, has_high);
    out.los = out.error > 0 ? normal_cdf(out.elo / out.error) : 0.5;
    out.score = 0.5 * (davidson_law(gap + fit_.eta, fit_.nu).score() +
                       davidson_law(gap - fit_.eta, fit_.nu).score());
    return out;
}

}  // namespace assay::stats
