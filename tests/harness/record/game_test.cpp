#include "harness/record/game.h"

#include <string>

#include <doctest/doctest.h>

using namespace assay::harness;

TEST_CASE("Termination: the names that stores and scripts rely on") {
    const char* const names[] = {
        "draw_adjudicated", "win_adjudicated", "tablebase",  "length", "time",
        "illegal_move",     "crash",           "disconnect", "stall",  "no_start",
        "claim_resign",     "claim_draw",      "interrupted"};
    std::size_t cause = Termination::Rules;
    for (const char* const name : names) {
        const Termination expected(static_cast<Termination::Cause>(++cause));
        CHECK(name_of(expected) == name);
        CHECK(termination_of(name) == expected);
    }
    CHECK(cause + 1 == kCauses);
    for (const char* const word :
         {"mate", "stalemate", "insufficient", "repetition", "fifty", "variant"}) {
        CHECK(termination_of(word) == Termination::by_rules(word));
        CHECK(name_of(Termination::by_rules(word)) == word);
    }
}

TEST_CASE("Termination: a word of the rules is never taken for a cause") {
    const Termination time = Termination::by_rules("time");
    CHECK(time != Termination(Termination::Time));
    CHECK(name_of(time) == "time by the rules");
    CHECK(termination_of(name_of(time)) == time);
    CHECK_FALSE(is_failure(time));
    CHECK(name_of(Termination::by_rules("")) == "variant");
    CHECK_FALSE(termination_of(""));
    CHECK_FALSE(termination_of("a\nb"));
    CHECK_FALSE(termination_of(std::string(65, 'a')));
}

TEST_CASE("Lineup: programs by player and players by program") {
    const Lineup lineup{2, 0, 1};
    CHECK(lineup.size() == 3);
    CHECK(lineup[0] == 2);
    CHECK(lineup.player_of(1) == 2);
    CHECK(lineup.player_of(3) == -1);
    CHECK(lineup != Lineup{0, 1, 2});
}
