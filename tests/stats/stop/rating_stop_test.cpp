// Ends of simulated tournaments: what is claimed at the end is true as often as it says.
#include "stats/stop/rating_stop.h"

#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"

using namespace assay::stats;

namespace {

std::vector<std::size_t> all(std::size_t programs) {
    std::vector<std::size_t> numbers(programs);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

/// Pairs of games, counted.
class Rows {
public:
    /// What `a` scored with the first move, and in the other game: 0 lost, 1 drawn, 2 won.
    void add(std::size_t a, std::size_t b, int with, int without) {
        RatedPairs& row = rows_[{a, b}];
        row.first = a;
        row.second = b;
        ++row.counts[static_cast<std::size_t>(3 * with + without)];
    }

    [[nodiscard]] std::vector<RatedPairs> rows() const {
        std::vector<RatedPairs> all;
        for (const auto& one : rows_) all.push_back(one.second);
        return all;
    }

private:
    std::map<std::pair<std::size_t, std::size_t>, RatedPairs> rows_;
};

/// A round robin after the other until the goal is reached.
class Simulated {
public:
    Simulated(std::vector<double> strength, std::uint64_t seed)
        : strength_(std::move(strength)), random_(assay::mix64(seed)) {}

    /// Returns whether it ended by the goal.
    bool play(const RatingGoal& goal, std::int64_t most) {
        RatingStop stop(goal, all(strength_.size()), 0);
        const std::size_t programs = strength_.size();
        while (pairs < most) {
            for (std::size_t a = 0; a < programs; ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    play_pair(a, b);
                    if (stop.is_due(pairs) && stop.shows(pairs, programs, rows.rows())) return true;
                }
            }
        }
        return false;
    }

    [[nodiscard]] RatingTable table() const {
        RatingSettings settings;
        settings.draws = 500;
        return {strength_.size(), {}, rows.rows(), settings};
    }

    std::int64_t pairs = 0;
    Rows rows;

private:
    int score(double u) {
        const DavidsonLaw law = davidson_law(u, 1.5);
        const double x = random_.unit();
        return x < law.win ? 2 : x < law.win + law.draw ? 1 : 0;
    }

    void play_pair(std::size_t a, std::size_t b) {
        const double u = strength_[a] - strength_[b];
        rows.add(a, b, score(u + 0.2), 2 - score(-u + 0.2));
        ++pairs;
    }

    std::vector<double> strength_;
    assay::Random random_;
};

}  // namespace

TEST_CASE("RatingStop: looks are planned in pairs, and their errors add up to 5 %") {
    RatingStop stop({std::nullopt, true}, all(4), 0);
    CHECK(stop.next_look() == 40);
    CHECK_FALSE(stop.is_due(39));
    CHECK(stop.is_due(40));
    Rows rows;
    for (int i = 0; i < 10; ++i)
        for (std::size_t a = 1; a < 4; ++a) rows.add(0, a, 1, 1);
    CHECK_FALSE(stop.shows(40, 4, rows.rows()));
    CHECK(stop.next_look() == 56);
    // A session that takes up a run does not look again at what was looked at.
    CHECK(RatingStop({8, false}, all(4), 56).next_look() == 79);
    CHECK(RatingStop({8, false}, all(4), 55).next_look() == 56);
    double error = 0;
    for (int look = 1; look <= 100'000; ++look) error += error_of_look(look);
    CHECK(error == doctest::Approx(0.05).epsilon(1e-4));
    CHECK_FALSE(RatingStop({}, all(2), 0).is_due(1'000'000));
    CHECK(text_of({8, true}) == "every rating within 8 Elo and the order of each two programs");
}

TEST_CASE("RatingStop: after a change of programs no share is spent twice") {
    for (std::size_t before = 2; before <= 12; ++before) {
        for (std::int64_t played = 0; played < 3'000; played += 7) {
            CAPTURE(before);
            CAPTURE(played);
            const RatingStop first({std::nullopt, true}, all(before), played);
            for (const std::size_t now : {2U, 3U, 12U}) {
                const RatingStop second({std::nullopt, true}, all(now), played, true);
                CHECK(second.next_look() > played);
                CHECK(second.next_look() >= static_cast<std::int64_t>(10 * now));
                // However many looks were made by then, their numbers are below this.
                CHECK(second.next_number() >= first.next_number());
            }
        }
    }
}

TEST_CASE("RatingStop: games without a partner are looked at too") {
    RatingStop stop({60, false}, all(2), 0);
    CHECK_FALSE(stop.shows(20, 2, {}, {{0, 1, 6, 8, 6}}));
    CHECK(stop.shows(1'000, 2, {}, {{0, 1, 300, 400, 300}}));
}

TEST_CASE("RatingStop: orders that end a tournament are false in less than one of 20") {
    // The truth hardly differs, so that whoever looked each time at 95 % would be wrong often.
    int ended = 0;
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Simulated tournament({0, 0.004, -0.004}, seed);
        if (!tournament.play({std::nullopt, true}, 1'500)) continue;
        ++ended;
        const RatingTable table = tournament.table();
        if (table.difference(1, 0).elo < 0 || table.difference(0, 2).elo < 0) ++wrong;
    }
    CAPTURE(ended);
    CHECK(wrong <= 15);
    // Where they differ it ends, with the right orders.
    Simulated clear({0, 1, -1}, 7);
    REQUIRE(clear.play({std::nullopt, true}, 2'000));
    CHECK(clear.table().difference(1, 0).elo > 0);
    CHECK(clear.table().difference(0, 2).elo > 0);
}

TEST_CASE("RatingStop: at the end by precision the intervals hold, and are as narrow as asked") {
    const std::vector<double> strength{0.6, 0.2, -0.2, -0.6};
    int covered = 0;
    constexpr int kRuns = 300;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        Simulated tournament(strength, seed);
        REQUIRE(tournament.play({30, false}, 100'000));
        const RatingTable table = tournament.table();
        bool holds = true;
        for (std::size_t i = 0; i < strength.size(); ++i) {
            const Rating& rating = table.ratings()[i];
            const double truth = 400 / std::log(10.0) * 2 / (2 + 1.5) * strength[i];
            // The factor that the stop takes: 95 % for four ratings by Bonferroni.
            holds = holds && std::fabs(rating.elo - truth) <= 2.498 * rating.error;
            CHECK(2.498 * rating.error <= 30.01);
        }
        covered += holds ? 1 : 0;
    }
    // 95 % of 300 are 285; fewer than 274 would be three standard deviations off.
    CHECK(covered >= 274);
}

TEST_CASE("RatingStop: what nothing bounds is not precise, and shows no order") {
    // The second program lost everything.
    Rows rows;
    for (int i = 0; i < 50; ++i) rows.add(0, 1, 2, 2);
    RatingStop precise({50, false}, all(2), 0);
    CHECK_FALSE(precise.shows(50, 2, rows.rows()));
    // Two of the asked programs have no games with the others.
    RatingStop apart({400, false}, all(4), 0);
    Rows of_two;
    for (int i = 0; i < 60; ++i) of_two.add(0, 1, i % 3, (i + 1) % 3);
    CHECK_FALSE(apart.shows(60, 4, of_two.rows()));
    RatingStop asked({400, false}, all(2), 0);
    CHECK(asked.shows(60, 4, of_two.rows()));
}
