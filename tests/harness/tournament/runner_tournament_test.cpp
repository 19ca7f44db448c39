// The orders of fastchess and cutechess-cli, as their command lines give them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "harness/tournament/runner_knockout.h"
#include "tests/harness/tournament/played.h"

using namespace assay::harness;

namespace {

TournamentSetup setup_in_order(PairingOrder order, TournamentKind kind, std::size_t programs,
                               int games) {
    TournamentSetup setup;
    setup.order = order;
    setup.kind = kind;
    for (std::size_t i = 0; i < programs; ++i) setup.programs.push_back(i);
    setup.policy = OpeningPolicy::Encounter;
    setup.games = games % 2 == 0 ? 2 : 1;
    setup.openings = kind == TournamentKind::Knockout ? 1 : games / setup.games;
    setup.games_an_encounter = games;
    if (order == PairingOrder::Cutechess) setup.games_an_opening = 1;
    return setup;
}

char letter(std::size_t program) {
    return static_cast<char>('A' + static_cast<int>(program));
}

/// "A-B 0": who has the first move, and the opening of each game.
std::vector<std::string> games_of(const Meeting& meeting) {
    std::vector<std::string> games;
    for (int i = 0; i < meeting.openings * meeting.games; ++i) {
        const bool is_turned = meeting.swaps_sides && i % 2 == 1;
        games.push_back(fmt::format(
            "{}-{} {}", letter(is_turned ? meeting.second : meeting.first),
            letter(is_turned ? meeting.first : meeting.second),
            meeting.opening + meeting.opening_of(i / meeting.games, i % meeting.games)));
    }
    return games;
}

/// All games in their order, of which each has the next number.
std::string schedule_of(const TournamentSetup& setup) {
    const auto tournament = make_tournament(setup, {});
    std::string text;
    std::int64_t number = 1;
    while (const auto meeting = tournament->next()) {
        CHECK(meeting->number == number);
        for (const std::string& game : games_of(*meeting)) {
            text += (text.empty() ? "" : ", ") + game;
            ++number;
        }
        tournament->finished(played_result(*meeting, 1));
    }
    CHECK(tournament->is_over());
    return text;
}

constexpr auto kFastchess = PairingOrder::Fastchess;
constexpr auto kCutechess = PairingOrder::Cutechess;
constexpr auto kRoundRobin = TournamentKind::RoundRobin;

}  // namespace

TEST_CASE("Runner order: fastchess lists all pairings round by round, an opening each") {
    TournamentSetup setup = setup_in_order(kFastchess, kRoundRobin, 3, 2);
    setup.rounds = 2;
    CHECK(schedule_of(setup) ==
          "A-B 0, B-A 0, A-C 1, C-A 1, B-C 2, C-B 2, A-B 3, B-A 3, A-C 4, C-A 4, B-C 5, C-B 5");
    CHECK(make_tournament(setup, {})->meetings() == 6);
}

TEST_CASE("Runner order: single games of fastchess have their sides by the game's number") {
    TournamentSetup setup = setup_in_order(kFastchess, kRoundRobin, 3, 1);
    setup.rounds = 2;
    CHECK(schedule_of(setup) == "A-B 0, C-A 1, B-C 2, B-A 3, A-C 4, C-B 5");
    setup.begins_reversed = true;
    CHECK(schedule_of(setup) == "B-A 0, A-C 1, C-B 2, A-B 3, C-A 4, B-C 5");
    setup.swaps_sides = false;
    CHECK(schedule_of(setup) == "B-A 0, C-A 1, C-B 2, B-A 3, C-A 4, C-B 5");
}

TEST_CASE("Runner order: the seeds of a gauntlet meet each other in fastchess") {
    TournamentSetup setup = setup_in_order(kFastchess, TournamentKind::Gauntlet, 4, 1);
    CHECK(schedule_of(setup) == "A-B 0, C-A 1, A-D 2");
    setup.seeds = 2;
    CHECK(schedule_of(setup) == "A-B 0, C-A 1, A-D 2, C-B 3, B-D 4");
    CHECK(make_tournament(setup, {})->meetings() == 5);
}

TEST_CASE("Runner order: cutechess-cli turns a circle, and sides go on from meeting to meeting") {
    TournamentSetup setup = setup_in_order(kCutechess, kRoundRobin, 4, 1);
    setup.rounds = 2;
    CHECK(schedule_of(setup) ==
          "A-D 0, B-C 1, A-C 2, D-B 3, A-B 4, C-D 5, "
          "D-A 6, C-B 7, C-A 8, B-D 9, B-A 10, D-C 11");
    setup.rounds = 1;
    setup.programs.push_back(4);
    CHECK(schedule_of(setup) ==
          "B-E 0, C-D 1, A-E 2, B-C 3, A-D 4, E-C 5, A-C 6, D-B 7, A-B 8, D-E 9");
}

TEST_CASE("Runner order: -reverse of cutechess-cli turns sides whenever two meet anew") {
    TournamentSetup setup = setup_in_order(kCutechess, kRoundRobin, 3, 1);
    setup.rounds = 2;
    setup.begins_reversed = true;
    // As there: single games never change their sides then.
    CHECK(schedule_of(setup) == "C-B 0, C-A 1, B-A 2, C-B 3, C-A 4, B-A 5");
    setup = setup_in_order(kCutechess, kRoundRobin, 3, 2);
    setup.rounds = 2;
    setup.begins_reversed = true;
    setup.games_an_opening = 2;
    CHECK(schedule_of(setup) ==
          "C-B 0, B-C 0, C-A 1, A-C 1, B-A 2, A-B 2, B-C 3, C-B 3, A-C 4, C-A 4, A-B 5, B-A 5");
}

TEST_CASE("Runner order: openings are played as often in a row as -repeat says") {
    TournamentSetup setup = setup_in_order(kCutechess, TournamentKind::Gauntlet, 3, 4);
    CHECK(schedule_of(setup) == "A-B 0, B-A 1, A-B 2, B-A 3, A-C 4, C-A 5, A-C 6, C-A 7");
    setup.games_an_opening = 2;
    CHECK(schedule_of(setup) == "A-B 0, B-A 0, A-B 1, B-A 1, A-C 2, C-A 2, A-C 3, C-A 3");
    setup.games_an_opening = 3;
    CHECK(schedule_of(setup) == "A-B 0, B-A 0, A-B 0, B-A 1, A-C 2, C-A 2, A-C 2, C-A 3");
    setup.games_an_opening = 9;
    CHECK(schedule_of(setup) == "A-B 0, B-A 0, A-B 0, B-A 0, A-C 1, C-A 1, A-C 1, C-A 1");
    setup = setup_in_order(kCutechess, kRoundRobin, 4, 1);
    setup.policy = OpeningPolicy::Round;
    CHECK(schedule_of(setup) == "A-D 0, B-C 0, A-C 1, D-B 1, A-B 2, C-D 2");
}

TEST_CASE("Runner order: who joins a pyramid has the first move") {
    TournamentSetup setup = setup_in_order(kCutechess, TournamentKind::Pyramid, 4, 1);
    CHECK(schedule_of(setup) == "B-A 0, C-A 1, C-B 2, D-A 3, D-B 4, D-C 5");
    setup = setup_in_order(kCutechess, TournamentKind::Pyramid, 3, 3);
    CHECK(schedule_of(setup) == "B-A 0, A-B 1, B-A 2, C-A 3, A-C 4, C-A 5, C-B 6, B-C 7, C-B 8");
}

TEST_CASE("Runner order: everyone meets everyone equally often, and a resume has the rest") {
    for (const PairingOrder order : {kFastchess, kCutechess}) {
        for (std::size_t programs = 2; programs <= 17; ++programs) {
            CAPTURE(programs);
            TournamentSetup setup = setup_in_order(order, kRoundRobin, programs, 2);
            setup.rounds = 3;
            const PlayedTournament all = play_tournament(setup, {}, 1);
            std::map<std::size_t, int> met;
            for (const Meeting& meeting : all.meetings) ++met[meeting.key().couple()];
            CHECK(met.size() == programs * (programs - 1) / 2);
            for (const auto& [couple, times] : met) CHECK(times == 3);
            const std::size_t half = all.results.size() / 2;
            const PlayedTournament begun = play_tournament(setup, {}, 1, 3, half);
            const PlayedTournament rest = play_tournament(setup, begun.results, 1, 2);
            CHECK(rest.is_over);
            // The same meetings with the same sides, openings and numbers.
            std::set<std::int64_t> numbers;
            for (const MeetingResult& result : begun.results) {
                const auto same = std::ranges::find(all.meetings, result.key(), &Meeting::key);
                REQUIRE(same != all.meetings.end());
                numbers.insert(same->number);
            }
            for (const Meeting& meeting : rest.meetings) {
                CHECK(std::ranges::find(all.meetings, meeting) != all.meetings.end());
                CHECK(numbers.insert(meeting.number).second);
            }
            CHECK(numbers.size() == all.meetings.size());
        }
    }
}

TEST_CASE("Runner knockout: the bracket of eight, and byes for the best of six") {
    TournamentSetup setup = setup_in_order(kCutechess, TournamentKind::Knockout, 8, 2);
    setup.seeds = 8;
    const auto first_round = [&setup] {
        std::string text;
        for (const Tie& tie : make_tournament(setup, {})->ties()) {
            text += fmt::format("{}{}-{}", text.empty() ? "" : " ", letter(tie.better),
                                tie.worse ? letter(*tie.worse) : '_');
        }
        return text;
    };
    CHECK(first_round() == "A-E C-G B-F D-H");
    setup.programs.resize(6);
    CHECK(first_round() == "A-_ C-E B-_ D-F");
    setup.programs.resize(2);
    CHECK(first_round() == "A-B");
    // Without seeds the lot decides, and the seed decides the lot.
    setup.programs = {0, 1, 2, 3, 4, 5, 6, 7};
    setup.seeds = 0;
    std::set<std::string> lots;
    for (setup.seed = 1; setup.seed <= 20; ++setup.seed) lots.insert(first_round());
    CHECK(lots.size() > 10);
}

TEST_CASE("Runner knockout: who has more than half the points goes on, who is level plays on") {
    TournamentSetup setup = setup_in_order(kCutechess, TournamentKind::Knockout, 2, 4);
    setup.seeds = 2;
    RunnerKnockout knockout(setup, {});
    const auto play = [&knockout](std::int64_t wins, std::int64_t draws, std::int64_t losses) {
        const auto meeting = knockout.next();
        REQUIRE(meeting);
        CHECK(meeting->first == 0);
        knockout.finished({meeting->first,
                           meeting->second,
                           meeting->encounter,
                           {wins, draws, losses},
                           meeting->round});
        return games_of(*meeting);
    };
    CHECK(play(1, 0, 1) == std::vector<std::string>{"A-B 0", "B-A 1"});
    CHECK(play(0, 2, 0) == std::vector<std::string>{"A-B 2", "B-A 3"});
    CHECK_FALSE(knockout.is_over());
    CHECK(play(0, 2, 0) == std::vector<std::string>{"A-B 4", "B-A 5"});
    CHECK(play(0, 1, 1) == std::vector<std::string>{"A-B 6", "B-A 7"});
    CHECK(knockout.is_over());
    CHECK(knockout.winner() == 1);
    CHECK_FALSE(knockout.next());
}

TEST_CASE("Runner knockout: single games change sides until one is won") {
    TournamentSetup setup = setup_in_order(kCutechess, TournamentKind::Knockout, 3, 1);
    setup.seeds = 3;
    RunnerKnockout knockout(setup, {});
    std::string text;
    for (int draws = 3; const auto meeting = knockout.next(); --draws) {
        CHECK_FALSE(knockout.next());  // it may decide
        text += (text.empty() ? "" : ", ") + games_of(*meeting).front();
        const bool is_draw = draws > 0;
        knockout.finished({meeting->first,
                           meeting->second,
                           meeting->encounter,
                           {is_draw ? 0 : 1, is_draw ? 1 : 0, 0},
                           meeting->round});
    }
    CHECK(text == "B-C 0, C-B 1, B-C 2, C-B 3, A-C 1");
    CHECK(knockout.winner() == 0);
    CHECK(knockout.byes() == std::vector<Bye>{{0, 0, 0}});
}

TEST_CASE("Runner knockout: who stays level for ever is parted by rank, also at a resume") {
    for (const int games : {1, 2, 5}) {
        CAPTURE(games);
        TournamentSetup setup = setup_in_order(kCutechess, TournamentKind::Knockout, 2, games);
        setup.seeds = 2;
        std::vector<MeetingResult> played;
        std::size_t resumed_at = 50;
        std::optional<RunnerKnockout> knockout(std::in_place, setup, played);
        while (const auto meeting = knockout->next()) {
            REQUIRE(played.size() < 200);
            CHECK_FALSE(knockout->is_over());
            const MeetingResult result{meeting->first,
                                       meeting->second,
                                       meeting->encounter,
                                       {0, meeting->games, 0},
                                       meeting->round};
            knockout->finished(result);
            played.push_back(result);
            if (played.size() == resumed_at) knockout.emplace(setup, played);
        }
        const std::size_t planned = static_cast<std::size_t>(games / setup.games);
        CHECK(played.size() == planned + RunnerKnockout::kMostReplays);
        CHECK(knockout->winner() == 0);
        CHECK(knockout->ties().front().is_level);
        CHECK(RunnerKnockout(setup, played).winner() == 0);
    }
}

TEST_CASE("Runner knockout: any results and any interruption: one winner, no game twice") {
    for (std::size_t programs = 2; programs <= 17; ++programs) {
        for (const int games : {1, 2, 3, 6}) {
            CAPTURE(programs);
            CAPTURE(games);
            TournamentSetup setup =
                setup_in_order(kCutechess, TournamentKind::Knockout, programs, games);
            setup.seeds = 1;
            setup.seed = programs;
            const PlayedTournament begun = play_tournament(setup, {}, 5, 3, programs);
            const PlayedTournament rest = play_tournament(setup, begun.results, 5, 2);
            CHECK(rest.is_over);
            CHECK(rest.winner);
            std::set<MeetingKey> keys;
            for (const MeetingResult& result : rest.results)
                CHECK(keys.insert(result.key()).second);
            std::set<std::size_t> couples;
            for (const MeetingKey& key : keys) couples.insert(key.couple());
            CHECK(couples.size() == programs - 1);
        }
    }
}
