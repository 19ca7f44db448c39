#pragma once
#include <array>
#include <cstdint>

#include "harness/match/tally.h"

namespace assay::test {

/// A pair in which the first program scored these half points (0 to 2 a game), moving first in the
/// first game.
inline harness::PairDigest pair_of(std::int64_t index, int first, int second) {
    harness::PairDigest pair;
    pair.pair = index;
    const std::array<int, 2> half_points{first, second};
    for (std::size_t i = 0; i < 2; ++i) {
        harness::GameDigest& game = pair.games[i];
        game.number = 2 * index + static_cast<std::int64_t>(i) + 1;
        game.program = i == 0 ? harness::Lineup{0, 1} : harness::Lineup{1, 0};
        const auto mine = static_cast<float>(half_points[i]) / 2;
        game.scores.players = 2;
        game.scores.value[i] = mine;
        game.scores.value[1 - i] = 1 - mine;
        game.termination =
            harness::Termination::by_rules(half_points[i] == 1 ? "repetition" : "mate");
        game.plies = 40;
    }
    return pair;
}

/// Program 0 or 1 loses the pair's first game by the given failure.
inline harness::PairDigest failed_pair(std::int64_t index, int program,
                                       harness::Termination termination, int second) {
    harness::PairDigest pair = pair_of(index, program == 0 ? 0 : 2, second);
    pair.games[0].termination = termination;
    pair.games[0].guilty = program;  // program 0 is player 0 in the first game
    return pair;
}

/// Adds pairs of the five categories in turn until each has its count.
inline void add_pairs(harness::MatchTally& tally, std::array<int, 5> counts) {
    constexpr std::array<std::array<int, 2>, 5> kGames{{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}}};
    std::int64_t index = tally.pairs();
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < 5; ++i) {
            if (counts[i]-- <= 0) continue;
            tally.add(pair_of(index++, kGames[i][0], kGames[i][1]));
            more = true;
        }
    }
}

inline harness::RunMeters sample_meters() {
    harness::RunMeters meters;
    meters.delay = {40, 110, 900, 12.5};
    meters.wall_us = 58'000'000;
    return meters;
}

}  // namespace assay::test
