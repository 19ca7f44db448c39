#include "harness/match/pairing.h"

#include <doctest/doctest.h>

using namespace assay::harness;

namespace {

MatchPairing pairing(std::int64_t pairs) {
    return {{4, 2}, Schedule(pairs, std::nullopt), [](std::int64_t pair) {
                assay::openings::Opening opening;
                opening.index = static_cast<std::uint64_t>(100 + pair);
                return opening;
            }};
}

}  // namespace

TEST_CASE("Pairing: a match is its two programs, pair after pair, each with its opening") {
    MatchPairing match = pairing(2);
    const auto first = match.next();
    REQUIRE(first);
    CHECK(first->pair == 0);
    CHECK(first->first_game == 1);
    CHECK(first->games == 2);
    CHECK(first->entrants == std::vector<std::size_t>{4, 2});
    CHECK(first->opening.index == 100);
    CHECK_FALSE(first->played);
    const auto second = match.next();
    REQUIRE(second);
    CHECK(second->first_game == 3);
    CHECK(second->opening.index == 101);
    CHECK_FALSE(match.next());
}

TEST_CASE("Pairing: of a pair that was cut in half only the rest is played, in its own attempt") {
    GameRecord half;
    half.pair = 1;
    half.attempt = 0;
    half.reason = "kept";
    MatchPairing match = pairing(3);
    match.resume({half});
    CHECK_FALSE(match.next()->played);
    const auto resumed = match.next();
    REQUIRE(resumed);
    REQUIRE(resumed->played);
    CHECK(resumed->played->reason == "kept");
    CHECK(match.first_games().empty());

    MatchPairing replayed = pairing(3);
    replayed.resume({half});
    CHECK(replayed.next()->pair == 0);
    CHECK(replayed.next()->pair == 1);
    replayed.schedule().replay(1, 0);
    CHECK_FALSE(replayed.next()->played);
}

TEST_CASE(
    "Pairing: as another runner has it, games have openings of their own and a number is odd") {
    RunnerPlan runner;
    runner.games_an_opening = 1;
    runner.has_odd_game = true;
    runner.begins_reversed = true;
    runner.games_before = 10;
    const auto opening_of = [](std::int64_t number) {
        assay::openings::Opening opening;
        opening.index = static_cast<std::uint64_t>(number);
        return opening;
    };
    MatchPairing match({0, 1}, Schedule(1, std::nullopt), opening_of, runner);
    const auto pair = match.next();
    REQUIRE(pair);
    CHECK(pair->first_game == 11);
    CHECK(pair->opening_of(0).index == 0);
    CHECK(pair->opening_of(1).index == 1);
    CHECK(pair->turn_of(0) == 1);
    CHECK(pair->turn_of(1) == 2);
    CHECK(match.is_odd_game_open());
    const auto last = match.next();
    REQUIRE(last);
    CHECK(last->games == 1);
    CHECK(last->first_game == 13);
    CHECK(last->opening.index == 2);
    CHECK_FALSE(match.next());
    match.end_odd_game();
    CHECK_FALSE(match.is_odd_game_open());

    // One that an earlier session has played is not played again.
    GameRecord odd;
    odd.pair = 1;
    MatchPairing resumed({0, 1}, Schedule(1, std::nullopt), opening_of, runner);
    resumed.resume({odd});
    CHECK(resumed.next()->games == 2);
    CHECK_FALSE(resumed.next());
    CHECK(resumed.first_games().empty());
}

TEST_CASE("Pairing: where sides are not swapped both games have the same first player") {
    RunnerPlan runner;
    runner.swaps_sides = false;
    MatchPairing match(
        {0, 1}, Schedule(1, std::nullopt), [](std::int64_t) { return assay::openings::Opening{}; },
        runner);
    const auto pair = match.next();
    REQUIRE(pair);
    CHECK(pair->turn_of(0) == 0);
    CHECK(pair->turn_of(1) == 0);
}
