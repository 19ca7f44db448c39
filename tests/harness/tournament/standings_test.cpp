#include "harness/tournament/standings.h"

#include <doctest/doctest.h>

#include "stats/data/elo.h"
#include "tests/harness/tournament/played.h"

using namespace assay::harness;

namespace {

/// Four programs, each two met in one pair of games: 0 beat 1 and 3, 1 beat 2, and so on.
StandingsInput four() {
    StandingsInput input;
    input.programs = {0, 1, 2, 3};
    input.results = {{0, 1, 0, {1, 1, 0}, 0}, {2, 3, 0, {1, 0, 1}, 0}, {0, 2, 0, {0, 2, 0}, 1},
                     {3, 1, 0, {0, 0, 2}, 1}, {3, 0, 0, {0, 1, 1}, 2}, {1, 2, 0, {1, 1, 0}, 2}};
    input.tie_breaks = usual_tie_breaks(TournamentKind::RoundRobin);
    return input;
}

const StandingRow& row_of(const std::vector<StandingRow>& rows, std::size_t program) {
    for (const StandingRow& row : rows) {
        if (row.program == program) return row;
    }
    FAIL("not in the table");
    return rows.front();
}

}  // namespace

TEST_CASE("Standings: points, games, Sonneborn-Berger and Buchholz as counted by hand") {
    const std::vector<StandingRow> rows = standings_of(four());
    // Points: 0: 1.5 + 1 + 1.5 = 4; 1: 0.5 + 2 + 1.5 = 4; 2: 1 + 1 + 0.5 = 2.5; 3: 1 + 0 + 0.5.
    CHECK(row_of(rows, 0).points() == 4);
    CHECK(row_of(rows, 1).points() == 4);
    CHECK(row_of(rows, 2).points() == 2.5);
    CHECK(row_of(rows, 3).points() == 1.5);
    CHECK(row_of(rows, 1).games == assay::stats::Wdl{3, 2, 1});
    CHECK(row_of(rows, 0).sonneborn_berger == 1.5 * 4 + 1 * 2.5 + 1.5 * 1.5);
    CHECK(row_of(rows, 1).sonneborn_berger == 0.5 * 4 + 2 * 1.5 + 1.5 * 2.5);
    CHECK(row_of(rows, 0).buchholz == 8);
    CHECK(row_of(rows, 0).buchholz_cut1 == 6.5);
    CHECK(row_of(rows, 3).buchholz_cut1 == 8);
    // 0 is before 1 by Sonneborn-Berger.
    CHECK(rows[0].program == 0);
    CHECK(rows[0].rank == 1);
    CHECK(rows[1].program == 1);
    CHECK(rows[1].rank == 2);
    CHECK(rows[3].program == 3);
}

TEST_CASE("Standings: the sum of points is that of games, and who meets nobody is last") {
    const PlayedTournament played =
        play_tournament(setup_of(TournamentKind::RoundRobin, 7, 2), {}, 9);
    StandingsInput input;
    input.programs = {0, 1, 2, 3, 4, 5, 6, 7};
    input.results = played.results;
    double sum = 0;
    for (const StandingRow& row : standings_of(input)) sum += row.points();
    CHECK(sum == 2.0 * 42);
    CHECK(standings_of(input).back().program == 7);
    CHECK_FALSE(standings_of(input).back().performance);
}

TEST_CASE("Standings: equal in everything stated is an equal rank, in the order of the list") {
    StandingsInput input;
    input.programs = {2, 0, 1};
    input.results = {{0, 1, 0, {1, 0, 1}, 0}, {1, 2, 0, {1, 0, 1}, 0}, {0, 2, 0, {1, 0, 1}, 0}};
    input.tie_breaks = usual_tie_breaks(TournamentKind::Swiss);
    const std::vector<StandingRow> rows = standings_of(input);
    for (const StandingRow& row : rows) CHECK(row.rank == 1);
    CHECK(rows[0].program == 2);
    CHECK(rows[2].program == 1);
}

TEST_CASE("Standings: a bye counts its points, and in Buchholz as an opponent like oneself") {
    StandingsInput input;
    input.programs = {0, 1, 2};
    input.results = {{0, 1, 0, {2, 0, 0}, 0}, {0, 2, 0, {1, 0, 1}, 1}};
    input.byes = {{0, 2, 4}, {1, 1, 4}};
    const std::vector<StandingRow> rows = standings_of(input);
    CHECK(row_of(rows, 2).points() == 3);
    CHECK(row_of(rows, 2).byes == 1);
    CHECK(row_of(rows, 2).buchholz == 3 + 3);
    CHECK(row_of(rows, 1).points() == 2);
    CHECK(row_of(rows, 1).buchholz == 3 + 2);
    CHECK(row_of(rows, 0).buchholz == 2 + 3);
}

TEST_CASE("Standings: performance is the opponents' mean and the Elo of the score") {
    StandingsInput input = four();
    input.ratings = {{0, 100}, {1, 50}, {2, -50}, {3, -100}};
    const std::vector<StandingRow> rows = standings_of(input);
    CHECK(row_of(rows, 0).opponents == doctest::Approx(-100.0 / 3));
    REQUIRE(row_of(rows, 0).performance);
    CHECK(*row_of(rows, 0).performance ==
          doctest::Approx(-100.0 / 3 + assay::stats::elo_of_score(4.0 / 6)));
    input.results = {{0, 1, 0, {2, 0, 0}, 0}};
    CHECK_FALSE(row_of(standings_of(input), 0).performance);  // no finite rating explains it
}

TEST_CASE("Standings: a knockout is ordered by how far each came") {
    const TournamentSetup setup = setup_of(TournamentKind::Knockout, 8);
    const PlayedTournament played = play_tournament(setup, {}, 2);
    StandingsInput input;
    input.programs = setup.programs;
    input.results = played.results;
    input.winner = played.winner;
    input.tie_breaks = usual_tie_breaks(TournamentKind::Knockout);
    const std::vector<StandingRow> rows = standings_of(input);
    CHECK(rows[0].program == *played.winner);
    CHECK(rows[1].last_round == 2);
    CHECK(rows[3].last_round == 1);
    CHECK(rows[4].last_round == 0);
}

TEST_CASE("Standings: who is still in a knockout stands above who is out, whatever their points") {
    StandingsInput input;
    input.programs = {0, 1, 2, 3};
    // 2 lost to 1 after two level meetings, and has more points than 0, who won at once.
    input.results = {{0, 3, 0, {1, 1, 0}, 0},
                     {1, 2, 0, {1, 0, 1}, 0},
                     {2, 1, 1, {1, 0, 1}, 0},
                     {1, 2, 2, {1, 1, 0}, 0}};
    input.out = {3, 2};
    input.tie_breaks = usual_tie_breaks(TournamentKind::Knockout);
    const std::vector<StandingRow> rows = standings_of(input);
    CHECK(row_of(rows, 2).points() > row_of(rows, 0).points());
    CHECK(rows[0].program == 1);
    CHECK(rows[1].program == 0);
    CHECK(rows[2].program == 2);
    CHECK_FALSE(rows[1].is_out);
    CHECK(rows[2].is_out);
}

TEST_CASE("Standings: programs of a gauntlet are ranked by their share of the points") {
    StandingsInput input;
    input.programs = {0, 1, 2};
    input.results = {{0, 1, 0, {1, 0, 3}, 0}, {0, 2, 0, {3, 0, 1}, 0}};
    input.tie_breaks = usual_tie_breaks(TournamentKind::Gauntlet);
    const std::vector<StandingRow> rows = standings_of(input);
    CHECK(rows[0].program == 1);  // 3 of 4
    CHECK(rows[1].program == 0);  // 4 of 8
    CHECK(rows[2].program == 2);  // 1 of 4
    CHECK(rows[1].share() == 0.5);
    CHECK(rows[1].possible_points() == 8);
}

TEST_CASE("Standings: the crosstable is seen from both sides") {
    const Crosstable table(four().results);
    CHECK(table.at(0, 1) == assay::stats::Wdl{1, 1, 0});
    CHECK(table.at(1, 0) == assay::stats::Wdl{0, 1, 1});
    CHECK(table.at(1, 3) == assay::stats::Wdl{2, 0, 0});
    CHECK(table.at(0, 0).games() == 0);
}
