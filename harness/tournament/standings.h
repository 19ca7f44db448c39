#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/tournament/tournament.h"
#include "stats/data/counts.h"

namespace assay::harness {

/// What tells programs of equal points apart.
enum class TieBreak : std::uint8_t {
    LastRound,        // a knockout: its winner, who is still in, then who came farther
    Share,            // points by the points that could be had: numbers of games differ
    BuchholzCut1,     // points of all opponents but the one with the fewest
    Buchholz,         // points of all opponents
    SonnebornBerger,  // points taken from each opponent times that opponent's points
    Wins,             // games won
};

/// "last round", "Buchholz cut 1" …
[[nodiscard]] std::string_view name_of(TieBreak tie_break);

/// A program's line in the table of a tournament. Points and tie breaks of results so far.
struct StandingRow {
    std::size_t program = 0;
    std::size_t rank = 1;          // shared where nothing tells two apart
    std::int64_t half_points = 0;  // with byes
    stats::Wdl games;
    std::int64_t byes = 0;
    std::int64_t last_round = 0;  // the last one that it has played in
    bool is_out = false;          // of a knockout: it has lost a tie
    double sonneborn_berger = 0;
    double buchholz = 0;
    double buchholz_cut1 = 0;
    double opponents = 0;  // mean rating of its opponents, by games
    /// The rating whose expected score against that mean is its score; nullopt without games, or
    /// where it won or lost all.
    std::optional<double> performance;

    [[nodiscard]] double points() const { return 0.5 * static_cast<double>(half_points); }

    /// The most points that it could have by now: one a game, and those of its byes.
    [[nodiscard]] std::int64_t possible_points() const;

    /// Points by possible_points(); 0 without games and byes.
    [[nodiscard]] double share() const;
};

struct StandingsInput {
    std::vector<std::size_t> programs;  // those of the table; opponents that are none count too
    std::vector<MeetingResult> results;
    std::vector<Bye> byes;
    std::optional<std::size_t> winner;      // of a knockout, and
    std::vector<std::size_t> out;           // who has lost a tie
    std::vector<TieBreak> tie_breaks;       // in this order
    std::map<std::size_t, double> ratings;  // in Elo, for performance; missing ones are 0
};

/// What a tie break compares of a row.
[[nodiscard]] double value_of(const StandingRow& row, TieBreak tie_break);

/// The order that is usual for a kind. Swiss: Buchholz cut 1, Buchholz, Sonneborn-Berger, wins.
/// Knockout: the last round. Others: the share of points, as those of a gauntlet, of a tournament
/// that goes on, or who were added or left out, differ in their games; Sonneborn-Berger, wins.
[[nodiscard]] std::vector<TieBreak> usual_tie_breaks(TournamentKind kind);

/// By points, then by the tie breaks in their order (LastRound and Share stand before points), then
/// in the order of `programs`, with equal ranks. A Buchholz counts each meeting once, and a bye as
/// a meeting with an opponent of the program's own points (FIDE, Tie-break regulations 2023, 16). A
/// Sonneborn-Berger counts the meetings that were played, and no byes.
[[nodiscard]] std::vector<StandingRow> standings_of(const StandingsInput& input);

/// Who took what from whom.
class Crosstable {
public:
    explicit Crosstable(const std::vector<MeetingResult>& results);

    /// Games of a against b, seen by a; no games where they have not met.
    [[nodiscard]] stats::Wdl at(std::size_t a, std::size_t b) const;

private:
    std::map<std::pair<std::size_t, std::size_t>, stats::Wdl> cells_;
};

}  // namespace assay::harness
