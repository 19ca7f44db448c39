// Charts of the stop rule's path and of the estimate's path.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/plot/axes.h"
#include "reports/plot/path.h"
#include "reports/view/number_text.h"
#include "reports/web/charts/charts.h"

namespace assay::reports::web {

namespace {

using plot::Anchor;
using plot::Frame;
using plot::Point;
using plot::Scale;
using plot::Svg;

/// The upper or lower bound as a line.
std::vector<Point> line_of(const std::vector<LookPoint>& points, const Scale& x, const Scale& y,
                           std::optional<double> LookPoint::*member) {
    std::vector<Point> out;
    for (const LookPoint& point : points) {
        const std::optional<double>& value = point.*member;
        if (value) out.push_back({x(static_cast<double>(point.pairs)), y(*value)});
    }
    return plot::thinned(out);
}

/// The largest distance from zero that has to be seen.
double reach_of(const std::vector<LookPoint>& points) {
    double reach = 0;
    for (const LookPoint& point : points)
        for (const auto& value : {point.llr, point.lower, point.upper})
            if (value) reach = std::max(reach, std::abs(*value));
    return reach;
}

/// The area beyond a bound, to the edge of the frame.
void fill_region(Svg& svg, const std::vector<Point>& bound, double edge, std::string_view css) {
    if (bound.empty()) return;
    const std::vector<Point> border{{bound.front().x, edge}, {bound.back().x, edge}};
    svg.polygon(plot::points_text(plot::band(bound, border)), css);
}

void label_end(Svg& svg, const Point& end, const LlrWords& words, const Frame& frame,
               bool is_upper_half) {
    const double width = std::max(plot::text_width(words.now), plot::text_width(words.llr));
    const bool fits_right = end.x + 10 + width < frame.right;
    const double x = fits_right ? end.x + 10 : end.x - 10;
    const Anchor anchor = fits_right ? Anchor::Start : Anchor::End;
    const double y = is_upper_half ? end.y + 30 : end.y - 36;
    svg.circle(end.x, end.y, 4, "fi");
    svg.text(x, y, words.now, "k b halo", anchor);
    svg.text(x, y + 15, words.llr, "k halo", anchor);
}

std::string draw_llr(const std::vector<LookPoint>& looks, const std::vector<LookPoint>& bounds,
                     bool has_cap, const LlrWords& words, double width, std::string_view css) {
    const double height = 300;
    const std::vector<LookPoint>& edge = bounds.empty() ? looks : bounds;
    const double last = static_cast<double>(
        std::max(looks.empty() ? 0 : looks.back().pairs, edge.empty() ? 0 : edge.back().pairs));
    const double reach = 1.18 * std::max({reach_of(looks), reach_of(bounds), 0.5});
    const double bottom = height - 34;
    const Scale y = Scale::linear(-reach, reach, bottom, 18);
    const Frame frame{plot::left_for(y, {true, ""}, 5, 34), width - 14, 18, bottom};
    const Scale x = Scale::linear(0, last, frame.left, frame.right);
    const std::vector<Point> upper = line_of(edge, x, y, &LookPoint::upper);
    const std::vector<Point> lower = line_of(edge, x, y, &LookPoint::lower);
    const std::vector<Point> path = line_of(looks, x, y, &LookPoint::llr);
    Svg svg(width, height, css,
            fmt::format("LLR against pairs: {} after {}", words.llr, words.now));
    fill_region(svg, upper, frame.top, "fhb");
    fill_region(svg, lower, frame.bottom, "frb");
    plot::draw_y_axis(svg, frame, y, {true, ""}, 5);
    plot::draw_x_axis(svg, frame, x, {false, "pairs"}, width < 400 ? 4 : 6);
    svg.polyline(plot::points_text(upper), "lh").polyline(plot::points_text(lower), "lr");
    if (has_cap && !upper.empty() && !lower.empty()) {
        svg.line(upper.back().x, upper.back().y, lower.back().x, lower.back().y, "l2");
        svg.text(upper.back().x - 6, (upper.back().y + lower.back().y) / 2 + 4, words.cap, "halo",
                 Anchor::End);
    }
    svg.text(frame.left + 6, frame.top + 14, words.accept, "h b");
    svg.text(frame.left + 6, frame.bottom - 7, words.reject, "r b");
    svg.polyline(plot::points_text(path), "li");
    if (!path.empty()) label_end(svg, path.back(), words, frame, path.back().y < y(0));
    return svg.str();
}

double within(std::optional<double> value, double fallback, const Scale& y) {
    return y(std::clamp(value.value_or(fallback), y.lo(), y.hi()));
}

/// The range of Elo that the chart shows: the naive interval once a sixth of the pairs is in.
std::pair<double, double> elo_range(const std::vector<EloPoint>& path,
                                    const stats::Estimate& after) {
    double lo = std::min(0.0, after.ci95.low.value_or(0));
    double hi = std::max(0.0, after.ci95.high.value_or(0));
    for (std::size_t i = path.size() / 6; i < path.size(); ++i) {
        lo = std::min(lo, path[i].elo.ci95.low.value_or(lo));
        hi = std::max(hi, path[i].elo.ci95.high.value_or(hi));
    }
    const double margin = 0.08 * std::max(hi - lo, 1.0);
    return {lo - margin, hi + margin};
}

/// Room at the right for the estimate's three numbers.
double label_room(const stats::Estimate& estimate) {
    const int decimals = decimals_for(estimate);
    double room = 84;
    const auto add = [&](const std::optional<double>& value, std::string_view unit) {
        if (!value) return;
        const std::string text = plot::number_text(*value, decimals, true) + std::string(unit);
        room = std::max(room, 20 + plot::text_width(text));
    };
    add(estimate.ci95.low, "");
    add(estimate.value, " Elo");
    add(estimate.ci95.high, "");
    return room;
}

/// The dot and bar at the right with their three numbers.
void draw_estimate(Svg& svg, const stats::Estimate& estimate, double x, const Scale& y) {
    const int decimals = decimals_for(estimate);
    std::vector<double> at;
    std::vector<std::string> text;
    std::vector<std::string> css;
    const auto add = [&](const std::optional<double>& value, std::string_view unit,
                         std::string_view look) {
        if (!value) return;
        at.push_back(within(value, 0, y));
        text.push_back(plot::number_text(*value, decimals, true) + std::string(unit));
        css.emplace_back(look);
    };
    // A missing end has no limit.
    if (estimate.ci95.low || estimate.ci95.high)
        svg.line(x, within(estimate.ci95.low, y.lo(), y), x, within(estimate.ci95.high, y.hi(), y),
                 "li");
    if (estimate.value) svg.circle(x, within(estimate.value, 0, y), 4, "fi");
    add(estimate.ci95.high, "", "");
    add(estimate.value, " Elo", "k b");
    add(estimate.ci95.low, "", "");
    const std::vector<double> placed = plot::spread(at, 14, y.to(), y.from());
    for (std::size_t i = 0; i < placed.size(); ++i) svg.text(x + 8, placed[i] + 4, text[i], css[i]);
}

/// One end of the interval that holds at every look; it begins where it comes into the picture.
std::string any_time_line(const std::vector<EloPoint>& path, const Scale& x, const Scale& y,
                          std::optional<double> stats::Interval::*end) {
    std::vector<Point> line;
    for (const EloPoint& point : path) {
        const std::optional<double>& value = point.any_time.*end;
        if (!value || *value < y.lo() || *value > y.hi()) {
            line.clear();
            continue;
        }
        line.push_back({x(static_cast<double>(point.pairs)), y(*value)});
    }
    return plot::points_text(plot::thinned(line));
}

std::string draw_elo(const std::vector<EloPoint>& path, const stats::Estimate& after, double width,
                     std::string_view css) {
    const double height = 300;
    const auto [lo, hi] = elo_range(path, after);
    const double bottom = height - 34;
    const Scale y = Scale::linear(lo, hi, bottom, 18);
    const Frame frame{plot::left_for(y, {true, ""}, 5, 40), width - label_room(after), 18, bottom};
    const Scale x =
        Scale::linear(0, static_cast<double>(path.back().pairs), frame.left, frame.right);
    std::vector<Point> upper;
    std::vector<Point> lower;
    std::vector<Point> middle;
    for (const EloPoint& point : path) {
        const double at = x(static_cast<double>(point.pairs));
        upper.push_back({at, within(point.elo.ci95.high, y.hi(), y)});
        lower.push_back({at, within(point.elo.ci95.low, y.lo(), y)});
        if (point.elo.value && *point.elo.value >= lo && *point.elo.value <= hi)
            middle.push_back({at, y(*point.elo.value)});
    }
    Svg svg(width, height, css, "Elo against pairs with its interval: " + estimate_text(after));
    svg.polygon(plot::points_text(plot::band(plot::thinned(upper), plot::thinned(lower))), "fhb");
    plot::draw_y_axis(svg, frame, y, {true, ""}, 5);
    plot::draw_x_axis(svg, frame, x, {false, "pairs"}, width < 400 ? 3 : 5);
    svg.polyline(any_time_line(path, x, y, &stats::Interval::low), "l2 dash");
    svg.polyline(any_time_line(path, x, y, &stats::Interval::high), "l2 dash");
    svg.polyline(plot::points_text(plot::thinned(middle)), "lh");
    draw_estimate(svg, after, frame.right + 10, y);
    return svg.str();
}

}  // namespace

std::string llr_chart(const std::vector<LookPoint>& looks, const std::vector<LookPoint>& bounds,
                      bool has_cap, const LlrWords& words) {
    return half_page([&](double width, std::string_view css) {
        return draw_llr(looks, bounds, has_cap, words, width, css);
    });
}

std::string elo_chart(const std::vector<EloPoint>& path, const stats::Estimate& after) {
    if (path.empty()) return "";
    return half_page(
        [&](double width, std::string_view css) { return draw_elo(path, after, width, css); });
}

}  // namespace assay::reports::web
