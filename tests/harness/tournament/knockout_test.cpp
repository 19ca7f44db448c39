#include "harness/tournament/knockout.h"

#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>

#include "tests/harness/tournament/played.h"

using namespace assay::harness;

namespace {

TournamentSetup knockout_of(std::size_t programs, int replays = 0) {
    TournamentSetup setup = setup_of(TournamentKind::Knockout, programs);
    setup.replays = replays;
    return setup;
}

MeetingResult result_of(const Meeting& meeting, std::int64_t wins, std::int64_t draws,
                        std::int64_t losses) {
    return {meeting.first, meeting.second, meeting.encounter, {wins, draws, losses}, meeting.round};
}

/// Plays on with level results until the tie is decided; its meetings.
std::vector<Meeting> level_meetings(Knockout& knockout) {
    std::vector<Meeting> meetings;
    while (const auto meeting = knockout.next()) {
        meetings.push_back(*meeting);
        knockout.finished(result_of(*meeting, 0, meeting->openings * meeting->games, 0));
    }
    return meetings;
}

}  // namespace

TEST_CASE("Knockout: 2 to 33 programs and any results: one winner, who alone has lost no tie") {
    for (std::size_t programs = 2; programs <= 33; ++programs) {
        for (std::uint64_t run = 0; run < 4; ++run) {
            CAPTURE(programs);
            CAPTURE(run);
            TournamentSetup setup = knockout_of(programs, 1);
            setup.seeding = run == 3 ? Seeding::Lot : Seeding::List;
            const PlayedTournament played = play_tournament(setup, {}, run, 1 + run);
            REQUIRE(played.winner);
            CHECK(played.is_over);
            // The last meeting of each two decides: each tie puts out one program.
            std::map<std::pair<std::size_t, std::size_t>, int> ties;
            for (const Meeting& meeting : played.meetings) {
                const MeetingKey key = meeting.key();
                int& meetings = ties[{key.low, key.high}];
                CHECK(meeting.encounter == meetings);
                ++meetings;
                CHECK(meetings <= 2);
            }
            CHECK(ties.size() == programs - 1);
            std::map<std::size_t, std::set<std::int64_t>> rounds;
            for (const Meeting& meeting : played.meetings) {
                rounds[meeting.first].insert(meeting.round);
                rounds[meeting.second].insert(meeting.round);
            }
            const std::int64_t last = played.meetings.back().round;
            CHECK(rounds.at(*played.winner).contains(last));
            std::size_t in_last = 0;
            for (const auto& [program, played_rounds] : rounds) {
                if (played_rounds.contains(last)) ++in_last;
            }
            CHECK(in_last == 2);
        }
    }
}

TEST_CASE("Knockout: the best seeds have the byes") {
    for (std::size_t programs = 2; programs <= 33; ++programs) {
        std::size_t bracket = 1;
        while (bracket < programs) bracket *= 2;
        std::set<std::size_t> byes;
        for (const Bye& bye : make_tournament(knockout_of(programs), {})->byes()) {
            CHECK(bye.round == 0);
            byes.insert(bye.program);
        }
        CHECK(byes.size() == bracket - programs);
        for (std::size_t seed = 0; seed < byes.size(); ++seed) CHECK(byes.contains(seed));
    }
}

TEST_CASE("Knockout: where the better seed always wins, first and second meet in the final") {
    Knockout knockout(knockout_of(16), {});
    std::vector<Meeting> meetings;
    while (const auto meeting = knockout.next()) {
        meetings.push_back(*meeting);
        const bool first_wins = meeting->first < meeting->second;
        knockout.finished(result_of(*meeting, first_wins ? 2 : 0, 0, first_wins ? 0 : 2));
    }
    CHECK(meetings.size() == 15);
    CHECK(meetings.back().key() == MeetingKey{0, 1, 0});
    for (const Meeting& meeting : meetings) {
        // In each round the seeds of two that meet add up to the same.
        CHECK(meeting.first + meeting.second == (16U >> static_cast<unsigned>(meeting.round)) - 1);
    }
    CHECK(knockout.winner() == 0);
}

TEST_CASE("Knockout: a level tie is replayed with sides swapped, then the better seed goes on") {
    Knockout knockout(knockout_of(2, 2), {});
    const std::vector<Meeting> meetings = level_meetings(knockout);
    REQUIRE(meetings.size() == 3);
    for (int i = 0; i < 3; ++i) {
        const Meeting& meeting = meetings[static_cast<std::size_t>(i)];
        CHECK(meeting.encounter == i);
        CHECK(meeting.first == static_cast<std::size_t>(i % 2));
        CHECK(meeting.opening == i);
    }
    CHECK(knockout.winner() == 0);
}

TEST_CASE("Knockout: by encounter no two meetings share an opening, an armageddon neither") {
    for (const bool has_armageddon : {false, true}) {
        TournamentSetup setup = knockout_of(8, 1);
        setup.policy = OpeningPolicy::Encounter;
        setup.openings = 2;
        setup.has_armageddon = has_armageddon;
        Knockout knockout(setup, {});
        std::set<std::int64_t> openings;
        std::int64_t count = 0;
        for (const Meeting& meeting : level_meetings(knockout)) {
            for (int i = 0; i < meeting.openings; ++i) openings.insert(meeting.opening + i);
            count += meeting.openings;
        }
        CHECK(count == 7 * (2 * 2 + (has_armageddon ? 1 : 0)));
        CHECK(std::ssize(openings) == count);
    }
}

TEST_CASE("Knockout: a tie starts as soon as both its programs are known") {
    Knockout knockout(knockout_of(8), {});
    std::vector<Meeting> first_round;
    while (const auto meeting = knockout.next()) first_round.push_back(*meeting);
    REQUIRE(first_round.size() == 4);
    knockout.finished(result_of(first_round[1], 2, 0, 0));
    CHECK_FALSE(knockout.next());
    knockout.finished(result_of(first_round[0], 2, 0, 0));
    const auto next = knockout.next();
    REQUIRE(next);
    CHECK(next->round == 1);
    CHECK(next->key() == MeetingKey{std::min(first_round[0].first, first_round[1].first),
                                    std::max(first_round[0].first, first_round[1].first), 0});
}
