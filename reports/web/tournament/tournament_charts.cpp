#include "reports/web/tournament/tournament_charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/plan/tournament_plan.h"
#include "reports/history/history.h"
#include "reports/plot/axes.h"
#include "reports/plot/path.h"
#include "reports/plot/svg.h"
#include "reports/text/tournament_words.h"
#include "reports/tournament/rated_list.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/web/charts/charts.h"

namespace assay::reports::web {

namespace {

using plot::Anchor;
using plot::Frame;
using plot::Scale;
using plot::Svg;

constexpr std::size_t kMostCells = 64;
constexpr double kWidestCell = 96;  // of the crosstable
constexpr double kRatingRow = 22;
constexpr double kNameRow = 16;  // above it, where names do not fit beside it

/// The text cut until it is so wide at most.
std::string fitted_name(const std::string& text, double width) {
    const std::string all = printable_utf8(text);
    if (plot::text_width(all) <= width) return all;
    for (std::size_t bytes = all.size(); bytes > 1; --bytes) {
        const std::string cut = shortened(all, bytes);
        if (plot::text_width(cut) <= width) return cut;
    }
    return "";
}

double widest_name(const std::vector<std::string>& names) {
    double widest = 0;
    for (const std::string& name : names)
        widest = std::max(widest, plot::text_width(printable_utf8(name)));
    return widest;
}

using stats::Rating;
using stats::RatingTable;

/// The range of the ratings and of the simultaneous intervals; those that are much wider than the
/// ratings apart are cut, so that one program of few games does not flatten all others.
std::pair<double, double> rating_range(const std::vector<Rating>& ratings) {
    double low = ratings.front().elo;
    double high = low;
    for (const Rating& rating : ratings) {
        low = std::min(low, rating.elo);
        high = std::max(high, rating.elo);
    }
    const double room = std::max(50.0, high - low);
    const double least = low - room;
    const double most = high + room;
    for (const Rating& rating : ratings) {
        low = std::min(low, std::max(least, rating.simultaneous95.low.value_or(least)));
        high = std::max(high, std::min(most, rating.simultaneous95.high.value_or(most)));
    }
    const double margin = 0.03 * std::max(1.0, high - low);
    return {low - margin, high + margin};
}

void draw_rating_interval(Svg& svg, const Scale& x, const Frame& frame,
                          const stats::Interval& interval, double y, std::string_view css) {
    const double from = interval.low ? std::max(frame.left, x(*interval.low)) : frame.left;
    const double to = interval.high ? std::min(frame.right, x(*interval.high)) : frame.right;
    svg.line(from, y, to, y, css);
}

/// A limit beyond the chart is said to be there: a line to the edge alone is one without a limit.
void mark_cut_limits(Svg& svg, const Scale& x, const Frame& frame, const stats::Interval& interval,
                     double y) {
    if (interval.low && x(*interval.low) < frame.left)
        svg.text(frame.left - 1, y + 4, "‹", "k", Anchor::End);
    if (interval.high && x(*interval.high) > frame.right)
        svg.text(frame.right + 1, y + 4, "›", "k");
}

std::string draw_ratings(const RatingTable& table, const std::vector<std::string>& names,
                         double width, std::string_view css) {
    const std::vector<std::size_t> order = rating_order(table);
    // On a narrow page a name has a line of its own.
    const double widest = widest_name(names);
    const bool is_above = width < 500 && widest > 110;
    const double name_width = is_above ? width : std::min(widest, 320.0);
    const double value_width = plot::text_width("−1,234.5");
    const double row = kRatingRow + (is_above ? kNameRow : 0);
    Frame frame{is_above ? 10 : name_width + 12, width - value_width - 12, 4,
                4 + row * static_cast<double>(order.size())};
    const auto [low, high] = rating_range(table.ratings());
    const Scale x = Scale::linear(low, high, frame.left, frame.right);
    Svg svg(width, frame.bottom + 24, css, "Ratings of the programs with their intervals");
    const int most = width < 500 ? 4 : 7;
    for (const plot::Tick& tick : plot::ticks(x, most, {true, ""}))
        svg.line(x(tick.value), frame.top, x(tick.value), frame.bottom,
                 tick.value == 0 ? "ax" : "gr");
    double y = frame.top + row - kRatingRow / 2;
    for (std::size_t place = 0; place < order.size(); ++place) {
        const std::size_t i = order[place];
        const Rating& rating = table.ratings()[i];
        if (place > 0 &&
            table.connection().component_of(i) != table.connection().component_of(order[place - 1]))
            svg.line(0, y + kRatingRow / 2 - row, width, y + kRatingRow / 2 - row, "ax dash");
        svg.text(0, y + 4 - (is_above ? kNameRow : 0), fitted_name(names[i], name_width), "k");
        draw_rating_interval(svg, x, frame, rating.simultaneous95, y, "li");
        draw_rating_interval(svg, x, frame, rating.ci95, y, "lv");
        mark_cut_limits(svg, x, frame, rating.simultaneous95, y);
        svg.circle(std::clamp(x(rating.elo), frame.left, frame.right), y, 4, "fh");
        svg.text(width, y + 4, plot::number_text(rating.elo, 1, true), "k", Anchor::End);
        y += row;
    }
    plot::draw_x_axis(svg, frame, x, {true, " Elo"}, most);
    return svg.str();
}

std::string draw_rating_history(const std::vector<RatingDate>& dates, bool has_line, double width,
                                std::string_view css) {
    double low = dates.front().elo;
    double high = low;
    for (const RatingDate& date : dates) {
        low = std::min({low, date.elo, date.ci95.low.value_or(date.elo)});
        high = std::max({high, date.elo, date.ci95.high.value_or(date.elo)});
    }
    const plot::TickStyle style{true, " Elo"};
    const double bottom = 220;
    const Scale y = Scale::linear(low, high, bottom, 14);
    const double left = plot::left_for(y, style, 5, 44);
    Frame frame{left, width - 14, 14, bottom};
    const Scale x =
        Scale::linear(static_cast<double>(dates.front().us), static_cast<double>(dates.back().us),
                      frame.left + 10, frame.right - 10);
    Svg svg(width, bottom + 26, css, "Ratings by the day of the first run");
    plot::draw_y_axis(svg, frame, y, style);
    svg.line(frame.left, bottom, frame.right, bottom, "ax");
    std::vector<plot::Point> best;
    for (const RatingDate& date : dates) {
        const double at = x(static_cast<double>(date.us));
        svg.line(at, y(date.ci95.low.value_or(low)), at, y(date.ci95.high.value_or(high)), "l2");
        if (best.empty() || y(date.elo) < best.back().y) {
            if (!best.empty()) best.push_back({at, best.back().y});
            best.push_back({at, y(date.elo)});
        }
    }
    best.push_back({x(static_cast<double>(dates.back().us)), best.back().y});
    if (has_line) svg.polyline(plot::points_text(best), "lh");
    for (const RatingDate& date : dates)
        svg.circle(x(static_cast<double>(date.us)), y(date.elo), 3.5, "fh");
    const bool has_year = dates.back().us - dates.front().us > 300LL * 86'400 * 1'000'000;
    svg.text(frame.left, bottom + 18, day_text(dates.front().us, has_year), "");
    svg.text(frame.right, bottom + 18, day_text(dates.back().us, true), "", Anchor::End);
    return svg.str();
}

/// The looks of a cell by the row's share of the points: its ground and its text.
struct CellLook {
    std::string_view ground;
    std::string_view text;
};

CellLook cell_look(double share) {
    if (share >= 0.75) return {"fh", "o"};
    if (share > 0.5) return {"fhb", "k"};
    if (share == 0.5) return {"fbb", "k"};
    if (share > 0.25) return {"frb", "k"};
    return {"fr", "o"};
}

void draw_cell(Svg& svg, const stats::Wdl& games, double left, double top, double width,
               double height) {
    if (games.games() == 0) return;
    const double share =
        (static_cast<double>(games.wins) + 0.5 * static_cast<double>(games.draws)) /
        static_cast<double>(games.games());
    const CellLook look = cell_look(share);
    const double gap = width > 12 ? 1 : 0.5;
    svg.rect(left + gap, top + gap, width - 2 * gap, height - 2 * gap, look.ground);
    const std::string points = points_text(games);
    const std::string detail = wdl_text(games);
    const double middle = left + width / 2;
    const bool has_detail = height >= 34 && plot::text_width(detail) <= width - 4;
    if (plot::text_width(points) > width - 2 || height < 14) return;
    svg.text(middle, top + height / 2 + (has_detail ? -3 : 4), points,
             fmt::format("{} b", look.text), Anchor::Middle);
    if (has_detail) svg.text(middle, top + height / 2 + 12, detail, look.text, Anchor::Middle);
}

std::string draw_crosstable(const TournamentView& view, const std::set<std::size_t>& couples,
                            double width, std::string_view css) {
    const std::size_t count = std::min(view.rows.size(), kMostCells);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
        names.push_back(fmt::format("{}  {}", i + 1, view.rows[i].name));
    // Few programs leave room behind their cells, which long names may take.
    const double left_over = width - kWidestCell * static_cast<double>(count);
    const double share = width < 500 ? 108.0 : std::min(240.0, width / 4);
    const double name_width = std::min(widest_name(names) + 8, std::max(share, left_over));
    const double cell = std::min(kWidestCell, (width - name_width) / static_cast<double>(count));
    const double height = std::clamp(cell * 0.6, std::min(cell, 18.0), 40.0);
    const double row = std::max(height, 15.0);  // so that names do not touch
    const double top = 18;
    Svg svg(width, top + row * static_cast<double>(count) + 4, css,
            "Crosstable: points of the row's program against the column's");
    for (std::size_t i = 0; i < count; ++i) {
        const std::string number = fmt::format("{}", i + 1);
        const double middle = name_width + cell * (static_cast<double>(i) + 0.5);
        if (plot::text_width(number) <= cell - 1 || i == 0 || (i + 1) % 5 == 0)
            svg.text(std::min(middle, width - plot::text_width(number) / 2), 12, number, "",
                     Anchor::Middle);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const double y = top + row * static_cast<double>(i);
        svg.text(0, y + row / 2 + 4, fitted_name(names[i], name_width - 6), "k");
        for (std::size_t other = 0; other < count; ++other) {
            const double x = name_width + cell * static_cast<double>(other);
            if (i == other) {
                svg.rect(x + cell / 2 - 2, y + row / 2 - 2, 4, 4, "fbb");
                continue;
            }
            const std::size_t match = match_between(view, i, other);
            const bool is_linked = couples.contains(match);
            if (is_linked)
                svg.raw(
                    fmt::format("<a href=\"#games?match={0}\" data-filter=\"match={0}\">"
                                "<title>Games of {1} and {2}</title>",
                                match + 1, xml(printable_utf8(view.rows[i].name)),
                                xml(printable_utf8(view.rows[other].name))));
            draw_cell(svg, view.between(i, other), x, y, cell, row);
            if (is_linked) svg.raw("</a>");
        }
    }
    return svg.str();
}

}  // namespace

std::string rating_chart(const stats::RatingTable& table, const std::vector<std::string>& names) {
    if (names.empty()) return "";
    return full_page(
        [&](double width, std::string_view css) { return draw_ratings(table, names, width, css); });
}

std::string rating_history_chart(std::vector<RatingDate> dates, bool has_line) {
    std::ranges::stable_sort(dates, {}, &RatingDate::us);
    if (dates.size() < 2 || dates.front().us == dates.back().us) return "";
    return full_page([&](double width, std::string_view css) {
        return draw_rating_history(dates, has_line, width, css);
    });
}

std::size_t match_between(const TournamentView& view, std::size_t row, std::size_t other) {
    const auto [low, high] =
        std::minmax({view.rows[row].standing.program, view.rows[other].standing.program});
    return harness::couple_of(low, high);
}

std::string crosstable_chart(const TournamentView& view, const std::set<std::size_t>& couples) {
    if (view.games() == 0) return "";
    return full_page([&](double width, std::string_view css) {
        return draw_crosstable(view, couples, width, css);
    });
}

}  // namespace assay::reports::web
