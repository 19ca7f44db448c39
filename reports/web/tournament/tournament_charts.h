#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/tournament/tournament_view.h"
#include "stats/estimate/estimate.h"

namespace assay::reports::web {

/// One line of a chart of ratings.
struct RatingLine {
    std::string name;
    double elo = 0;
    stats::Interval ci95;            // of this rating by itself
    stats::Interval simultaneous95;  // of all together
    bool begins_group = false;       // it is not connected with the line above
};

/// Ratings as dots with both intervals, the strongest first, as `lines` has them.
[[nodiscard]] std::string rating_chart(const std::vector<RatingLine>& lines);

/// A program's rating and the day from which it has played.
struct RatingDate {
    std::string name;
    double elo = 0;
    stats::Interval ci95;
    long long us = 0;  // since 1970
};

/// Ratings by day, with the strongest so far joined by a line. Empty where all are of one moment.
[[nodiscard]] std::string rating_history_chart(std::vector<RatingDate> dates);

/// Who took what from whom, a square of cells: the row's program against the column's. A cell
/// has points, and wins, draws and losses, where there is room for them. At most 64 programs.
[[nodiscard]] std::string crosstable_chart(const TournamentView& view);

}  // namespace assay::reports::web
