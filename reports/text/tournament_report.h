#pragma once
#include <string>
#include <vector>

#include "reports/tournament/tournament_view.h"
#include "reports/view/match_left.h"

namespace assay::reports {

/// How a tournament is written on a terminal.
struct TournamentStyle {
    int width = 0;  // columns; 0: unlimited
    bool has_colour = false;
};

/// All of it: who leads, the table, the crosstable or the rounds, what failed. Where the terminal
/// is narrow, columns of less importance are left out, and the crosstable if it does not fit.
[[nodiscard]] std::string tournament_report(const TournamentView& view,
                                            const TournamentStyle& style);

/// A report for a pull request or a job's summary, below 64 KB.
[[nodiscard]] std::string tournament_markdown(const TournamentView& view);

}  // namespace assay::reports
