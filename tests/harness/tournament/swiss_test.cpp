#include "harness/tournament/swiss.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "tests/harness/tournament/played.h"

using namespace assay::harness;

namespace {

/// What the harness's records say, kept once more by the test.
struct Ledger {
    std::int64_t half_points = 0;
    int byes = 0;
    std::map<std::size_t, int> met;
    std::vector<int> sides;
};

using Ledgers = std::vector<Ledger>;

/// The criteria that stand above sides and floats, of one whole round.
using Faults = std::array<std::int64_t, 4>;  // rematches, second byes, score of the bye, squares

Faults faults_of(const Ledgers& ledgers, const std::vector<std::size_t>& partner) {
    Faults faults{};
    const std::size_t nobody = ledgers.size();
    for (std::size_t a = 0; a < ledgers.size(); ++a) {
        const std::size_t b = partner[a];
        if (b == nobody) {
            faults[1] += ledgers[a].byes > 0 ? 1 : 0;
            faults[2] += ledgers[a].half_points;
            continue;
        }
        if (b < a) continue;
        const auto met = ledgers[a].met.find(b);
        faults[0] += met == ledgers[a].met.end() ? 0 : met->second;
        const std::int64_t apart = ledgers[a].half_points - ledgers[b].half_points;
        faults[3] += apart * apart;
    }
    return faults;
}

/// Tries all pairings.
void try_all(const Ledgers& ledgers, std::vector<std::size_t>& partner, std::optional<Faults>& best,
             bool has_bye) {
    constexpr std::size_t kOpen = static_cast<std::size_t>(-1);
    std::size_t a = 0;
    while (a < partner.size() && partner[a] != kOpen) ++a;
    if (a == partner.size()) {
        const Faults faults = faults_of(ledgers, partner);
        if (!best || faults < *best) best = faults;
        return;
    }
    for (std::size_t b = a + 1; b < partner.size(); ++b) {
        if (partner[b] != kOpen) continue;
        partner[a] = b;
        partner[b] = a;
        try_all(ledgers, partner, best, has_bye);
        partner[b] = kOpen;
    }
    if (!has_bye && partner.size() % 2 == 1) {
        partner[a] = partner.size();
        try_all(ledgers, partner, best, true);
    }
    partner[a] = kOpen;
}

Faults least_faults(const Ledgers& ledgers) {
    std::vector<std::size_t> partner(ledgers.size(), static_cast<std::size_t>(-1));
    std::optional<Faults> best;
    try_all(ledgers, partner, best, false);
    return *best;
}

void book(Ledgers& ledgers, const MeetingResult& result) {
    for (const std::size_t program : {result.first, result.second}) {
        ledgers[program].half_points += result.half_points(program);
        ++ledgers[program].met[result.opponent_of(program)];
        ledgers[program].sides.push_back(program == result.first ? 1 : -1);
    }
}

/// One round of a tournament: its meetings, and the bye.
struct Round {
    std::vector<Meeting> meetings;
    std::optional<Bye> bye;
};

Round take_round(Tournament& swiss, std::size_t programs) {
    Round round;
    while (const auto meeting = swiss.next()) round.meetings.push_back(*meeting);
    if (programs % 2 == 1) round.bye = swiss.byes().back();
    return round;
}

/// Plays a tournament, and hands each round with the ledgers before it to `check`.
template <class Check>
Ledgers play(const TournamentSetup& setup, std::uint64_t seed, const Check& check) {
    const std::size_t programs = setup.programs.size();
    Ledgers ledgers(programs);
    const auto swiss = make_tournament(setup, {});
    while (!swiss->is_over()) {
        const Round round = take_round(*swiss, programs);
        check(round, ledgers);
        for (const Meeting& meeting : round.meetings) book(ledgers, played_result(meeting, seed));
        if (round.bye) {
            ++ledgers[round.bye->program].byes;
            ledgers[round.bye->program].half_points += round.bye->half_points;
        }
        for (const Meeting& meeting : round.meetings) {
            swiss->finished(played_result(meeting, seed));
        }
    }
    return ledgers;
}

std::vector<std::size_t> partners_of(const Round& round, std::size_t programs) {
    std::vector<std::size_t> partner(programs, programs);
    for (const Meeting& meeting : round.meetings) {
        partner[meeting.first] = meeting.second;
        partner[meeting.second] = meeting.first;
    }
    return partner;
}

std::vector<MeetingKey> keys_of(const Round& round) {
    std::vector<MeetingKey> keys;
    for (const Meeting& meeting : round.meetings) keys.push_back(meeting.key());
    return keys;
}

}  // namespace

TEST_CASE("Swiss: 200 tournaments of 4 to 64 programs: no rematch, one bye, everyone plays") {
    assay::Random random(3);
    for (std::uint64_t run = 0; run < 200; ++run) {
        const std::size_t programs = 4 + random.below(run % 8 == 0 ? 61 : 16);
        TournamentSetup setup = setup_of(TournamentKind::Swiss, programs, 0);
        setup.games = run % 2 == 0 ? 2 : 1;
        if (run % 5 == 0) setup.rounds = static_cast<int>(std::min<std::size_t>(programs / 2, 8));
        CAPTURE(programs);
        CAPTURE(run);
        int rounds = 0;
        const Ledgers end = play(setup, run, [&](const Round& round, const Ledgers& before) {
            CHECK(round.meetings.size() == programs / 2);
            std::set<std::size_t> seen;
            for (const Meeting& meeting : round.meetings) {
                CHECK(seen.insert(meeting.first).second);
                CHECK(seen.insert(meeting.second).second);
                // Everyone has met as many as there were rounds: as long as that leaves everyone
                // half of the others, a pairing without a rematch exists (Dirac's theorem).
                const std::size_t free = programs - 1 - static_cast<std::size_t>(rounds);
                if (programs % 2 == 0 && 2 * free >= programs) CHECK(meeting.encounter == 0);
                const auto met = before[meeting.first].met.find(meeting.second);
                CHECK(meeting.encounter ==
                      (met == before[meeting.first].met.end() ? 0 : met->second));
            }
            if (round.bye) {
                CHECK(seen.insert(round.bye->program).second);
                CHECK(before[round.bye->program].byes == 0);
            }
            CHECK(seen.size() == programs);
            ++rounds;
        });
        for (const Ledger& ledger : end) CHECK(ledger.byes <= 1);
    }
}

TEST_CASE("Swiss: of small tournaments no pairing has fewer rematches or smaller differences") {
    for (std::uint64_t run = 0; run < 60; ++run) {
        const std::size_t programs = 4 + run % 5;
        TournamentSetup setup =
            setup_of(TournamentKind::Swiss, programs, static_cast<int>(programs));
        CAPTURE(run);
        (void)play(setup, run, [&](const Round& round, const Ledgers& before) {
            CHECK(faults_of(before, partners_of(round, programs)) == least_faults(before));
        });
    }
}

TEST_CASE("Swiss: rounds 1 and 2 as in the handbook: upper half against lower half") {
    const TournamentSetup setup = setup_of(TournamentKind::Swiss, 8, 3);
    const auto swiss = make_tournament(setup, {});
    const Round first = take_round(*swiss, 8);
    CHECK(keys_of(first) == std::vector<MeetingKey>{{0, 4, 0}, {1, 5, 0}, {2, 6, 0}, {3, 7, 0}});
    CHECK_FALSE(swiss->next());  // the next round needs all results
    for (const Meeting& meeting : first.meetings) {
        const bool wins = meeting.first < meeting.second;
        swiss->finished({meeting.first, meeting.second, 0, {wins ? 2 : 0, 0, wins ? 0 : 2}, 0});
    }
    CHECK(keys_of(take_round(*swiss, 8)) ==
          std::vector<MeetingKey>{{0, 2, 0}, {1, 3, 0}, {4, 6, 0}, {5, 7, 0}});
}

TEST_CASE("Swiss: a bye goes to the last, counts as all games won, and to another one next") {
    const TournamentSetup setup = setup_of(TournamentKind::Swiss, 5, 3);
    std::set<std::size_t> byes;
    (void)play(setup, 4, [&](const Round& round, const Ledgers& before) {
        REQUIRE(round.bye);
        if (byes.empty()) CHECK(round.bye->program == 4);
        CHECK(round.bye->half_points == 4);
        byes.insert(round.bye->program);
        CHECK(before[round.bye->program].byes == 0);
    });
    CHECK(byes.size() == 3);
}

TEST_CASE("Swiss: sides of single games: never three times the same, never three more of one") {
    for (std::uint64_t run = 0; run < 20; ++run) {
        TournamentSetup setup = setup_of(TournamentKind::Swiss, 20 + run % 7, 6);
        setup.games = 1;
        setup.seed = run;
        CAPTURE(run);
        for (const Ledger& ledger : play(setup, run, [](const Round&, const Ledgers&) {})) {
            int balance = 0;
            for (std::size_t i = 0; i < ledger.sides.size(); ++i) {
                balance += ledger.sides[i];
                CHECK(std::abs(balance) <= 2);
                if (i < 2) continue;
                CHECK(std::abs(ledger.sides[i] + ledger.sides[i - 1] + ledger.sides[i - 2]) < 3);
            }
        }
    }
}

TEST_CASE("Swiss: who floated down floats down again only where nobody else can") {
    // Three of 4 points: one of them meets one of the three of 0 points. Program 2, the last of the
    // upper group, has floated down in the last round, so that another one goes.
    std::vector<SwissRecord> records(6);
    for (std::size_t i = 0; i < 6; ++i) {
        records[i].half_points = i < 3 ? 4 : 0;
        records[i].floats = {0};
    }
    const auto floater = [&records] {
        for (const SwissRound::Pair& pair : pair_swiss_round(records, false, 1).pairs) {
            const std::size_t low = std::min(pair.first, pair.second);
            if (low < 3 && std::max(pair.first, pair.second) >= 3) return low;
        }
        return std::size_t{99};
    };
    CHECK(floater() == 2);
    records[2].floats = {1};
    CHECK(floater() != 2);
    CHECK(floater() < 3);
}

TEST_CASE("Swiss: as many rounds as a knockout has, where the setup does not say") {
    CHECK(make_tournament(setup_of(TournamentKind::Swiss, 16, 0), {})->meetings() == 32);
    CHECK(make_tournament(setup_of(TournamentKind::Swiss, 17, 0), {})->meetings() == 40);
}
