// Ratings from counted pairs, and the ratings computed a second time in another way: by steps along
// one parameter at a time instead of Newton's method, and with derivatives by differences.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "stats/estimate/game_list.h"
#include "stats/estimate/rating.h"

using namespace assay::stats;

namespace {

/// A list of pairs between programs of falling strength; the games of a pair depend on each other.
GameList random_list(std::size_t programs, int pairs, std::uint64_t seed) {
    assay::Random random(assay::mix64(seed));
    GameList list;
    for (std::size_t i = 0; i < programs; ++i)
        list.programs.push_back("program " + std::to_string(i));
    std::int64_t number = 0;
    for (std::size_t a = 0; a < programs; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            for (int pair = 0; pair < pairs; ++pair, ++number) {
                const double bias = 1.5 * (random.unit() - 0.5);
                for (const bool is_second : {false, true}) {
                    ListedGame game;
                    game.first = is_second ? b : a;
                    game.second = is_second ? a : b;
                    const double gap =
                        0.25 * (static_cast<double>(game.second) - static_cast<double>(game.first));
                    const DavidsonLaw law = davidson_law(gap + 0.2 + bias, 1.1);
                    const double x = random.unit();
                    game.half_points = x < law.win ? 2 : x < law.win + law.draw ? 1 : 0;
                    game.pair = number;
                    list.games.push_back(game);
                }
            }
        }
    }
    return list;
}

RatingTable table_of(const RatedCounts& counts, std::size_t programs) {
    RatingSettings settings;
    settings.draws = 500;
    return RatingTable(programs, counts.games, counts.pairs, settings);
}

/// The log-likelihood written down once more: parameters are strengths, eta, ln nu.
double log_likelihood(const std::vector<RatedPairs>& pairs, const std::vector<double>& at) {
    const std::size_t eta = at.size() - 2;
    double sum = 0;
    for (const RatedPairs& row : pairs) {
        for (const RatedGames& half : row.games()) {
            const double u = at[half.first] - at[half.second] + at[eta];
            const double nu = std::exp(at[eta + 1]);
            const double all = std::exp(u / 2) + nu + std::exp(-u / 2);
            sum += half.wins * (u / 2 - std::log(all)) + half.losses * (-u / 2 - std::log(all)) +
                   half.draws * (at[eta + 1] - std::log(all));
        }
    }
    return sum;
}

/// By golden section along each parameter in turn, until nothing moves.
std::vector<double> climb(std::size_t parameters,
                          const std::function<double(const std::vector<double>&)>& value) {
    std::vector<double> at(parameters, 0.0);
    for (int round = 0; round < 80; ++round) {
        double moved = 0;
        for (double& part : at) {
            const double before = part;
            double low = before - 0.5;
            double high = before + 0.5;
            const double ratio = (std::sqrt(5.0) - 1) / 2;
            const auto value_at = [&](double x) {
                part = x;
                return value(at);
            };
            while (high - low > 1e-7) {
                const double left = high - ratio * (high - low);
                const double right = low + ratio * (high - low);
                (value_at(left) < value_at(right) ? low : high) =
                    value_at(left) < value_at(right) ? left : right;
            }
            part = (low + high) / 2;
            moved = std::max(moved, std::fabs(part - before));
        }
        if (moved < 1e-6) break;
    }
    return at;
}

/// The slope of each parameter, exact: sums of results less their expectations.
std::vector<double> slopes(const std::vector<RatedPairs>& pairs, const std::vector<double>& at) {
    const std::size_t eta = at.size() - 2;
    std::vector<double> slope(at.size(), 0.0);
    for (const RatedPairs& row : pairs) {
        for (const RatedGames& half : row.games()) {
            const double games = half.wins + half.draws + half.losses;
            const DavidsonLaw law =
                davidson_law(at[half.first] - at[half.second] + at[eta], std::exp(at[eta + 1]));
            const double surplus = half.wins + half.draws / 2 - games * law.score();
            slope[half.first] += surplus;
            slope[half.second] -= surplus;
            slope[eta] += surplus;
            slope[eta + 1] += half.draws - games * law.draw;
        }
    }
    return slope;
}

/// Each parameter in turn to where its own slope is zero, by bisection: the slopes fall.
std::vector<double> settle(std::size_t parameters, const std::vector<RatedPairs>& pairs) {
    std::vector<double> at(parameters, 0.0);
    for (int round = 0; round < 500; ++round) {
        double moved = 0;
        for (std::size_t i = 0; i < parameters; ++i) {
            const double before = at[i];
            double low = before - 4;
            double high = before + 4;
            for (int step = 0; step < 60; ++step) {
                at[i] = (low + high) / 2;
                (slopes(pairs, at)[i] > 0 ? low : high) = at[i];
            }
            moved = std::max(moved, std::fabs(at[i] - before));
        }
        if (moved < 1e-12) break;
    }
    return at;
}

}  // namespace

TEST_CASE("Rating: counted pairs give what the same pairs give game by game") {
    for (const std::uint64_t seed : {1U, 2U}) {
        const GameList list = random_list(5, 60, seed);
        const RatedCounts counts = rated_counts(list);
        CHECK(counts.pairs.size() == 10);
        CHECK(counts.games.empty());
        RatingSettings settings;
        settings.draws = 500;
        const RatingTable one(5, rated_games(list, "pair"), settings);
        const RatingTable other = table_of(counts, 5);
        CHECK(one.clusters() == other.clusters());
        CHECK(one.critical() == doctest::Approx(other.critical()).epsilon(1e-9));
        for (std::size_t i = 0; i < 5; ++i) {
            const Rating& a = one.ratings()[i];
            const Rating& b = other.ratings()[i];
            CHECK(a.elo == doctest::Approx(b.elo).epsilon(1e-9));
            CHECK(a.error == doctest::Approx(b.error).epsilon(1e-9));
            CHECK(a.games == b.games);
            CHECK(a.points == b.points);
        }
    }
}

TEST_CASE("Rating: games without a partner are counted beside the pairs") {
    GameList list = random_list(3, 30, 4);
    list.games.pop_back();
    for (ListedGame& game : list.games) {
        if (game.pair == list.pairs() - 1 && &game == &list.games.back()) game.pair = -1;
    }
    const RatedCounts counts = rated_counts(list);
    REQUIRE(counts.games.size() == 1);
    CHECK(counts.games[0].wins + counts.games[0].draws + counts.games[0].losses == 1);
    const RatingTable one(3, rated_games(list, "pair"));
    const RatingTable other(3, counts.games, counts.pairs, {});
    CHECK(one.difference(0, 2).elo == doctest::Approx(other.difference(0, 2).elo).epsilon(1e-9));
    CHECK(one.difference(0, 2).error ==
          doctest::Approx(other.difference(0, 2).error).epsilon(1e-9));
}

TEST_CASE("Rating: another optimiser finds the same ratings to 1e-6") {
    const RatedCounts counts = rated_counts(random_list(6, 40, 8));
    const RatingTable table = table_of(counts, 6);
    std::vector<double> at = settle(8, counts.pairs);
    const double mean = std::accumulate(at.begin(), at.begin() + 6, 0.0) / 6;
    const double nu = std::exp(at[7]);
    const double scale = 400 / std::log(10.0) * 2 / (2 + nu);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(std::fabs(table.ratings()[i].elo - scale * (at[i] - mean)) < 1e-6);
    }
    CHECK(std::fabs(*table.first_move()->value - scale * at[6]) < 1e-6);
    CHECK(std::fabs(table.draw_rate() - nu / (2 + nu)) < 1e-9);
    // And one that knows no derivative, as well as it can tell values of this size apart.
    const std::vector<double> climbed =
        climb(8, [&](const std::vector<double>& x) { return log_likelihood(counts.pairs, x); });
    for (std::size_t i = 1; i < 6; ++i) {
        CHECK(std::fabs((climbed[i] - climbed[0]) - (at[i] - at[0])) < 1e-4);
    }
}

TEST_CASE("Rating: the errors of two programs are those of the pairs' mean score") {
    // Between two programs that are about equal the sandwich is the delta method on the mean of
    // pairs: no model is left in it.
    RatedPairs row{0, 1, {12, 20, 31, 25, 60, 30, 33, 24, 15}};
    const RatingTable table(2, {}, {row}, {});
    double mean = 0;
    double square = 0;
    for (std::size_t outcome = 0; outcome < 9; ++outcome) {
        const double score = static_cast<double>(outcome / 3 + outcome % 3) / 4;
        mean += row.counts[outcome] * score / row.pairs();
        square += row.counts[outcome] * score * score / row.pairs();
    }
    const double error = std::sqrt((square - mean * mean) / (row.pairs() - 1));
    CHECK(table.difference(0, 1).score == doctest::Approx(mean).epsilon(1e-9));
    CHECK(table.difference(0, 1).error ==
          doctest::Approx(error * 400 / std::log(10.0) / (mean * (1 - mean))).epsilon(0.01));
}

TEST_CASE("Rating: a published list of three programs, of Ordo and of BayesElo") {
    // 90 games, +24 =6 -0, +18 =9 -3, +18 =9 -3, published with what both programs print
    // (docs/ratings.md). Ordo has 190.1, 0.0, -190.1. It counts a draw as half a win and half a
    // loss, and so do these rows.
    const auto row = [](std::size_t a, std::size_t b, double wins, double draws, double losses) {
        return RatedGames{a, b, wins, draws, losses, -1, false};
    };
    const RatingTable halves(
        3, {row(0, 1, 22.5, 0, 7.5), row(0, 2, 27, 0, 3), row(1, 2, 22.5, 0, 7.5)});
    CHECK(halves.ratings()[0].elo == doctest::Approx(400 * std::log10(3.0)).epsilon(1e-6));
    CHECK(std::fabs(halves.ratings()[0].elo - 190.1) < 1);
    CHECK(std::fabs(halves.ratings()[1].elo) < 1e-6);
    // With draws as draws. BayesElo has 173, 0, -172 of four times the games, with its prior.
    const RatingTable draws(3, {row(0, 1, 18, 9, 3), row(0, 2, 24, 6, 0), row(1, 2, 18, 9, 3)});
    CHECK(draws.ratings()[0].elo == doctest::Approx(195.1435).epsilon(1e-6));
    CHECK(std::fabs(draws.ratings()[0].elo + draws.ratings()[2].elo) < 1e-6);
}

TEST_CASE("Rating: a hundred programs and a million pairs are a few thousand counts") {
    std::vector<RatedPairs> rows;
    assay::Random random(5);
    for (std::size_t a = 0; a < 100; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            RatedPairs row{b, a, {}};
            for (double& count : row.counts) count = static_cast<double>(10 + random.below(25));
            rows.push_back(row);
        }
    }
    double pairs = 0;
    for (const RatedPairs& row : rows) pairs += row.pairs();
    CHECK(pairs > 0.9e6);
    RatingSettings settings;
    settings.draws = 20;
    const RatingTable table(100, {}, rows, settings);
    CHECK(table.clusters() == static_cast<std::int64_t>(pairs));
    double sum = 0;
    for (const Rating& rating : table.ratings()) {
        CHECK(rating.error > 0);
        sum += rating.elo;
    }
    CHECK(std::fabs(sum) < 1e-6);
}

TEST_CASE("Rating: counted pairs out of range are refused") {
    RatedPairs row{0, 1, {}};
    CHECK_THROWS_AS(RatingTable(2, {}, {row}, {}), assay::Error);
    row.counts[4] = -1;
    CHECK_THROWS_AS(RatingTable(2, {}, {row}, {}), assay::Error);
    row.counts[4] = 1;
    row.second = 2;
    CHECK_THROWS_AS(RatingTable(2, {}, {row}, {}), assay::Error);
}
