#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/data/connection.h"
#include "stats/data/matrix.h"

namespace assay::stats {

/// Games between two programs of a list, from the point of view of the first-named.
struct RatedGames {
    std::size_t first = 0;
    std::size_t second = 0;
    double wins = 0;  // counts in [0, 1e9]
    double draws = 0;
    double losses = 0;
    /// Games of equal cluster (a pair, an opening) are not independent. Below 0: each game is.
    std::int64_t cluster = -1;
    /// Whether the first-named had the first move in all of them; else sides are not known.
    bool has_first_move = true;
};

/// Pairs of games between two programs: as a rule one opening, played with either of them first.
/// The games of a pair are not independent, those of different pairs are. Counted, so that the cost
/// of ratings does not grow with the number of games.
struct RatedPairs {
    std::size_t first = 0;
    std::size_t second = 0;
    /// Counts in [0, 1e9], by what the first-named scored (0 lost, 1 drawn, 2 won): 3 * (in the
    /// game in which it had the first move) + (in the other one).
    std::array<double, 9> counts{};
    /// False: sides stayed, the first-named had the first move in both games.
    bool swaps_sides = true;

    [[nodiscard]] double pairs() const;

    /// The first games and the second ones, each from the point of view of who had the first move.
    [[nodiscard]] std::array<RatedGames, 2> games() const;
};

/// Largest likelihood of the Davidson model (1970) with first-move advantage: for u = strength of
/// the first - strength of the second + eta, win : draw : loss = e^(u/2) : nu : e^(-u/2).
/// docs/statistics.md section 12.
struct DavidsonFit {
    std::vector<double> strength;  // mean 0 in each component
    double eta = 0;
    double nu = 0;                      // 0 where no game was drawn
    bool has_eta = false;               // the games tell it
    std::vector<bool> prior;            // by component: half a win and half a loss a program
    bool has_first_move_prior = false;  // half a game won and half lost by the first player
    std::int64_t clusters = 0;          // independent units
    /// Of the strengths, eta and ln nu, in this order; zero for a parameter that was not fitted.
    Matrix covariance{0};
};

/// REQUIRES: indices in range, counts finite and not negative, at least one game.
[[nodiscard]] DavidsonFit fit_davidson(std::size_t programs, const std::vector<RatedGames>& games,
                                       const std::vector<RatedPairs>& pairs,
                                       const Connection& connection);

/// Win, draw and loss chances of the first at u.
struct DavidsonLaw {
    double win = 0;
    double draw = 0;
    double loss = 0;

    [[nodiscard]] double score() const { return win + 0.5 * draw; }
};

[[nodiscard]] DavidsonLaw davidson_law(double u, double nu);

}  // namespace assay::stats
