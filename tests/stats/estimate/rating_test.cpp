#include "stats/estimate/rating.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "stats/data/elo.h"

using namespace assay::stats;

namespace {

struct Tournament {
    std::vector<double> strength;  // natural units
    double eta = 0.2;
    double nu = 1.2;
    int pairs = 100;          // a pairing
    double opening_sd = 0.4;  // each opening shifts both of its games by the same bias
};

double normal_deviate(assay::Random& random) {
    return std::sqrt(-2 * std::log1p(-random.unit())) * std::cos(6.283185307179586 * random.unit());
}

/// A round robin of pairs; the two games of a pair share an opening, and so its bias.
std::vector<RatedGames> played(const Tournament& tournament, std::uint64_t seed) {
    assay::Random random(assay::mix64(seed));
    std::vector<RatedGames> games;
    std::int64_t cluster = 0;
    for (std::size_t a = 0; a < tournament.strength.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            for (int pair = 0; pair < tournament.pairs; ++pair, ++cluster) {
                const double bias = tournament.opening_sd * normal_deviate(random);
                for (const auto& [first, second] : {std::pair{a, b}, std::pair{b, a}}) {
                    const double u = tournament.strength[first] - tournament.strength[second] +
                                     tournament.eta + bias;
                    const DavidsonLaw law = davidson_law(u, tournament.nu);
                    const double x = random.unit();
                    RatedGames game{first, second, 0, 0, 0, cluster, true};
                    (x < law.win              ? game.wins
                     : x < law.win + law.draw ? game.draws
                                              : game.losses) = 1;
                    games.push_back(game);
                }
            }
        }
    }
    return games;
}

RatedGames row(std::size_t a, std::size_t b, double wins, double draws, double losses) {
    return {a, b, wins, draws, losses, -1, false};
}

/// Rough simultaneous intervals, which cost the most.
RatingSettings quick() {
    RatingSettings settings;
    settings.draws = 1000;
    return settings;
}

bool is_finite(const RatingTable& table) {
    return std::all_of(table.ratings().begin(), table.ratings().end(), [](const Rating& rating) {
        return std::isfinite(rating.elo) && std::isfinite(rating.error);
    });
}

}  // namespace

TEST_CASE("Rating: two programs are as far apart as the score of their match says") {
    for (const auto& [w, d, l] : {std::array{40., 40., 20.}, std::array{300., 500., 280.},
                                  std::array{51., 0., 49.}, std::array{5., 90., 5.}}) {
        const RatingTable table(2, {row(0, 1, w, d, l)});
        const double score = (w + 0.5 * d) / (w + d + l);
        const RatingDifference difference = table.difference(0, 1);
        CHECK(difference.score == doctest::Approx(score).epsilon(1e-9));
        CHECK(std::fabs(difference.elo - elo_of_score(score)) <=
              0.01 * std::fabs(elo_of_score(score)) + 1e-9);
        // The errors too are those of the match: delta method on the mean of independent games.
        const double variance = (w + 0.25 * d) / (w + d + l) - score * score;
        const double error =
            std::sqrt(variance / (w + d + l - 1)) * 400 / std::log(10.0) / (score * (1 - score));
        CHECK(difference.error == doctest::Approx(error).epsilon(0.02));
        CHECK(table.draw_rate() == doctest::Approx(d / (w + d + l)).epsilon(0.05));
    }
}

TEST_CASE("Rating: the model is solved: its expectations are the results") {
    const std::vector<RatedGames> games = played({{0.3, 0, -0.5}, 0.25, 0.9, 40, 0}, 3);
    const DavidsonFit fit =
        fit_davidson(3, games, {}, Connection(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
    std::array<double, 3> surplus{};
    double draws = 0;
    double first = 0;
    for (const RatedGames& game : games) {
        const DavidsonLaw law =
            davidson_law(fit.strength[game.first] - fit.strength[game.second] + fit.eta, fit.nu);
        const double points = game.wins + 0.5 * game.draws - law.score();
        surplus[game.first] += points;
        surplus[game.second] -= points;
        first += points;
        draws += game.draws - law.draw;
    }
    for (const double points : surplus) CHECK(std::fabs(points) < 1e-6);
    CHECK(std::fabs(draws) < 1e-6);
    CHECK(std::fabs(first) < 1e-6);
}

TEST_CASE("Rating: simulated tournaments give their parameters back, and 95 % intervals cover") {
    const Tournament tournament{{0.35, 0.1, -0.1, -0.35}, 0.2, 1.2, 60, 0.5};
    // The bias of openings shrinks all; what the fit estimates is found from a large sample.
    const RatingTable truth(4, played({tournament.strength, 0.2, 1.2, 50'000, 0.5}, 5), quick());
    int covered = 0;
    int simultaneous = 0;
    int first_move = 0;
    double bias = 0;
    constexpr int kRuns = 300;
    for (int run = 0; run < kRuns; ++run) {
        const RatingTable table(4, played(tournament, 1000 + static_cast<std::uint64_t>(run)),
                                quick());
        bool all = true;
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const double wanted = truth.difference(a, b).elo;
                const RatingDifference found = table.difference(a, b);
                const bool is_in = *found.ci95.low <= wanted && wanted <= *found.ci95.high;
                covered += is_in && a == 3 && b == 0 ? 1 : 0;
                all = all && *found.simultaneous95.low <= wanted &&
                      wanted <= *found.simultaneous95.high;
                if (a == 3 && b == 0) bias += (found.elo - wanted) / kRuns;
            }
        }
        simultaneous += all ? 1 : 0;
        const Interval ends = table.first_move()->ci95;
        const double eta = *truth.first_move()->value;
        first_move += *ends.low <= eta && eta <= *ends.high ? 1 : 0;
    }
    const double error = std::sqrt(0.95 * 0.05 / kRuns);
    CHECK(std::fabs(covered / double{kRuns} - 0.95) <= 4 * error);
    CHECK(std::fabs(simultaneous / double{kRuns} - 0.95) <= 4 * error);
    CHECK(std::fabs(first_move / double{kRuns} - 0.95) <= 4 * error);
    CHECK(std::fabs(bias) < 4.0);
}

TEST_CASE("Rating: without biased openings the fit finds the strengths that were put in") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Tournament tournament{{0.5, 0.2, 0, -0.7}, 0.3, 1.5, 20'000, 0};
        const RatingTable table(4, played(tournament, seed));
        const double scale = 400 / std::log(10.0) * 2 / (2 + 1.5);
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(std::fabs(table.ratings()[i].elo - scale * tournament.strength[i]) <=
                  4 * table.ratings()[i].error);
        }
        CHECK(table.first_move()->value == doctest::Approx(scale * 0.3).epsilon(0.05));
        CHECK(table.draw_rate() == doctest::Approx(1.5 / 3.5).epsilon(0.02));
    }
}

TEST_CASE("Rating: paired games of biased openings have smaller errors than their games alone") {
    // Both colours of one opening: its bias cancels, which only the clusters know.
    const std::vector<RatedGames> paired = played({{0.2, -0.2}, 0.2, 1, 2000, 1.5}, 9);
    std::vector<RatedGames> alone = paired;
    for (RatedGames& game : alone) game.cluster = -1;
    const double with = RatingTable(2, paired).difference(0, 1).error;
    const double without = RatingTable(2, alone).difference(0, 1).error;
    CHECK(with < 0.9 * without);
}

TEST_CASE("Rating: few pairs, and pairs that are all alike, show no certain difference") {
    const auto pairs = [](std::int64_t count) {
        std::vector<RatedGames> games;
        for (std::int64_t i = 0; i < count; ++i) {
            games.push_back({0, 1, 1, 0, 0, i, true});
            games.push_back({1, 0, 0, 1, 0, i, true});
        }
        return games;
    };
    const RatingDifference one = RatingTable(2, pairs(1)).difference(0, 1);
    CHECK(one.error > 100);
    CHECK(one.los < 0.97);
    CHECK(RatingTable(2, pairs(20)).difference(0, 1).error > 20);
    // A newcomer's few pairs do not change what is known of the others.
    std::vector<RatedGames> games = played({{0.3, 0}, 0.2, 1, 50, 0.3}, 4);
    const double before = RatingTable(2, games).difference(0, 1).error;
    games.push_back({2, 0, 1, 0, 0, 1000, true});
    games.push_back({0, 2, 0, 1, 0, 1000, true});
    const RatingTable table(3, games);
    CHECK(table.difference(2, 0).error > 100);
    CHECK(table.difference(0, 1).error == doctest::Approx(before).epsilon(0.1));
}

TEST_CASE("Rating: names do not matter") {
    const std::vector<RatedGames> games = played({{0.3, 0, -0.3}, 0.2, 1, 50, 0.3}, 4);
    const std::array<std::size_t, 3> place{2, 0, 1};
    std::vector<RatedGames> renamed = games;
    for (RatedGames& game : renamed) {
        game.first = place[game.first];
        game.second = place[game.second];
    }
    std::reverse(renamed.begin(), renamed.end());
    const RatingTable a(3, games);
    const RatingTable b(3, renamed);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(a.ratings()[i].elo == doctest::Approx(b.ratings()[place[i]].elo).epsilon(1e-9));
        CHECK(a.ratings()[i].error == doctest::Approx(b.ratings()[place[i]].error).epsilon(1e-9));
    }
    // Swapping who is named first in rows without sides mirrors the difference.
    const RatingTable one(2, {row(0, 1, 30, 20, 10)});
    const RatingTable other(2, {row(1, 0, 10, 20, 30)});
    CHECK(one.difference(0, 1).elo == doctest::Approx(other.difference(0, 1).elo));
}

TEST_CASE("Rating: an anchor keeps its value and the others are relative to it") {
    RatingSettings settings;
    settings.anchor = {{1}, 3000};
    const RatingTable table(2, {row(0, 1, 30, 40, 20)}, settings);
    CHECK(table.ratings()[1].elo == 3000);
    CHECK(table.ratings()[1].error == 0);
    CHECK(table.ratings()[0].elo == doctest::Approx(3000 + table.difference(0, 1).elo));
    CHECK(table.ratings()[0].error == doctest::Approx(table.difference(0, 1).error));
}

TEST_CASE("Rating: an anchor has no say where nobody has played against it or its opponents") {
    RatingSettings settings;
    settings.anchor = {{0}, 3000};
    const RatingTable table(4, {row(0, 1, 30, 40, 20), row(2, 3, 10, 40, 30)}, settings);
    CHECK(table.ratings()[0].elo == 3000);
    CHECK(0.5 * (table.ratings()[2].elo + table.ratings()[3].elo) == doctest::Approx(3000));
}

TEST_CASE("Rating: whole wins give open intervals, and never NaN") {
    const RatingTable table(2, {row(0, 1, 10, 0, 0)});
    CHECK(is_finite(table));
    CHECK(table.has_prior(0));
    CHECK(table.difference(0, 1).elo > 100);
    CHECK(table.difference(0, 1).ci95.low);
    CHECK_FALSE(table.difference(0, 1).ci95.high);
    CHECK_FALSE(table.ratings()[0].ci95.high);
    CHECK_FALSE(table.ratings()[1].ci95.low);
    CHECK(table.difference(0, 1).score < 1);
}

TEST_CASE("Rating: wins and draws alone leave the model without a maximum, and get the prior") {
    const RatingTable table(2, {row(0, 1, 10, 10, 0)});
    CHECK(is_finite(table));
    CHECK(table.has_prior(0));
    // Score 0.75 is 191 Elo.
    CHECK(table.difference(0, 1).elo == doctest::Approx(191).epsilon(0.4));
    const RatingTable draws(3, {row(0, 1, 0, 9, 0), row(1, 2, 0, 4, 0)});
    CHECK(is_finite(draws));
    CHECK(std::fabs(draws.difference(0, 2).elo) < 1e-6);
}

TEST_CASE("Rating: a first move that always wins is kept finite and said") {
    const RatingTable table(2, {{0, 1, 5, 0, 0, 0, true}, {1, 0, 5, 0, 0, 1, true}});
    CHECK(is_finite(table));
    CHECK(table.has_first_move_prior());
    CHECK(std::fabs(table.difference(0, 1).elo) < 1e-6);
    CHECK(*table.first_move()->value > 100);
    // Sides that never change tell nothing of the first move.
    CHECK_FALSE(RatingTable(2, {{0, 1, 5, 3, 4, 0, true}}).first_move());
}

TEST_CASE("Rating: games that are all alike give no limits, where nothing tells their spread") {
    RatedPairs draws{0, 1, {}};
    draws.counts[4] = 12;
    const RatingTable drawn(2, {}, {draws}, RatingSettings{});
    REQUIRE(drawn.first_move());
    CHECK(*drawn.first_move()->value == doctest::Approx(0));
    CHECK_FALSE(drawn.first_move()->ci95.low);
    CHECK_FALSE(drawn.first_move()->ci95.high);
    // Each pair won by a game and a draw.
    RatedPairs pairs{0, 1, {}};
    pairs.counts[3 * 2 + 1] = 6;
    pairs.counts[3 * 1 + 2] = 6;
    const RatingTable alike(2, {}, {pairs}, RatingSettings{});
    const Interval limits = alike.difference(0, 1).ci95;
    CHECK((!limits.low || !limits.high || *limits.high - *limits.low > 1));
}

TEST_CASE("Rating: programs that never met are not compared") {
    const RatingTable table(5, {row(0, 1, 3, 4, 5), row(2, 3, 9, 9, 9)});
    CHECK(table.connection().components().size() == 3);
    CHECK_FALSE(table.difference(0, 2).is_comparable);
    CHECK(table.difference(0, 1).is_comparable);
    CHECK(table.ratings()[4].games == 0);
    CHECK(is_finite(table));
    // Of two that both beat a third, nothing is known of each other.
    const RatingTable apart(3, {row(0, 2, 5, 0, 0), row(1, 2, 5, 0, 0)});
    CHECK_FALSE(apart.difference(0, 1).ci95.low);
    CHECK_FALSE(apart.difference(0, 1).ci95.high);
    CHECK(is_finite(apart));
}

TEST_CASE("Rating: ranks hold what the simultaneous intervals cannot tell apart") {
    const RatingTable table(
        3, {row(0, 1, 50, 60, 48), row(0, 2, 150, 60, 10), row(1, 2, 148, 60, 12)});
    CHECK(table.ratings()[0].rank_low == 1);
    CHECK(table.ratings()[0].rank_high == 2);
    CHECK(table.ratings()[1].rank_low == 1);
    CHECK(table.ratings()[1].rank_high == 2);
    CHECK(table.ratings()[2].rank_low == 3);
    CHECK(table.ratings()[2].rank_high == 3);
}

TEST_CASE("Rating: huge and tiny counts stay finite") {
    CHECK(is_finite(RatingTable(2, {row(0, 1, 1e9, 1e9, 1e9)})));
    CHECK(is_finite(RatingTable(2, {row(0, 1, 1e9, 1, 1)})));
    CHECK(is_finite(RatingTable(2, {row(0, 1, 1, 0, 0)})));
    CHECK(is_finite(RatingTable(2, {row(0, 1, 0, 1, 0)})));
    CHECK(is_finite(RatingTable(3, {row(0, 1, 1e9, 0, 0), row(1, 2, 1e9, 0, 0)})));
    CHECK(is_finite(RatingTable(2, {row(0, 1, 1, 1e9, 1)})));
    assay::Random random(17);
    for (int run = 0; run < 200; ++run) {
        std::vector<RatedGames> games;
        for (int i = 0; i < 6; ++i) {
            const std::size_t a = random.below(4);
            const std::size_t b = (a + 1 + random.below(3)) % 4;
            games.push_back({a, b, static_cast<double>(random.below(3)),
                             static_cast<double>(random.below(3)),
                             static_cast<double>(random.below(3)),
                             static_cast<std::int64_t>(random.below(4)) - 1, random.below(2) == 0});
        }
        games.push_back(row(0, 1, 1, 0, 0));
        CHECK(is_finite(RatingTable(4, games, quick())));
    }
}

TEST_CASE("Rating: nonsense is refused") {
    CHECK_THROWS_AS(RatingTable(0, {}), assay::Error);
    CHECK_THROWS_AS(RatingTable(2, {}), assay::Error);
    CHECK_THROWS_AS(RatingTable(2, {row(0, 0, 1, 1, 1)}), assay::Error);
    CHECK_THROWS_AS(RatingTable(2, {row(0, 2, 1, 1, 1)}), assay::Error);
    CHECK_THROWS_AS(RatingTable(2, {row(0, 1, -1, 1, 1)}), assay::Error);
}
