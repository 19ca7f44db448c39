#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/tournament/tournament_view.h"

namespace assay::reports {

/// How the reports of a tournament put it in words. Names are as programs have them, so that each
/// form escapes the text.

/// "round robin", "Swiss tournament", …
[[nodiscard]] std::string_view words_of(harness::TournamentKind kind);

/// Who won or leads: "alpha won the knockout.", "alpha and beta share the lead with 3.5 of 6
/// points." Of a gauntlet, what its seeds scored against the others.
[[nodiscard]] std::string leader_sentence(const TournamentView& view);

/// Who is shown to be the strongest, or how many orders of two programs are shown; empty without
/// ratings.
[[nodiscard]] std::string strength_sentence(const TournamentView& view);

/// "93 of 120 meetings, 372 games".
[[nodiscard]] std::string progress_text(const TournamentView& view);

/// "38.2 % of the games are drawn; the first side scores 54.1 %, an advantage of 22.1 Elo [+3,
/// +41]." Empty without games.
[[nodiscard]] std::string conditions_sentence(const TournamentView& view);

/// "3.5/6"; "·" where two programs have not met.
[[nodiscard]] std::string cell_text(const stats::Wdl& games);

/// Wins, draws and losses: "2-3-1".
[[nodiscard]] std::string wdl_text(const stats::Wdl& games);

/// The points of a row, with as many decimals as those of the others: "33.5", "40.0".
[[nodiscard]] std::string row_points(const TournamentView& view, const TournamentRow& row);

/// "3.5" of a count of games.
[[nodiscard]] std::string points_text(const stats::Wdl& games);

/// "Sonneborn-Berger" as the head of a column: "SB".
[[nodiscard]] std::string_view short_name_of(harness::TieBreak tie_break);

/// A column of the table of programs.
struct TableColumn {
    std::string head;
    bool is_right = false;
    int importance = 0;              // the greatest goes first where there is no room; 0: never
    std::vector<std::string> cells;  // by row
};

/// The table: what every form shows of it. Columns in which no program has anything are left out.
[[nodiscard]] std::vector<TableColumn> table_columns(const TournamentView& view);

/// "alpha 2 : 0 beta".
[[nodiscard]] std::string meeting_text(const TournamentView& view, const RoundMeeting& meeting);

/// "gamma (1 point)": who had a bye.
[[nodiscard]] std::string bye_text(const TournamentView& view, const harness::Bye& bye);

/// "alpha, delta": who went on from a round of a knockout, with those who had a bye; empty where
/// nobody has yet.
[[nodiscard]] std::string went_on_text(const TournamentView& view, const TournamentRound& round);

/// "round 2", "final", "semifinals" …
[[nodiscard]] std::string round_name(const TournamentView& view, const TournamentRound& round);

}  // namespace assay::reports
