#include "harness/tournament/meeting.h"

#include <set>

#include <doctest/doctest.h>

using namespace assay::harness;

namespace {

/// A pair of which program 0 won the first game and got these half points in the second one.
PairDigest wins_then(std::int64_t number, int second) {
    PairDigest pair;
    pair.pair = number;
    for (std::size_t game = 0; game < 2; ++game) {
        GameDigest& digest = pair.games[game];
        digest.program = game == 0 ? Lineup{0, 1} : Lineup{1, 0};
        digest.scores.players = 2;
        const float score = game == 0 ? 1.0F : static_cast<float>(second) / 2;
        digest.scores.value[game] = score;  // program 0 is player 0, then player 1
        digest.scores.value[1 - game] = 1 - score;
    }
    return pair;
}

}  // namespace

TEST_CASE("Meeting: two programs keep their number when others are added behind them") {
    std::set<std::size_t> numbers;
    std::size_t before = 0;
    for (std::size_t high = 1; high < 40; ++high) {
        for (std::size_t low = 0; low < high; ++low) {
            const std::size_t number = MeetingKey{low, high, 0}.couple();
            CHECK(number == before);  // one after the other, without a gap
            before = number + 1;
            CHECK(MeetingKey{low, high, 7}.couple() == number);
            numbers.insert(number);
        }
    }
    CHECK(numbers.size() == 39 * 40 / 2);
}

TEST_CASE("Meeting: a key does not depend on who is named first") {
    Meeting meeting;
    meeting.first = 5;
    meeting.second = 2;
    meeting.encounter = 3;
    CHECK(meeting.key() == MeetingKey{2, 5, 3});
    const MeetingResult result{2, 5, 3, {3, 1, 0}, 0};
    CHECK(result.key() == meeting.key());
    CHECK(result.half_points(2) == 7);
    CHECK(result.half_points(5) == 1);
    CHECK(result.opponent_of(5) == 2);
}

TEST_CASE("Meeting: stored pairs are results where all openings of a meeting were played") {
    // Encounter 0 of three openings lacks one, encounter 1 is complete.
    const std::vector<PairDigest> pairs{wins_then(5, 0), wins_then(0, 2), wins_then(3, 1),
                                        wins_then(4, 2), wins_then(2, 2)};
    const auto complete = [&pairs](int openings) {
        PlayedMeetings meetings(openings);
        for (const PairDigest& pair : pairs) (void)meetings.add(1, 4, pair);
        return meetings.complete();
    };
    const std::vector<MeetingResult> results = complete(3);
    REQUIRE(results.size() == 1);
    CHECK(results[0].key() == MeetingKey{1, 4, 1});
    CHECK(results[0].games == assay::stats::Wdl{4, 1, 1});
    CHECK(complete(1).size() == 5);
    CHECK(PlayedMeetings(1).complete().empty());
}
