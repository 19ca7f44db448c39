#include "openings/random_opening.h"

#include <map>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "rules/make_game.h"
#include "tests/support/dice_race.h"
#include "tests/support/tic_tac_toe.h"

using namespace assay;
using openings::Opening;
using openings::random_opening;

namespace {

/// The position behind an opening, whose moves must be legal.
std::unique_ptr<rules::Position> behind(const rules::Game& game, const Opening& opening) {
    auto position = opening.start.empty() ? game.start() : game.parse(opening.start);
    for (const std::string& name : opening.moves) {
        const auto move = position->move_of(name, rules::Notation::Canonical);
        REQUIRE(move.has_value());
        position->make(*move);
    }
    return position;
}

}  // namespace

TEST_CASE("Random openings: so many legal plies, by seed and number alone") {
    const auto game = rules::make_game("chess");
    std::set<std::vector<std::string>> lines;
    for (std::uint64_t number = 0; number < 50; ++number) {
        const Opening opening = random_opening(*game, 6, 1, number);
        CHECK(opening.start.empty());
        CHECK(opening.moves.size() == 6);
        CHECK(opening.index == number);
        CHECK_FALSE(behind(*game, opening)->result());
        CHECK(random_opening(*game, 6, 1, number) == opening);
        CHECK(random_opening(*game, 6, 2, number).moves != opening.moves);
        lines.insert(opening.moves);
    }
    CHECK(lines.size() == 50);
    CHECK(random_opening(*game, 0, 1, 0).moves.empty());
}

TEST_CASE("Random openings: each first move is drawn as often as another") {
    const auto game = tests::make_tic_tac_toe();
    std::map<std::string, int> counts;
    for (std::uint64_t number = 0; number < 1800; ++number)
        ++counts[random_opening(*game, 1, 7, number).moves.at(0)];
    REQUIRE(counts.size() == 9);
    // Chi-square of 8 degrees of freedom, 0.1 % point.
    double sum = 0;
    for (const auto& [move, count] : counts) sum += (count - 200.0) * (count - 200.0) / 200.0;
    CHECK(sum < 26.12);
}

TEST_CASE("Random openings: no ply ends the game, and a length that always does is refused") {
    const auto game = tests::make_tic_tac_toe();
    for (std::uint64_t number = 0; number < 200; ++number)
        CHECK_FALSE(behind(*game, random_opening(*game, 7, 3, number))->result());
    CHECK_THROWS_WITH_AS(
        (void)random_opening(*game, 9, 3, 0),
        "no random opening of 9 plies was found for tic-tac-toe in 100 drawings: its games are "
        "over before that; ask for fewer plies",
        Error);
}

TEST_CASE("Random openings: chance is drawn with them, so that a player moves next") {
    const auto game = tests::make_dice_race();
    for (std::uint64_t number = 0; number < 50; ++number) {
        const Opening opening = random_opening(*game, 2, 5, number);
        CHECK(opening.moves.size() == 5);  // a roll before each move and behind the last one
        CHECK(behind(*game, opening)->to_move() >= 0);
    }
}

TEST_CASE("Random openings: a game with several start positions begins from any of them") {
    const auto game = rules::make_game("chess960");
    std::set<std::string> starts;
    for (std::uint64_t number = 0; number < 100; ++number) {
        const Opening opening = random_opening(*game, 2, 1, number);
        CHECK_FALSE(behind(*game, opening)->result());
        starts.insert(opening.start);
    }
    CHECK(starts.size() > 80);
}
