#include "reports/web/tournament/tournament_section.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/plot/scale.h"
#include "reports/text/tournament_words.h"
#include "reports/view/match_left.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "reports/web/page/assets.h"
#include "reports/web/tournament/tournament_charts.h"

namespace assay::reports::web {

namespace {

using plot::number_text;
using plot::with_minus;

constexpr std::size_t kMostSortedRows = 256;  // rows up to which the table is there in each order
constexpr std::size_t kMostCouples = 2080;    // of 65 programs

/// An order of the table.
struct TableOrder {
    const char* id;
    const char* label;
    std::function<bool(const TournamentRow&, const TournamentRow&)> before;
};

const std::vector<TableOrder>& table_orders() {
    static const std::vector<TableOrder> orders{
        {"rank", "rank", nullptr},
        {"elo", "Elo",
         [](const TournamentRow& a, const TournamentRow& b) {
             return (a.rating ? a.rating->elo : -1e9) > (b.rating ? b.rating->elo : -1e9);
         }},
        {"name", "name",
         [](const TournamentRow& a, const TournamentRow& b) {
             return lower(a.name) < lower(b.name);
         }},
        {"failures", "failures",
         [](const TournamentRow& a, const TournamentRow& b) {
             return a.failures.total() > b.failures.total();
         }},
    };
    return orders;
}

Values standing_values(const TournamentView& view, const TournamentRow& row) {
    Values values;
    const harness::StandingRow& standing = row.standing;
    values.set("rank", fmt::format("{}", standing.rank));
    values.set("name", printable_utf8(row.name)).set("version", printable_utf8(row.version));
    values.set("points", row_points(view, row));
    values.set("games", grouped(row.games())).set("wdl", wdl_text(standing.games));
    values.set("score", row.score() ? percent(*row.score(), 1) : "–");
    for (const harness::TieBreak tie_break : view.tie_breaks) {
        Values one;
        one.set("value", fmt::format("{:.2f}", value_of(standing, tie_break)));
        values.lists["ties"].push_back(one);
    }
    values.set("performance",
               standing.performance ? number_text(*standing.performance, 0, true) : "–");
    values.set("elo", row.rating ? number_text(row.rating->elo, 1, true) : "–");
    values.set("interval",
               row.rating ? with_minus(reports::interval_text(row.rating->simultaneous95, 0)) : "");
    values.set("los", row.los_to_next ? fmt::format("{:.3f}", *row.los_to_next) : "");
    const bool fails = row.failures.total() > 0;
    values.set("failures", fails ? failures_text(row.failures) : "none");
    values.show("fails", fails).show("versioned", !row.version.empty());
    return values;
}

void add_standings(Values& page, const TournamentView& view) {
    const bool has_failures = view.failures().total() > 0;
    const bool is_sorted = view.rows.size() > 2 && view.rows.size() <= kMostSortedRows;
    for (const TableOrder& order : table_orders()) {
        if (order.before && !is_sorted) continue;
        if (std::string_view(order.id) == "failures" && !has_failures) continue;
        if (std::string_view(order.id) == "elo" && !view.ratings) continue;
        Values table;
        table.set("id", order.id).set("label", order.label);
        table.set("checked", order.before ? "" : " checked");
        std::vector<const TournamentRow*> rows;
        for (const TournamentRow& row : view.rows) rows.push_back(&row);
        if (order.before)
            std::ranges::stable_sort(rows,
                                     [&order](const TournamentRow* a, const TournamentRow* b) {
                                         return order.before(*a, *b);
                                     });
        for (const TournamentRow* const row : rows)
            table.lists["rows"].push_back(standing_values(view, *row));
        for (const harness::TieBreak tie_break : view.tie_breaks) {
            Values one;
            one.set("name", std::string(harness::name_of(tie_break)));
            one.set("short", std::string(short_name_of(tie_break)));
            table.lists["heads"].push_back(one);
        }
        table.show("failing", has_failures);
        page.lists["tables"].push_back(table);
    }
    page.show("sorted", page.lists["tables"].size() > 1);
}

void add_rating_section(Values& page, const TournamentView& view) {
    page.lists["rated"] = {};
    if (!view.ratings) return;
    std::vector<std::string> names;
    for (const std::size_t program : view.rated) names.push_back(view.names[program]);
    Values section;
    section.set("title", view.strongest
                             ? fmt::format("{} is shown to be the strongest",
                                           printable_utf8(view.rows[*view.strongest].name))
                             : std::string("No program is shown to be the strongest"));
    section.set("caption",
                "Elo relative to the mean of the programs. Thick: the interval of one rating by "
                "itself, 95 %. Thin: those that hold all together, 95 %. What reaches the edge is "
                "open or goes on.");
    section.set("chart", rating_chart(*view.ratings, names));
    section.set("note", with_minus(conditions_sentence(view)));
    page.lists["rated"] = {section};
}

void add_round_section(Values& page, const TournamentView& view) {
    page.lists["bracket"] = {};
    if (view.rounds.empty()) return;
    Values section;
    const bool is_knockout = view.kind == harness::TournamentKind::Knockout;
    section.set("title", is_knockout ? "Ties" : "Rounds");
    section.set("caption", is_knockout
                               ? "Who goes on is marked ▸. Each replay of a tie has a line of its "
                                 "own; the better seed goes on where all of them end level."
                               : "Points of the games of a meeting.");
    for (const TournamentRound& round : view.rounds) {
        Values one;
        one.set("name", round_name(view, round));
        const auto goes_on = [&round](std::size_t program) {
            return std::ranges::find(round.went_on, program) != round.went_on.end();
        };
        for (const RoundMeeting& shown : round.meetings) {
            Values meeting;
            const bool is_played = shown.games.games() > 0;
            meeting.set("first", printable_utf8(view.names[shown.meeting.first]));
            meeting.set("second", printable_utf8(view.names[shown.meeting.second]));
            meeting.set("one", is_played ? points_text(shown.games) : "");
            meeting.set("other", is_played ? points_text(shown.games.mirrored()) : "");
            const std::string kind = shown.meeting.is_armageddon ? "armageddon" : "";
            const std::string state = shown.is_complete ? "" : is_played ? "so far" : "to come";
            meeting.set("state", kind + (kind.empty() || state.empty() ? "" : ", ") + state);
            meeting.show("first_on", goes_on(shown.meeting.first));
            meeting.show("second_on", goes_on(shown.meeting.second));
            one.lists["meetings"].push_back(meeting);
        }
        for (const harness::Bye& bye : round.byes) {
            Values text;
            text.set("text", printable_utf8(bye_text(view, bye)));
            one.lists["byes"].push_back(text);
        }
        section.lists["rounds"].push_back(one);
    }
    page.lists["bracket"] = {section};
}

void add_couple_table(Values& page, const TournamentView& view,
                      const std::set<std::size_t>& couples) {
    page.lists["couples"] = {};
    Values section;
    std::size_t count = 0;
    for (std::size_t row = 0; row < view.rows.size(); ++row) {
        for (std::size_t other = row + 1; other < view.rows.size(); ++other) {
            const stats::Wdl games = view.between(row, other);
            if (games.games() == 0 || count++ >= kMostCouples) continue;
            Values one;
            one.set("first", printable_utf8(view.rows[row].name));
            one.set("second", printable_utf8(view.rows[other].name));
            const std::size_t match = match_between(view, row, other);
            one.set("match", fmt::format("{}", match + 1)).show("linked", couples.contains(match));
            one.set("points", points_text(games) + " : " + points_text(games.mirrored()));
            one.set("wdl", wdl_text(games)).set("games", grouped(games.games()));
            section.lists["rows"].push_back(one);
        }
    }
    if (count == 0) return;
    section.set("summary", fmt::format("Every two programs that have met: {}",
                                       grouped(static_cast<std::int64_t>(count))));
    section.set("more", count > kMostCouples
                            ? fmt::format("and {} more, in the JSON", count - kMostCouples)
                            : "");
    page.lists["couples"] = {section};
}

std::string capitalised(std::string text) {
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

Values tournament_part(std::string what, std::string css, std::string word, std::string sentence) {
    Values values;
    values.set("what", std::move(what)).set("css", std::move(css)).set("word", std::move(word));
    values.set("sentence", std::move(sentence));
    return values;
}

/// What a condition came to, or its figures while games are played.
Values condition_part(const TournamentView& view, const harness::ConditionResult& one) {
    using State = harness::ConditionState;
    const std::string sentence = printable_utf8(with_minus(harness::text_of(one))) + ".";
    if (!view.is_over) return tournament_part("Condition", "inc", "◆ goes on", sentence);
    if (one.state == State::Holds) return tournament_part("Condition", "acc", "▲ holds", sentence);
    if (one.state == State::Broken)
        return tournament_part("Condition", "rej", "▼ broken", sentence);
    return tournament_part("Condition", "inc", "◆ undecided", sentence);
}

}  // namespace

void add_tournament_head(Values& page, const TournamentView& view) {
    page.set("headline", printable_utf8(leader_sentence(view)));
    const bool is_whole = view.is_complete();
    std::string sentence = progress_text(view) + ".";
    if (view.left) sentence += fmt::format(" About {} left.", rough_duration(*view.left));
    const std::string kind = capitalised(std::string(words_of(view.kind)));
    page.lists["parts"] = {tournament_part(kind, is_whole ? "acc" : "inc",
                                           is_whole       ? "● complete"
                                           : view.is_over ? "◆ ended early"
                                                          : "◆ goes on",
                                           sentence)};
    if (const std::string strength = strength_sentence(view); !strength.empty())
        page.lists["parts"].push_back(tournament_part("Strength", view.strongest ? "acc" : "inc",
                                                      view.strongest ? "▲ shown" : "◆ not shown",
                                                      printable_utf8(strength)));
    if (view.judged)
        for (const harness::ConditionResult& one : view.judged->conditions)
            page.lists["parts"].push_back(condition_part(view, one));
    const harness::Failures failures = view.failures();
    if (failures.total() > 0)
        page.lists["parts"].push_back(
            tournament_part("Failures", "rej", "▼ " + grouped(failures.total(), "failure"),
                            failures_text(failures) + ", by program in the table below."));
    auto& figures = page.lists["figures"];
    figures = {key_figure("Programs", grouped(static_cast<std::int64_t>(view.rows.size())),
                          std::string(words_of(view.kind))),
               key_figure("Games", grouped(view.games()),
                          view.pairs > 0 || view.single_games == 0 ? grouped(view.pairs, "pair")
                                                                   : std::string("single games"))};
    if (view.games() == 0) return;
    const stats::Wdl& first = view.first_player;
    const double score =
        (static_cast<double>(first.wins) + 0.5 * static_cast<double>(first.draws)) /
        static_cast<double>(first.games());
    figures.push_back(
        key_figure("Draws", percent(*view.draw_rate(), 1),
                   view.equal_draws ? percent(*view.equal_draws, 1) + " between equals" : ""));
    const bool has_move = view.first_move && view.first_move->value;
    figures.push_back(key_figure(
        capitalised(view.first_side), percent(score, 1),
        has_move ? with_minus(fmt::format("{} Elo {}", signed_number(*view.first_move->value, 1),
                                          reports::interval_text(view.first_move->ci95, 0)))
                 : "of the points"));
}

std::vector<std::pair<std::string, std::string>> tournament_links(const TournamentView& view) {
    std::vector<std::pair<std::string, std::string>> links{{"standings", "Table"}};
    if (view.ratings) links.emplace_back("ratings", "Ratings");
    if (!view.rounds.empty())
        links.emplace_back("rounds",
                           view.kind == harness::TournamentKind::Knockout ? "Ties" : "Rounds");
    if (view.games() > 0) links.emplace_back("crosstable", "Crosstable");
    return links;
}

std::string tournament_sections(const TournamentView& view, const std::set<std::size_t>& couples) {
    Values page;
    page.set("title", "Table");
    std::string ties;
    for (const harness::TieBreak tie_break : view.tie_breaks)
        ties +=
            fmt::format("{}{}{}", ties.empty() ? "" : ", ", harness::name_of(tie_break),
                        std::string_view(short_name_of(tie_break)) == harness::name_of(tie_break)
                            ? ""
                            : fmt::format(" ({})", short_name_of(tie_break)));
    page.set("caption",
             fmt::format("{}Elo with intervals that hold all together, 95 %. LOS: the chance that "
                         "a program is stronger than the next one.",
                         ties.empty() ? "" : "Equal points are told apart by " + ties + ". "));
    add_standings(page, view);
    add_rating_section(page, view);
    add_round_section(page, view);
    page.lists["crossed"] = {};
    if (const std::string chart = crosstable_chart(view, couples); !chart.empty()) {
        Values section;
        section.set("caption",
                    "Points of the row’s program against the column’s, with wins, draws and losses "
                    "where there is room. Blue: more than half of the points, orange: less." +
                        std::string(couples.empty() ? "" : " A cell leads to games of the two."));
        section.set("chart", chart);
        page.lists["crossed"] = {section};
    }
    add_couple_table(page, view, couples);
    return filled(asset("tournament.mustache"), page);
}

}  // namespace assay::reports::web
