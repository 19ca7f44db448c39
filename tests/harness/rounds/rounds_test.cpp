#include "harness/rounds/rounds.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace assay::harness;

namespace {

using Couple = std::pair<std::size_t, std::size_t>;

/// How often each two meet in a cycle.
std::map<Couple, int> meetings_of(const Rounds& rounds) {
    std::map<Couple, int> count;
    for (std::int64_t round = 0; round < rounds.count(); ++round) {
        for (const Opponents& two : rounds.at(round)) {
            ++count[{std::min(two.first, two.second), std::max(two.first, two.second)}];
        }
    }
    return count;
}

/// How much more often each program has the first move.
std::vector<int> balance_of(const Rounds& rounds, std::size_t programs) {
    std::vector<int> balance(programs, 0);
    for (std::int64_t round = 0; round < rounds.count(); ++round) {
        for (const Opponents& two : rounds.at(round)) {
            ++balance[two.first];
            --balance[two.second];
        }
    }
    return balance;
}

bool is_nobody_twice(const std::vector<Opponents>& round) {
    std::set<std::size_t> seen;
    return std::all_of(round.begin(), round.end(), [&](const Opponents& two) {
        return seen.insert(two.first).second && seen.insert(two.second).second;
    });
}

}  // namespace

TEST_CASE("Rounds: in a round robin each two meet once, and nobody plays twice in a round") {
    for (std::size_t programs = 2; programs <= 12; ++programs) {
        CAPTURE(programs);
        const auto rounds = round_robin_rounds(programs);
        CHECK(rounds->count() == static_cast<std::int64_t>(programs - 1 + programs % 2));
        std::map<Couple, int> wanted;
        for (std::size_t b = 0; b < programs; ++b) {
            for (std::size_t a = 0; a < b; ++a) wanted[{a, b}] = 1;
        }
        CHECK(meetings_of(*rounds) == wanted);
        CHECK(rounds->meetings() == static_cast<std::int64_t>(wanted.size()));
        std::vector<int> byes(programs, 0);
        for (std::int64_t round = 0; round < rounds->count(); ++round) {
            const std::vector<Opponents> now = rounds->at(round);
            CHECK(is_nobody_twice(now));
            CHECK(now.size() == programs / 2);
            std::vector<int> plays(programs, 0);
            for (const Opponents& two : now) plays[two.first] = plays[two.second] = 1;
            for (std::size_t i = 0; i < programs; ++i) byes[i] += 1 - plays[i];
        }
        for (const int count : byes) CHECK(count == static_cast<int>(programs % 2));
    }
}

TEST_CASE("Rounds: in a round robin first moves are balanced as far as the number allows") {
    for (std::size_t programs = 2; programs <= 12; ++programs) {
        CAPTURE(programs);
        for (const int balance : balance_of(*round_robin_rounds(programs), programs)) {
            CHECK(std::abs(balance) == static_cast<int>(1 - programs % 2));
        }
    }
}

TEST_CASE(
    "Rounds: in a gauntlet the seeds meet all others once, in as few rounds as there can be") {
    for (std::size_t programs = 2; programs <= 12; ++programs) {
        for (std::size_t seeds = 1; seeds < programs; ++seeds) {
            CAPTURE(programs);
            CAPTURE(seeds);
            const auto rounds = gauntlet_rounds(programs, seeds);
            std::map<Couple, int> wanted;
            for (std::size_t seed = 0; seed < seeds; ++seed) {
                for (std::size_t other = seeds; other < programs; ++other) {
                    wanted[{seed, other}] = 1;
                }
            }
            CHECK(meetings_of(*rounds) == wanted);
            CHECK(rounds->meetings() == static_cast<std::int64_t>(wanted.size()));
            CHECK(rounds->count() == static_cast<std::int64_t>(std::max(seeds, programs - seeds)));
            for (std::int64_t round = 0; round < rounds->count(); ++round) {
                CHECK(is_nobody_twice(rounds->at(round)));
            }
            // One seed has the first move in every other meeting.
            if (seeds == 1) CHECK(std::abs(balance_of(*rounds, programs)[0]) <= 1);
        }
    }
}

TEST_CASE(
    "Rounds: in a pyramid each program meets all before it, and more programs change nothing") {
    const auto rounds = pyramid_rounds(5);
    for (std::int64_t round = 0; round < rounds->count(); ++round) {
        std::set<std::size_t> met;
        for (const Opponents& two : rounds->at(round)) {
            CHECK(std::max(two.first, two.second) == static_cast<std::size_t>(round + 1));
            met.insert(std::min(two.first, two.second));
        }
        CHECK(met.size() == static_cast<std::size_t>(round + 1));
        CHECK(rounds->at(round) == pyramid_rounds(9)->at(round));
    }
    CHECK(rounds->meetings() == 10);
}
