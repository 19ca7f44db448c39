#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/conditions/judgement.h"
#include "harness/match/tally.h"
#include "harness/tournament/standings.h"
#include "harness/tournament/tournament.h"
#include "stats/estimate/rating.h"

namespace assay::reports {

/// What a tournament's reports are made from. Programs are numbers of the plan.
struct TournamentInput {
    std::string name;
    harness::TournamentSetup setup;
    std::vector<std::string> names;               // of all programs of the plan
    std::vector<std::string> versions;            // what tells their versions apart; may be empty
    std::string first_side = "the first player";  // what the game calls it
    bool is_over = false;                         // nothing more is going to be played
    /// How fast pairs are played, all games at once together; nullopt: not known.
    std::optional<double> us_per_pair = std::nullopt;
};

/// A program's line in the table.
struct TournamentRow {
    std::string name;
    std::string version;            // may be empty
    harness::StandingRow standing;  // rank, points, tie breaks, performance
    harness::PlayedMeetings::BySide sides;
    std::optional<stats::Rating> rating;
    std::optional<double> los_to_next;  // P(stronger than the program of the next line)
    harness::Failures failures;
    bool is_left_out = false;  // it plays no more, and keeps its games
    bool is_seed = false;      // of a gauntlet: it meets all others

    [[nodiscard]] std::int64_t games() const { return standing.games.games(); }

    /// Share of the points of its games, byes apart; nullopt without games.
    [[nodiscard]] std::optional<double> score() const;
};

/// Two programs that meet in a round, as far as they have played.
struct RoundMeeting {
    harness::Meeting meeting;
    stats::Wdl games;  // of Meeting::first
    bool is_complete = false;
};

/// A round of a Swiss tournament or a knockout.
struct TournamentRound {
    std::int64_t round = 0;              // from 0
    std::vector<RoundMeeting> meetings;  // replays of a tie are meetings of their own
    std::vector<harness::Bye> byes;
    std::vector<std::size_t> went_on;  // of a knockout: who won its tie, or had a bye
};

/// Everything that the reports of a tournament show, computed once. Forms only draw it.
struct TournamentView {
    std::string name;
    harness::TournamentKind kind = harness::TournamentKind::RoundRobin;
    std::string first_side;
    bool is_over = false;
    std::vector<harness::TieBreak> tie_breaks;  // those with a column of their own
    std::vector<TournamentRow> rows;            // in the order of the table
    harness::Crosstable crosstable{{}};         // of programs of the plan
    std::vector<TournamentRound> rounds;        // Swiss and knockout only
    int openings = 1;                           // of a meeting
    int games_an_opening = 2;
    std::map<harness::MeetingKey, std::int64_t> round_of;  // from 0, of the meetings played
    /// Meetings that are complete, of a knockout ties that are decided.
    std::int64_t done = 0;
    std::optional<std::int64_t> all;  // nullopt: it has no end of its own
    std::int64_t pairs = 0;
    std::int64_t single_games = 0;              // that belong to no pair
    std::optional<Micros> left;                 // nullopt: not known, or over
    std::optional<std::size_t> winner;          // of a knockout, a place in `rows`
    std::vector<std::string> names;             // of all programs of the plan
    stats::Wdl first_player;                    // over all games
    std::optional<stats::Estimate> first_move;  // its advantage in Elo, from the ratings
    std::optional<double> equal_draws;          // share of draws between equals, likewise
    std::optional<std::size_t> strongest;       // row that is shown to be it; all are rated
    std::int64_t orders = 0;                    // of two programs that are shown, and
    std::int64_t all_orders = 0;                // that could be: 95 % for all at once
    std::optional<stats::RatingTable> ratings;  // of `rated`, by place there
    std::vector<std::size_t> rated;             // programs of the plan that have games
    std::vector<std::string> warnings;          // sentences
    /// Conditions, by the games so far; nullopt: there are none.
    std::optional<harness::TournamentJudgement> judged;

    [[nodiscard]] std::int64_t games() const { return first_player.games(); }

    /// All that it asks for has been played; of one without an end of its own, its time is up.
    [[nodiscard]] bool is_complete() const { return all ? done >= *all : is_over; }

    /// Share of drawn games; nullopt without games.
    [[nodiscard]] std::optional<double> draw_rate() const;

    [[nodiscard]] harness::Failures failures() const;

    /// The round of a game and its number in the meeting, "3.2": of pair `pair`, game 0 or 1, of
    /// the match of two programs. "?" where the schedule has no such meeting, as of a program that
    /// is left out. REQUIRES: low < high.
    [[nodiscard]] std::string round_text(std::size_t low, std::size_t high, std::int64_t pair,
                                         int game) const;

    /// What two programs scored against each other, places in `rows`, seen by the first.
    [[nodiscard]] stats::Wdl between(std::size_t row, std::size_t other) const {
        return crosstable.at(rows[row].standing.program, rows[other].standing.program);
    }
};

/// Programs that the setup has not (left out later) stand in the table with the games that they
/// have. Ratings have seed 1 and mean 0, as `assay stats rate` has them without options. Costs as
/// much as stats::RatingTable. REQUIRES: `names` has all programs of `counts`.
[[nodiscard]] TournamentView tournament_view(const TournamentInput& input,
                                             const harness::PlayedMeetings& counts);

}  // namespace assay::reports
