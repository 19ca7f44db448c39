#include "reports/text/tournament_words.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

/// "alpha", "alpha and beta", "alpha, beta and 3 more".
std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 3;
    if (names.size() > kMost)
        return fmt::format("{}, {} and {} more", names[0], names[1], names.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    }
    return text;
}

template <typename Predicate>
std::vector<std::string> names_where(const TournamentView& view, const Predicate& holds) {
    std::vector<std::string> names;
    for (const TournamentRow& row : view.rows) {
        if (holds(row)) names.push_back(row.name);
    }
    return names;
}

/// What the seeds of a gauntlet took from the others; as seeds do not meet, all of their points.
std::string seeds_sentence(const TournamentView& view) {
    std::int64_t half_points = 0;
    std::int64_t possible = 0;
    for (const TournamentRow& row : view.rows) {
        if (!row.is_seed) continue;
        half_points += row.standing.half_points;
        possible += row.standing.possible_points();
    }
    if (possible == 0) return "No game of the gauntlet has been counted yet.";
    const std::vector<std::string> names =
        names_where(view, [](const TournamentRow& row) { return row.is_seed; });
    const double share = 0.5 * static_cast<double>(half_points) / static_cast<double>(possible);
    const std::string score =
        fmt::format("scored {} of {} ({}) against the field", score_text(half_points),
                    counted(possible, "point"), percent(share, 1));
    if (view.is_complete()) return fmt::format("{} {}.", list_of(names), score);
    return fmt::format("{} {} {} so far.", list_of(names), names.size() == 1 ? "has" : "have",
                       score);
}

void add_column(std::vector<TableColumn>& columns, const TournamentView& view, std::string head,
                bool is_right, int importance,
                const std::function<std::string(const TournamentRow&)>& cell) {
    TableColumn column{std::move(head), is_right, importance, {}};
    for (const TournamentRow& row : view.rows) column.cells.push_back(cell(row));
    const bool is_empty = std::ranges::all_of(column.cells, &std::string::empty);
    if (!is_empty || importance == 0) columns.push_back(std::move(column));
}

}  // namespace

std::string_view words_of(harness::TournamentKind kind) {
    return enum_names<harness::TournamentKind>("round robin", "gauntlet", "pyramid",
                                               "least-played tournament", "knockout",
                                               "Swiss tournament")
        .of(kind);
}

std::string leader_sentence(const TournamentView& view) {
    if (view.games() == 0) return "No game has been counted yet.";
    if (view.winner) return fmt::format("{} won the knockout.", view.rows[*view.winner].name);
    if (view.kind == harness::TournamentKind::Gauntlet) return seeds_sentence(view);
    if (view.kind == harness::TournamentKind::Knockout) {
        const std::vector<std::string> in =
            names_where(view, [](const TournamentRow& row) { return !row.standing.is_out; });
        return fmt::format("{} {} still in the knockout.", list_of(in),
                           in.size() == 1 ? "is" : "are");
    }
    // Who is left out has its rank, and can neither lead nor win.
    const TournamentRow& first = *std::ranges::find(view.rows, false, &TournamentRow::is_left_out);
    const std::vector<std::string> leaders = names_where(view, [&first](const TournamentRow& row) {
        return !row.is_left_out && row.standing.rank == first.standing.rank;
    });
    const bool is_one = leaders.size() == 1;
    const std::string score = fmt::format("{} of {}", score_text(first.standing.half_points),
                                          counted(first.standing.possible_points(), "point"));
    if (view.is_complete())
        return is_one
                   ? fmt::format("{} won the {} with {}.", leaders[0], words_of(view.kind), score)
                   : fmt::format("{} share first place with {}.", list_of(leaders), score);
    return is_one ? fmt::format("{} leads with {}.", leaders[0], score)
                  : fmt::format("{} share the lead with {}.", list_of(leaders), score);
}

std::string strength_sentence(const TournamentView& view) {
    if (view.all_orders == 0) return "";
    const std::string shown =
        view.all_orders == 1
            ? fmt::format("the order of two programs is {}shown (95 %)",
                          view.orders == 0 ? "not " : "")
            : fmt::format("{} of {} of two programs are shown (95 % for all at once)",
                          grouped(view.orders), grouped(view.all_orders, "order"));
    if (view.strongest)
        return fmt::format("{} is shown to be the strongest; {}.", view.rows[*view.strongest].name,
                           shown);
    return fmt::format("No program is shown to be the strongest; {}.", shown);
}

std::string progress_text(const TournamentView& view) {
    const std::string_view noun =
        view.kind == harness::TournamentKind::Knockout ? "tie" : "meeting";
    const std::string done =
        view.all ? fmt::format("{} of {}", grouped(view.done), grouped(*view.all, noun))
                 : grouped(view.done, noun);
    return fmt::format("{}, {}", done, grouped(view.games(), "game"));
}

std::string conditions_sentence(const TournamentView& view) {
    if (view.games() == 0) return "";
    const stats::Wdl& first = view.first_player;
    const double score =
        (static_cast<double>(first.wins) + 0.5 * static_cast<double>(first.draws)) /
        static_cast<double>(first.games());
    std::string text =
        fmt::format("{} of the games are drawn; {} scores {}", percent(*view.draw_rate(), 1),
                    view.first_side, percent(score, 1));
    if (view.first_move && view.first_move->value) {
        const double elo = *view.first_move->value;
        stats::Interval sure = view.first_move->ci95;
        if (elo < 0) {
            std::swap(sure.low, sure.high);
            for (std::optional<double>* const end : {&sure.low, &sure.high})
                if (*end) **end = -**end;
        }
        const std::string limits = interval_text(sure, 0);
        text += fmt::format(", {} of {:.1f} Elo {}", elo < 0 ? "a disadvantage" : "an advantage",
                            std::fabs(elo), limits.empty() ? "(no limits yet)" : limits);
    }
    return text + ".";
}

std::string row_points(const TournamentView& view, const TournamentRow& row) {
    const bool has_halves = std::ranges::any_of(
        view.rows, [](const TournamentRow& one) { return one.standing.half_points % 2 != 0; });
    return fmt::format("{:.{}f}", row.standing.points(), has_halves ? 1 : 0);
}

std::string points_text(const stats::Wdl& games) {
    return score_text(2 * games.wins + games.draws);
}

std::string cell_text(const stats::Wdl& games) {
    if (games.games() == 0) return "·";
    return fmt::format("{}-{}", points_text(games), points_text(games.mirrored()));
}

std::string wdl_text(const stats::Wdl& games) {
    return fmt::format("{}-{}-{}", games.wins, games.draws, games.losses);
}

std::string_view short_name_of(harness::TieBreak tie_break) {
    return enum_names<harness::TieBreak>("round", "share", "Bh-1", "Bh", "SB", "wins")
        .of(tie_break);
}

std::vector<TableColumn> table_columns(const TournamentView& view) {
    using Row = TournamentRow;
    const bool has_byes =
        std::ranges::any_of(view.rows, [](const Row& row) { return row.standing.byes > 0; });
    std::vector<TableColumn> columns;
    const auto add = [&](std::string head, bool is_right, int importance,
                         const std::function<std::string(const Row&)>& cell) {
        add_column(columns, view, std::move(head), is_right, importance, cell);
    };
    add("rank", true, 0, [](const Row& row) { return fmt::format("{}", row.standing.rank); });
    add("program", false, 0, [](const Row& row) { return row.name; });
    add("points", true, 0, [&view](const Row& row) { return row_points(view, row); });
    add("games", true, 2, [](const Row& row) { return grouped(row.games()); });
    add("W-D-L", true, 4, [](const Row& row) { return wdl_text(row.standing.games); });
    add("score", true, 5,
        [](const Row& row) { return row.score() ? percent(*row.score(), 1) : std::string(); });
    if (has_byes)
        add("byes", true, 8, [](const Row& row) { return fmt::format("{}", row.standing.byes); });
    for (const harness::TieBreak tie_break : view.tie_breaks) {
        add(std::string(short_name_of(tie_break)), true, 7, [tie_break](const Row& row) {
            return fmt::format("{:.2f}", value_of(row.standing, tie_break));
        });
    }
    add("Elo", true, 1, [](const Row& row) {
        return row.rating ? signed_number(row.rating->elo, 1) : std::string();
    });
    add("95 % for all", false, 3, [](const Row& row) {
        if (!row.rating) return std::string();
        const std::string interval = interval_text(row.rating->simultaneous95, 0);
        return interval.empty() ? std::string("no limits yet") : interval;
    });
    add("LOS to next", true, 6, [](const Row& row) {
        return row.los_to_next ? fmt::format("{:.3f}", *row.los_to_next) : std::string();
    });
    add("performance", true, 9, [](const Row& row) {
        return row.standing.performance ? signed_number(*row.standing.performance, 0)
                                        : std::string();
    });
    add("failures", false, 3, [](const Row& row) {
        return row.failures.total() > 0 ? failures_text(row.failures) : std::string();
    });
    add("version", false, 10, [](const Row& row) { return row.version; });
    return columns;
}

std::string meeting_text(const TournamentView& view, const RoundMeeting& shown) {
    const std::string& first = view.names.at(shown.meeting.first);
    const std::string& second = view.names.at(shown.meeting.second);
    const std::string_view kind = shown.meeting.is_armageddon ? " (armageddon)" : "";
    if (shown.games.games() == 0) return fmt::format("{} - {}{}", first, second, kind);
    return fmt::format("{} {} : {} {}{}{}", first, points_text(shown.games),
                       points_text(shown.games.mirrored()), second, kind,
                       shown.is_complete ? "" : " (so far)");
}

std::string bye_text(const TournamentView& view, const harness::Bye& bye) {
    const std::string& name = view.names.at(bye.program);
    if (view.kind == harness::TournamentKind::Knockout) return name;
    return fmt::format("{} ({})", name,
                       bye.half_points == 2 ? "1 point" : score_text(bye.half_points) + " points");
}

std::string went_on_text(const TournamentView& view, const TournamentRound& round) {
    std::vector<std::string> names;
    for (const std::size_t program : round.went_on) names.push_back(view.names.at(program));
    return joined(names, ", ");
}

std::string round_name(const TournamentView& view, const TournamentRound& round) {
    const std::string number = fmt::format("round {}", round.round + 1);
    if (view.kind != harness::TournamentKind::Knockout) return number;
    std::int64_t rounds = 0;
    while ((std::int64_t{1} << rounds) < *view.all + 1) ++rounds;
    const std::int64_t behind = rounds - 1 - round.round;
    return behind == 0 ? "final" : behind == 1 ? "semifinals" : number;
}

}  // namespace assay::reports
