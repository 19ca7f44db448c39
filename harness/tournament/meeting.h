#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/record/pair.h"
#include "stats/data/counts.h"

namespace assay::harness {

/// Names a meeting for ever, whatever programs are added to the tournament or left out later: the
/// two programs, and how often they have met before.
struct MeetingKey {
    std::size_t low = 0;
    std::size_t high = 0;
    int encounter = 0;  // from 0

    friend auto operator<=>(const MeetingKey&, const MeetingKey&) = default;

    /// Numbers the two programs among all twos, from 0. A program behind all others adds numbers
    /// behind all others, so that what is stored by this number stays where it is.
    [[nodiscard]] std::size_t couple() const { return high * (high - 1) / 2 + low; }
};

/// Two programs that play each other in a round of a tournament: `openings` encounters in a row, of
/// `games` games each. Programs are numbers of the plan.
struct Meeting {
    std::int64_t round = 0;  // from 0; the tournament says who meets in one
    std::size_t first = 0;   // has the first move in the first game of each opening
    std::size_t second = 0;
    int encounter = 0;           // how often the two have met before in this tournament
    int openings = 1;            // one after the other, from `opening` on
    int games = 2;               // of each opening: 2 with sides swapped, or 1
    std::int64_t opening = 0;    // the index of the first one
    bool is_armageddon = false;  // one game, and a draw is the second program's win

    [[nodiscard]] MeetingKey key() const;

    friend bool operator==(const Meeting&, const Meeting&) = default;
};

/// A meeting that has been played.
struct MeetingResult {
    std::size_t first = 0;  // as in the meeting
    std::size_t second = 0;
    int encounter = 0;
    stats::Wdl games;  // of `first`
    std::int64_t round = 0;

    [[nodiscard]] MeetingKey key() const;

    /// Half points of one of the two. REQUIRES: it is one of them.
    [[nodiscard]] std::int64_t half_points(std::size_t program) const;

    /// REQUIRES: the program is one of the two.
    [[nodiscard]] std::size_t opponent_of(std::size_t program) const;
};

/// The meetings of two programs that are complete in `pairs`, the pairs of games between them that
/// count, in any order: pair p was played from opening p % openings of encounter p / openings.
/// Program 0 of the pairs is `low`, the results are seen by it, and their round is not known.
/// REQUIRES: low < high, openings >= 1.
[[nodiscard]] std::vector<MeetingResult> complete_meetings(std::size_t low, std::size_t high,
                                                           int openings,
                                                           const std::vector<PairDigest>& pairs);

/// A program that has nobody to meet in a round.
struct Bye {
    std::int64_t round = 0;
    std::size_t program = 0;
    std::int64_t half_points = 0;  // that it gets for it

    friend bool operator==(const Bye&, const Bye&) = default;
};

}  // namespace assay::harness
