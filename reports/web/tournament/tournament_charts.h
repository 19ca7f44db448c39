#pragma once
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/tournament/tournament_view.h"
#include "stats/estimate/estimate.h"
#include "stats/estimate/rating.h"

namespace assay::reports::web {

/// Ratings as dots with both intervals, by rating_order(); a dashed line divides groups that cannot
/// be compared. `names`: of the programs of the table.
[[nodiscard]] std::string rating_chart(const stats::RatingTable& table,
                                       const std::vector<std::string>& names);

/// A program's rating and the day from which it has played.
struct RatingDate {
    std::string name;
    double elo = 0;
    stats::Interval ci95;
    long long us = 0;  // since 1970
};

/// Ratings by day, with the strongest so far joined by a line where `has_line`: all can be
/// compared. Empty where all are of one moment.
[[nodiscard]] std::string rating_history_chart(std::vector<RatingDate> dates, bool has_line);

/// The number of the match that the programs of two rows play.
[[nodiscard]] std::size_t match_between(const TournamentView& view, std::size_t row,
                                        std::size_t other);

/// Who took what from whom, a square of cells: the row's program against the column's. A cell
/// has points, and wins, draws and losses, where there is room for them; of the matches of
/// `couples` (numbers of the run's) it leads to the list of games. At most 64 programs.
[[nodiscard]] std::string crosstable_chart(const TournamentView& view,
                                           const std::set<std::size_t>& couples = {});

}  // namespace assay::reports::web
