#include "reports/web/tournament/ratings_page.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/history/history.h"
#include "reports/plot/scale.h"
#include "reports/text/tournament_words.h"
#include "reports/view/number_text.h"
#include "reports/web/page/assets.h"
#include "reports/web/page/template.h"
#include "reports/web/tournament/tournament_charts.h"
#include "reports/web/tournament/tournament_section.h"

namespace assay::reports::web {

namespace {

using plot::number_text;
using plot::with_minus;
using stats::RatingTable;

constexpr std::size_t kMostSortedRatings = 512;  // lines up to which each order has a table

Values rating_values(const RatingTable& table, const RatedList& list, std::size_t program,
                     std::optional<std::size_t> next) {
    const stats::Rating& rating = table.ratings()[program];
    Values row;
    row.set("rank", rank_text(rating)).set("name", printable_utf8(list.programs[program]));
    row.set("elo", number_text(rating.elo, 1, true));
    row.set("interval", with_minus(reports::interval_text(rating.simultaneous95, 0)));
    row.set("games", fmt::format("{:.0f}", rating.games));
    row.set("score",
            rating.games > 0 ? percent(rating.points / rating.games, 1) : std::string("–"));
    std::string los;
    if (next) {
        const stats::RatingDifference difference = table.difference(program, *next);
        if (difference.is_comparable) los = fmt::format("{:.3f}", difference.los);
    }
    row.set("los", los);
    const bool is_stored = !list.versions.empty() && list.versions[program].runs > 0;
    row.set("runs", "").set("first", "").set("last", "").set("names", "");
    if (!is_stored) return row;
    const harness::PooledVersion& version = list.versions[program];
    row.set("runs", grouped(version.runs));
    row.set("first", day_text(version.first_us, true));
    row.set("last", day_text(version.last_us, true));
    row.set("names",
            printable_utf8(assay::joined({version.names.begin(), version.names.end()}, ", ")));
    return row;
}

void add_rating_tables(Values& page, const RatingTable& table, const RatedList& list,
                       const std::vector<std::size_t>& order) {
    const bool is_stored = !list.versions.empty();
    const auto add = [&](const char* id, const char* label, std::vector<std::size_t> programs,
                         bool has_next) {
        Values values;
        values.set("id", id).set("label", label);
        values.set("checked", page.lists["tables"].empty() ? " checked" : "");
        values.show("stored", is_stored).show("next", has_next);
        for (std::size_t i = 0; i < programs.size(); ++i) {
            const bool has_one = has_next && i + 1 < programs.size();
            values.lists["rows"].push_back(rating_values(
                table, list, programs[i], has_one ? std::optional(programs[i + 1]) : std::nullopt));
        }
        page.lists["tables"].push_back(values);
    };
    add("elo", "Elo", order, true);
    if (order.size() > 2 && order.size() <= kMostSortedRatings) {
        std::vector<std::size_t> by_name = order;
        std::ranges::stable_sort(by_name, {},
                                 [&list](std::size_t i) { return lower(list.programs[i]); });
        add("name", "name", by_name, false);
        if (is_stored) {
            std::vector<std::size_t> newest = order;
            std::ranges::stable_sort(newest, std::greater(),
                                     [&list](std::size_t i) { return list.versions[i].first_us; });
            add("date", "first run", newest, false);
        }
    }
    page.show("sorted", page.lists["tables"].size() > 1);
}

void add_rating_charts(Values& page, const RatingTable& table, const RatedList& list,
                       const std::vector<std::size_t>& order) {
    std::vector<RatingDate> dates;
    for (const std::size_t i : order) {
        const stats::Rating& rating = table.ratings()[i];
        if (!list.versions.empty() && list.versions[i].first_us > 0)
            dates.push_back({list.programs[i], rating.elo, rating.ci95, list.versions[i].first_us});
    }
    page.set("chart", rating_chart(table, list.programs));
    page.lists["history"] = {};
    // What is the strongest so far is known only of programs that can be compared.
    const bool has_line = table.connection().components().size() == 1;
    const std::string history = rating_history_chart(dates, has_line);
    if (history.empty()) return;
    Values section;
    section.set("chart", history);
    section.set("line", has_line ? " The line joins the strongest so far." : "");
    page.lists["history"] = {section};
}

void add_rating_figures(Values& page, const RatingTable& table, const RatedList& list) {
    double games = 0;
    for (const stats::Rating& rating : table.ratings()) games += rating.games / 2;
    auto& figures = page.lists["figures"];
    figures = {key_figure("Programs", grouped(static_cast<std::int64_t>(list.programs.size())), ""),
               key_figure("Games", grouped(static_cast<std::int64_t>(games)),
                          grouped(table.clusters(), "independent unit")),
               key_figure("Draws", percent(table.draw_rate(), 1), "between equals")};
    if (const auto& first = table.first_move(); first && first->value)
        figures.push_back(key_figure("First move", number_text(*first->value, 1, true) + " Elo",
                                     with_minus(reports::interval_text(first->ci95, 0))));
}

void add_rating_warnings(Values& page, const RatingTable& table, const RatedList& list) {
    std::vector<std::string> sentences = list.warnings;
    const auto& components = table.connection().components();
    if (components.size() > 1)
        sentences.push_back(fmt::format(
            "{} groups of programs never met: their ratings cannot be compared. A dashed line "
            "divides them.",
            components.size()));
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (!table.has_prior(i)) continue;
        sentences.push_back(fmt::format(
            "The results of a group are {}: half a win and half a loss against the field "
            "were added for each of its programs.",
            prior_cause(table, i)));
        break;
    }
    page.lists["warned"] = {};
    if (sentences.empty()) return;
    Values section;
    for (const std::string& sentence : sentences) {
        Values one;
        one.set("text", printable_utf8(sentence));
        section.lists["warnings"].push_back(one);
    }
    page.lists["warned"] = {section};
}

}  // namespace

std::string ratings_page(const RatingTable& table, const RatedList& list) {
    const std::vector<std::size_t> order = rating_order(table);
    Values page;
    page.set("style", std::string(asset("style.css"))).set("note", printable_utf8(list.note));
    const std::string best = printable_utf8(list.programs[order.front()]);
    const ShownOrders orders = shown_orders(table);
    page.set("headline", is_strongest(table, order.front())
                             ? fmt::format("{} is shown to be the strongest.", best)
                         : order.size() > 1
                             ? std::string("No program is shown to be the strongest.")
                             : fmt::format("{} is alone: it has no rating.", best));
    page.set("caption",
             fmt::format("{} of {} orders of two programs are shown, 95 % for all at once. Elo is "
                         "relative to {}; seed {}.",
                         orders.shown, orders.all,
                         list.has_anchor ? "the anchor" : "the mean of the programs", list.seed));
    add_rating_figures(page, table, list);
    add_rating_warnings(page, table, list);
    add_rating_tables(page, table, list, order);
    add_rating_charts(page, table, list, order);
    return filled(asset("ratings.mustache"), page);
}

}  // namespace assay::reports::web
