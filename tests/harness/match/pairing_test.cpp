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
