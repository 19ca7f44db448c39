// A table in two passes over the meetings. The first one adds up games and points of each program.
// The second one computes the tie breaks, which need the sums of all opponents:
//   Buchholz           the sum of the opponents' points, one summand a meeting
//   Buchholz cut 1     without the least summand, so that one weak opponent costs nothing
//   Sonneborn-Berger   the points taken from an opponent, times that opponent's points
// A bye counts in Buchholz as an opponent with the program's own points: leaving it out would let
// who had one fall behind for a round in which nobody could be met.
//
// Performance is the mean rating of the opponents, weighted by games, plus the Elo difference that
// the score means. A score of 0 or 1 has none, as the difference would be infinite.
//
// Rows are sorted by their keys. Rows with equal keys share a rank and keep the order of the list,
// so that the same results always give the same table. Cost: linear in the meetings, and a sort.
#include "harness/tournament/standings.h"

#include <algorithm>

#include "base/enum_names.h"
#include "stats/data/elo.h"

namespace assay::harness {

namespace {

/// One program's meetings, seen by it.
struct Met {
    std::size_t opponent = 0;
    stats::Wdl games;
    std::int64_t half_points = 0;
};

struct Tally {
    StandingRow row;
    std::vector<Met> met;
};

using Tallies = std::map<std::size_t, Tally>;

void add(stats::Wdl& sum, const stats::Wdl& games) {
    sum.wins += games.wins;
    sum.draws += games.draws;
    sum.losses += games.losses;
}

Tallies tallies_of(const StandingsInput& input) {
    Tallies tallies;
    for (const std::size_t program : input.programs) tallies[program];
    for (const MeetingResult& result : input.results) {
        for (const std::size_t program : {result.first, result.second}) {
            Tally& tally = tallies[program];
            const stats::Wdl games =
                program == result.first ? result.games : result.games.mirrored();
            add(tally.row.games, games);
            tally.row.half_points += result.half_points(program);
            tally.row.last_round = std::max(tally.row.last_round, result.round);
            tally.met.push_back({result.opponent_of(program), games, result.half_points(program)});
        }
    }
    for (const Bye& bye : input.byes) {
        ++tallies[bye.program].row.byes;
        tallies[bye.program].row.half_points += bye.half_points;
    }
    for (auto& [program, tally] : tallies) tally.row.program = program;
    for (const std::size_t program : input.out) tallies[program].row.is_out = true;
    return tallies;
}

void set_tie_breaks(Tally& tally, const Tallies& all) {
    StandingRow& row = tally.row;
    std::vector<double> opponents(static_cast<std::size_t>(row.byes), row.points());
    for (const Met& met : tally.met) {
        const double points = all.at(met.opponent).row.points();
        opponents.push_back(points);
        row.sonneborn_berger += 0.5 * static_cast<double>(met.half_points) * points;
    }
    for (const double points : opponents) row.buchholz += points;
    row.buchholz_cut1 = row.buchholz;
    if (!opponents.empty()) {
        row.buchholz_cut1 -= *std::min_element(opponents.begin(), opponents.end());
    }
}

void set_performance(Tally& tally, const std::map<std::size_t, double>& ratings) {
    StandingRow& row = tally.row;
    const auto games = static_cast<double>(row.games.games());
    if (games <= 0) return;
    for (const Met& met : tally.met) {
        const auto rating = ratings.find(met.opponent);
        if (rating == ratings.end()) continue;
        row.opponents += static_cast<double>(met.games.games()) * rating->second / games;
    }
    const double score =
        (static_cast<double>(row.games.wins) + 0.5 * static_cast<double>(row.games.draws)) / games;
    if (score > 0 && score < 1) row.performance = row.opponents + stats::elo_of_score(score);
}

/// What rows are compared by, the most important first.
std::vector<double> key_of(const StandingRow& row, const StandingsInput& input) {
    std::vector<double> key;
    const auto is_before_points = [](TieBreak one) {
        return one == TieBreak::LastRound || one == TieBreak::Share;
    };
    if (input.tie_breaks.empty() || !is_before_points(input.tie_breaks[0]))
        key.push_back(row.points());
    for (const TieBreak tie_break : input.tie_breaks) {
        // Who is still in may not have played in the last round yet. The winner has, as its
        // opponent has.
        if (tie_break == TieBreak::LastRound) {
            key.push_back(row.is_out ? 0 : 1);
            key.push_back(input.winner == row.program ? 1 : 0);
        }
        key.push_back(value_of(row, tie_break));
        if (is_before_points(tie_break)) key.push_back(row.points());
    }
    return key;
}

}  // namespace

std::int64_t StandingRow::possible_points() const {
    const std::int64_t in_games = 2 * games.wins + games.draws;
    return games.games() + (half_points - in_games) / 2;
}

double StandingRow::share() const {
    const auto possible = static_cast<double>(possible_points());
    return possible > 0 ? points() / possible : 0;
}

std::string_view name_of(TieBreak tie_break) {
    return enum_names<TieBreak>("last round", "share of points", "Buchholz cut 1", "Buchholz",
                                "Sonneborn-Berger", "wins")
        .of(tie_break);
}

double value_of(const StandingRow& row, TieBreak tie_break) {
    switch (tie_break) {
        case TieBreak::LastRound:
            return static_cast<double>(row.last_round);
        case TieBreak::Share:
            return row.share();
        case TieBreak::BuchholzCut1:
            return row.buchholz_cut1;
        case TieBreak::Buchholz:
            return row.buchholz;
        case TieBreak::SonnebornBerger:
            return row.sonneborn_berger;
        case TieBreak::Wins:
            return static_cast<double>(row.games.wins);
    }
    return 0;
}

std::vector<TieBreak> usual_tie_breaks(TournamentKind kind) {
    if (kind == TournamentKind::Knockout) return {TieBreak::LastRound};
    if (kind == TournamentKind::Swiss) {
        return {TieBreak::BuchholzCut1, TieBreak::Buchholz, TieBreak::SonnebornBerger,
                TieBreak::Wins};
    }
    return {TieBreak::Share, TieBreak::SonnebornBerger, TieBreak::Wins};
}

std::vector<StandingRow> standings_of(const StandingsInput& input) {
    Tallies tallies = tallies_of(input);
    for (auto& [program, tally] : tallies) {
        set_tie_breaks(tally, tallies);
        set_performance(tally, input.ratings);
    }
    std::vector<StandingRow> rows;
    for (const std::size_t program : input.programs) rows.push_back(tallies.at(program).row);
    std::stable_sort(rows.begin(), rows.end(), [&](const StandingRow& a, const StandingRow& b) {
        return key_of(a, input) > key_of(b, input);
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool is_equal = i > 0 && key_of(rows[i], input) == key_of(rows[i - 1], input);
        rows[i].rank = is_equal ? rows[i - 1].rank : i + 1;
    }
    return rows;
}

Crosstable::Crosstable(const std::vector<MeetingResult>& results) {
    for (const MeetingResult& result : results) {
        add(cells_[{result.first, result.second}], result.games);
        add(cells_[{result.second, result.first}], result.games.mirrored());
    }
}

stats::Wdl Crosstable::at(std::size_t a, std::size_t b) const {
    const auto found = cells_.find({a, b});
    return found == cells_.end() ? stats::Wdl{} : found->second;
}

}  // namespace assay::harness
