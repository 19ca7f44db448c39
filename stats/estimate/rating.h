#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "stats/data/connection.h"
#include "stats/data/matrix.h"
#include "stats/estimate/davidson.h"
#include "stats/estimate/estimate.h"

namespace assay::stats {

/// Ratings are given relative to the anchors' mean, which is `value`: without anchors, the mean of
/// each component's programs.
struct RatingAnchor {
    std::vector<std::size_t> programs;
    double value = 0;
};

struct RatingSettings {
    RatingAnchor anchor;
    std::uint64_t seed = 1;  // of the simulated critical values
    int draws = 20'000;      // that they rest on; fewer where there are many programs
};

/// The rating of one program. Elo is the scale of docs/statistics.md section 12: near equality it
/// is logistic Elo of the expected score.
struct Rating {
    double elo = 0;
    double error = 0;  // standard error relative to the anchors' mean
    Interval ci95;     // an end that the results leave open is nullopt
    Interval simultaneous95;
    double games = 0;
    double points = 0;
    std::size_t rank_low = 1;  // within its component, by the simultaneous intervals
    std::size_t rank_high = 1;
};

/// The difference of the ratings of a and b.
struct RatingDifference {
    bool is_comparable = true;  // false: no chain of games connects the two; all else is 0
    double elo = 0;
    double error = 0;
    Interval ci95;
    Interval simultaneous95;
    double los = 0.5;    // P(a is stronger)
    double score = 0.5;  // expected score of a, sides changing
};

/// The Davidson model fitted to all games at once: with u the difference of two strengths and the
/// first-move advantage, win : draw : loss = e^(u/2) : nu : e^(-u/2). docs/statistics.md
/// section 12.
class RatingTable {
public:
    /// Throws Error where there are no programs or no games, an index is out of range, a program
    /// meets itself, or a count is out of range.
    RatingTable(std::size_t programs, const std::vector<RatedGames>& games,
                const RatingSettings& settings = {});

    /// The same of games and of pairs.
    RatingTable(std::size_t programs, const std::vector<RatedGames>& games,
                const std::vector<RatedPairs>& pairs, const RatingSettings& settings);

    [[nodiscard]] const std::vector<Rating>& ratings() const { return ratings_; }

    [[nodiscard]] RatingDifference difference(std::size_t a, std::size_t b) const;

    [[nodiscard]] const Connection& connection() const { return connection_; }

    /// Whether half a win and half a loss against the field were added for the programs of this
    /// component, because their results alone give no finite strengths.
    [[nodiscard]] bool has_prior(std::size_t component) const { return fit_.prior[component]; }

    /// Elo of the first move; nullopt where the games do not determine it (sides unknown, or never
    /// changed).
    [[nodiscard]] const std::optional<Estimate>& first_move() const { return first_move_; }

    /// Whether half a win and half a loss of the first player were added, because one side won
    /// every game.
    [[nodiscard]] bool has_first_move_prior() const { return fit_.has_first_move_prior; }

    /// Chance of a draw between equals, in [0, 1).
    [[nodiscard]] double draw_rate() const { return fit_.nu / (2 + fit_.nu); }

    /// Number of independent units behind the errors: clusters, and games outside of clusters.
    [[nodiscard]] std::int64_t clusters() const { return fit_.clusters; }

    /// The factor of the errors in simultaneous intervals of all differences at once.
    [[nodiscard]] double critical() const { return critical_; }

private:
    void count(const RatedGames& row);
    [[nodiscard]] std::vector<std::size_t> references_of(std::size_t component) const;
    [[nodiscard]] double error_of_difference(std::size_t a, std::size_t b) const;
    /// Of a > b in one component; 0 elsewhere.
    [[nodiscard]] Matrix errors_of_differences() const;
    /// The greatest |z| of a component's ratings, relative to its references.
    [[nodiscard]] double greatest_rating(const std::vector<double>& shift, std::size_t component,
                                         const std::vector<std::size_t>& references) const;
    void set_covariance();
    void set_ratings();
    void set_criticals(const RatingSettings& settings);
    void set_intervals();
    void set_ranks();

    std::size_t programs_;
    RatingAnchor anchor_;
    Connection connection_;
    DavidsonFit fit_;
    Matrix covariance_;  // of the programs' Elo and, last, of the first move's
    double critical_ = 1.96;
    double critical_of_ratings_ = 1.96;
    std::vector<Rating> ratings_;
    std::optional<Estimate> first_move_;
};

}  // namespace assay::stats
