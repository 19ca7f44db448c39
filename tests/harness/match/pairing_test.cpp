#include "harness/match/pairing.h"

#include <doctest/doctest.h>

using namespace assay::harness;

namespace {

MatchPairing pairing(std::int64_t pairs) {
    return {3, {4, 2}, Schedule(pairs, std::nullopt), [](std::int64_t pair) {
                assay::openings::Opening opening;
                opening.index = static_cast<std::uint64_t>(100 + pair);
                return opening;
            }};
}

int open_games(const Pairing& pairing) {
    int games = 0;
    pairing.visit_open([&games](std::size_t, const GameDigest&) { ++games; });
    return games;
}

}  // namespace

TEST_CASE("Pairing: a match is its two programs, pair after pair, each with its opening") {
    MatchPairing match = pairing(2);
    const auto first = match.next();
    REQUIRE(first);
    CHECK(first->match == 3);
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
    (void)match.restore(3, {}, {half});
    CHECK_FALSE(match.next()->played);
    const auto resumed = match.next();
    REQUIRE(resumed);
    REQUIRE(resumed->played);
    CHECK(resumed->played->reason == "kept");
    CHECK(open_games(match) == 0);

    MatchPairing replayed = pairing(3);
    (void)replayed.restore(3, {}, {half});
    CHECK(replayed.next()->pair == 0);
    CHECK(replayed.next()->pair == 1);
    PairDigest voided;
    voided.pair = 1;
    replayed.replay(voided);
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
    MatchPairing match(0, {0, 1}, Schedule(1, std::nullopt), opening_of, runner);
    const auto pair = match.next();
    REQUIRE(pair);
    CHECK(pair->first_game == 11);
    CHECK(pair->opening_of(0).index == 0);
    CHECK(pair->opening_of(1).index == 1);
    CHECK(pair->turn_of(0) == 1);
    CHECK(pair->turn_of(1) == 2);
    CHECK_FALSE(match.is_complete());
    const auto last = match.next();
    REQUIRE(last);
    CHECK(last->games == 1);
    CHECK(last->first_game == 13);
    CHECK(last->opening.index == 2);
    CHECK_FALSE(match.next());
    PairDigest played;
    CHECK(match.finished(played).size() == 1);
    CHECK_FALSE(match.is_complete());
    GameRecord of_pair;
    CHECK_FALSE(match.end_single_game(of_pair));
    CHECK_FALSE(match.is_complete());

    // One that an earlier session has played is not played again.
    GameRecord odd;
    odd.pair = 1;
    CHECK(match.end_single_game(odd));
    CHECK(match.is_complete());
    MatchPairing resumed(0, {0, 1}, Schedule(1, std::nullopt), opening_of, runner);
    (void)resumed.restore(0, {}, {odd});
    CHECK(resumed.next()->games == 2);
    CHECK_FALSE(resumed.next());
    CHECK(open_games(resumed) == 0);
}

TEST_CASE("Pairing: where sides are not swapped both games have the same first player") {
    RunnerPlan runner;
    runner.swaps_sides = false;
    MatchPairing match(
        0, {0, 1}, Schedule(1, std::nullopt),
        [](std::int64_t) { return assay::openings::Opening{}; }, runner);
    const auto pair = match.next();
    REQUIRE(pair);
    CHECK(pair->turn_of(0) == 0);
    CHECK(pair->turn_of(1) == 0);
}
