#include "harness/tournament/tournament.h"

#include <algorithm>
#include <malloc.h>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "tests/harness/tournament/played.h"

using namespace assay::harness;

namespace {

constexpr std::initializer_list<TournamentKind> kAllKinds{
    TournamentKind::RoundRobin,  TournamentKind::Gauntlet, TournamentKind::Pyramid,
    TournamentKind::LeastPlayed, TournamentKind::Knockout, TournamentKind::Swiss};

std::map<MeetingKey, int> counted(const std::vector<Meeting>& meetings) {
    std::map<MeetingKey, int> count;
    for (const Meeting& meeting : meetings) ++count[meeting.key()];
    return count;
}

std::string refusal_of(const TournamentSetup& setup) {
    try {
        (void)make_tournament(setup, {});
    } catch (const assay::Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Tournament: round robin, pyramid and least played have each two meet equally often") {
    for (const TournamentKind kind :
         {TournamentKind::RoundRobin, TournamentKind::Pyramid, TournamentKind::LeastPlayed}) {
        for (std::size_t programs = 2; programs <= 12; ++programs) {
            const PlayedTournament played = play_tournament(setup_of(kind, programs, 3), {}, 5, 4);
            std::map<MeetingKey, int> wanted;
            for (std::size_t high = 0; high < programs; ++high) {
                for (std::size_t low = 0; low < high; ++low) {
                    for (int encounter = 0; encounter < 3; ++encounter) {
                        wanted[{low, high, encounter}] = 1;
                    }
                }
            }
            CHECK(counted(played.meetings) == wanted);
            CHECK(played.is_over);
        }
    }
}

TEST_CASE("Tournament: nobody meets two in one round of a round robin, gauntlet or Swiss") {
    for (const TournamentKind kind :
         {TournamentKind::RoundRobin, TournamentKind::Gauntlet, TournamentKind::Swiss}) {
        for (std::size_t programs = 4; programs <= 12; ++programs) {
            TournamentSetup setup = setup_of(kind, programs, 2);
            setup.seeds = 2;
            std::set<std::pair<std::int64_t, std::size_t>> seen;
            for (const Meeting& meeting : play_tournament(setup, {}, 5, 4).meetings) {
                CHECK(seen.insert({meeting.round, meeting.first}).second);
                CHECK(seen.insert({meeting.round, meeting.second}).second);
            }
        }
    }
}

TEST_CASE("Tournament: sides are swapped from cycle to cycle") {
    TournamentSetup setup = setup_of(TournamentKind::RoundRobin, 7, 2);
    setup.games = 1;
    std::map<std::pair<std::size_t, std::size_t>, int> first_moves;
    for (const Meeting& meeting : play_tournament(setup, {}, 1).meetings) {
        ++first_moves[{meeting.first, meeting.second}];
        CHECK(meeting.games == 1);
    }
    CHECK(first_moves.size() == 42);  // each of each two has it once
}

TEST_CASE("Tournament: the same openings in a cycle or a round, or others for each meeting") {
    const auto openings_by = [](OpeningPolicy policy) {
        TournamentSetup setup = setup_of(TournamentKind::RoundRobin, 6, 2);
        setup.policy = policy;
        setup.openings = 3;
        std::set<std::int64_t> seen;
        std::map<std::int64_t, std::set<std::int64_t>> by_round;
        for (const Meeting& meeting : play_tournament(setup, {}, 1, 2).meetings) {
            CHECK(meeting.opening % 3 == 0);
            seen.insert(meeting.opening / 3);
            by_round[meeting.round].insert(meeting.opening);
        }
        CHECK(*seen.begin() == 0);
        CHECK(*seen.rbegin() == static_cast<std::int64_t>(seen.size()) - 1);
        bool one_a_round = true;
        for (const auto& [round, openings] : by_round) {
            one_a_round = one_a_round && openings.size() == 1;
        }
        CHECK(one_a_round == (policy != OpeningPolicy::Encounter));
        return seen.size();
    };
    CHECK(openings_by(OpeningPolicy::Cycle) == 2);
    CHECK(openings_by(OpeningPolicy::Round) == 10);
    CHECK(openings_by(OpeningPolicy::Encounter) == 30);
    // By encounter, no kind has an opening twice.
    for (const TournamentKind kind : kAllKinds) {
        TournamentSetup setup = setup_of(kind, 9, 3);
        setup.policy = OpeningPolicy::Encounter;
        setup.replays = 2;
        const PlayedTournament played = play_tournament(setup, {}, 1, 3);
        std::set<std::int64_t> seen;
        for (const Meeting& meeting : played.meetings) seen.insert(meeting.opening);
        CHECK(seen.size() == played.meetings.size());
    }
}

TEST_CASE("Tournament: killed at any moment and resumed, it is the one that was not") {
    for (const TournamentKind kind : kAllKinds) {
        for (std::uint64_t run = 0; run < 12; ++run) {
            CAPTURE(name_of(kind));
            CAPTURE(run);
            assay::Random random(assay::mix64(run));
            TournamentSetup setup = setup_of(kind, 3 + random.below(9), 3);
            setup.policy = run % 2 == 0 ? OpeningPolicy::Cycle : OpeningPolicy::Encounter;
            setup.games = run % 3 == 0 ? 1 : 2;
            setup.seeding = run % 4 == 0 ? Seeding::Lot : Seeding::List;
            setup.replays = 1;
            const PlayedTournament whole = play_tournament(setup, {}, run);
            REQUIRE(whole.is_over);
            PlayedTournament part;
            std::map<MeetingKey, Meeting> last;  // as it was given out the last time
            while (!part.is_over) {
                const std::size_t most = part.results.size() + 1 + random.below(6);
                std::vector<MeetingResult> before = part.results;
                std::reverse(before.begin(), before.end());  // their order does not matter
                part = play_tournament(setup, before, run, 1 + random.below(5), most);
                for (const Meeting& meeting : part.meetings) last[meeting.key()] = meeting;
            }
            std::vector<Meeting> resumed;
            for (const auto& [key, meeting] : last) resumed.push_back(meeting);
            CHECK(resumed == sorted(whole.meetings));
            CHECK(part.byes == whole.byes);
            CHECK(part.winner == whole.winner);
            CHECK(part.results.size() == whole.results.size());
            CHECK_FALSE(make_tournament(setup, part.results)->next());
            CHECK(make_tournament(setup, part.results)->is_over());
        }
    }
}

TEST_CASE("Tournament: an added program plays only what lacks, and one left out drops nothing") {
    for (const TournamentKind kind : {TournamentKind::RoundRobin, TournamentKind::Gauntlet,
                                      TournamentKind::Pyramid, TournamentKind::LeastPlayed}) {
        CAPTURE(name_of(kind));
        const TournamentSetup five = setup_of(kind, 5, 2);
        const TournamentSetup six = setup_of(kind, 6, 2);
        const PlayedTournament before = play_tournament(five, {}, 1, 3);
        const PlayedTournament added = play_tournament(six, before.results, 1, 3);
        std::map<MeetingKey, int> both = counted(before.meetings);
        for (const Meeting& meeting : added.meetings) {
            CHECK((meeting.first == 5 || meeting.second == 5));
            ++both[meeting.key()];
        }
        CHECK(both == counted(play_tournament(six, {}, 1).meetings));
        // Left out in the middle: the others keep their numbers and have nothing to play.
        TournamentSetup without = six;
        without.programs = {0, 1, 3, 4, 5};
        CHECK_FALSE(make_tournament(without, added.results)->next());
        // Back again: nothing has been forgotten.
        CHECK_FALSE(make_tournament(six, added.results)->next());
        // More rounds of a stored tournament are what lacks.
        TournamentSetup longer = five;
        longer.rounds = 3;
        const PlayedTournament more = play_tournament(longer, before.results, 1);
        CHECK(2 * more.meetings.size() == before.meetings.size());
        for (const Meeting& meeting : more.meetings) CHECK(meeting.encounter == 2);
    }
}

TEST_CASE("Tournament: least played gives the next meeting to those who met for the fewest games") {
    const TournamentSetup setup = setup_of(TournamentKind::LeastPlayed, 4, 0);
    // 0 and 1 have met often, 2 and 3 once, and the others never.
    std::vector<MeetingResult> before;
    for (int encounter = 0; encounter < 3; ++encounter) {
        before.push_back({0, 1, encounter, {1, 0, 1}, 0});
    }
    before.push_back({2, 3, 0, {1, 0, 1}, 0});
    const auto tournament = make_tournament(setup, before);
    CHECK_FALSE(tournament->meetings());
    std::map<MeetingKey, std::int64_t> games;
    const auto key = [](std::size_t a, std::size_t b) { return MeetingKey{a, b, 0}; };
    games[key(0, 1)] = 6;
    games[key(2, 3)] = 2;
    for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = a + 1; b < 4; ++b) games[key(a, b)] += 0;
    }
    for (int step = 0; step < 60; ++step) {
        const auto meeting = tournament->next();
        REQUIRE(meeting);
        MeetingKey two = meeting->key();
        two.encounter = 0;
        std::int64_t fewest = games[two];
        for (const auto& [other, count] : games) fewest = std::min(fewest, count);
        CHECK(games[two] == fewest);
        games[two] += 2;
    }
    CHECK_FALSE(tournament->is_over());
}

TEST_CASE("Tournament: a round robin of a thousand programs keeps only what was given as played") {
    const TournamentSetup setup = setup_of(TournamentKind::RoundRobin, 1000, 1);
    const auto tournament = make_tournament(setup, {});
    CHECK(tournament->meetings() == 499'500);
    std::int64_t count = 0;
    std::size_t last_round = 0;
    const std::size_t before = ::mallinfo2().uordblks;
    std::size_t most = before;
    while (const auto meeting = tournament->next()) {
        ++count;
        last_round = static_cast<std::size_t>(meeting->round);
        tournament->finished({meeting->first, meeting->second, meeting->encounter, {1, 0, 1}, 0});
        if (count % 1000 == 0) most = std::max(most, ::mallinfo2().uordblks);
    }
    CHECK(most - before <= 2 * 500 * sizeof(Meeting));  // a round, and the one that follows it
    CHECK(count == 499'500);
    CHECK(last_round == 998);
    CHECK(tournament->is_over());
}

TEST_CASE("Tournament: setups that make none are refused with what was found") {
    CHECK(refusal_of(setup_of(TournamentKind::RoundRobin, 1)) ==
          "a tournament needs 2 to 10000 programs, found 1");
    TournamentSetup twice = setup_of(TournamentKind::Swiss, 4);
    twice.programs[3] = 0;
    CHECK(refusal_of(twice) == "a tournament has each program once");
    TournamentSetup gauntlet = setup_of(TournamentKind::Gauntlet, 4);
    gauntlet.seeds = 4;
    CHECK(refusal_of(gauntlet) ==
          "seeds of a gauntlet: expected 1 to 3, one less than the programs, found 4");
    gauntlet.seeds = 0;
    CHECK_FALSE(refusal_of(gauntlet).empty());
    TournamentSetup rounds = setup_of(TournamentKind::RoundRobin, 4, 0);
    CHECK(refusal_of(rounds) == "rounds: expected 1 to 1000000, found 0");
    rounds.kind = TournamentKind::LeastPlayed;
    CHECK(refusal_of(rounds).empty());
    rounds.games = 3;
    CHECK(refusal_of(rounds) == "games of an opening: expected 1 to 2, found 3");
    CHECK(refusal_of(setup_of(TournamentKind::Swiss, 1001)) ==
          "a Swiss takes at most 1000 programs, found 1001");
}

TEST_CASE("Tournament: names of kinds are read back") {
    for (const TournamentKind kind : kAllKinds) {
        CHECK(tournament_kind_of(name_of(kind)) == kind);
    }
    CHECK_FALSE(tournament_kind_of("league"));
}
