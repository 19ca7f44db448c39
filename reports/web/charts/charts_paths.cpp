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

/// Whether a line runs through the box. REQUIRES: its points go from left to right.
bool crosses(const std::vector<Point>& line, const Frame& box) {
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Point& a = line[i - 1];
        const Point& b = line[i];
        if (b.x < box.left || a.x > box.right) continue;
        const auto at = [&](double x) {
            return b.x > a.x ? a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) : a.y;
        };
        const double from = at(std::max(a.x, box.left));
        const double to = b.x > a.x ? at(std::min(b.x, box.right)) : b.y;
        if (std::max(from, to) >= box.top && std::min(from, to) <= box.bottom) return true;
    }
    return false;
}

/// The nearest place beside a point for two lines of text, `width` wide, where none of `lines`
/// runs; nullopt where there is none within the frame.
std::optional<Frame> place_beside(const Point& end, double width, const Frame& frame,
                                  const std::vector<const std::vector<Point>*>& lines) {
    constexpr double kHeight = 32;
    const bool is_upper_half = end.y < (frame.top + frame.bottom) / 2;
    for (double away = 10; away < 140; away += 12) {
        for (const double beside : {10.0, 40.0, 80.0, 120.0}) {
            for (int side = 0; side < 4; ++side) {
                const bool is_below = (side < 2) == is_upper_half;
                const double left = side % 2 == 0 ? end.x + beside : end.x - beside - width;
                const double top = is_below ? end.y + away : end.y - away - kHeight;
                const Frame box{left, left + width, top, top + kHeight};
                const bool is_inside = box.left >= frame.left && box.right <= frame.right &&
                                       box.top >= frame.top && box.bottom <= frame.bottom;
                if (is_inside && std::ranges::none_of(
                                     lines, [&](const auto* line) { return crosses(*line, box); }))
                    return box;
            }
        }
    }
    return std::nullopt;
}

void label_end(Svg& svg, const Point& end, const LlrWords& words, const Frame& frame,
               const std::vector<const std::vector<Point>*>& lines) {
    const double width = std::max(plot::text_width(words.now), plot::text_width(words.llr));
    const bool is_upper_half = end.y < (frame.top + frame.bottom) / 2;
    const double top = is_upper_half ? end.y + 18 : end.y - 48;
    const Frame box = place_beside(end, width, frame, lines)
                          .value_or(Frame{end.x - 10 - width, end.x - 10, top, top + 32});
    const bool is_right = box.left > end.x;
    const double x = is_right ? box.left : box.right;
    const Anchor anchor = is_right ? Anchor::Start : Anchor::End;
    svg.circle(end.x, end.y, 4, "fi");
    svg.text(x, box.top + 12, words.now, "k b halo", anchor);
    svg.text(x, box.top + 27, words.llr, "k halo", anchor);
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
    plot::draw_x_axis(svg, frame, x, {false, "pairs", true}, width < 400 ? 4 : 6);
    svg.polyline(plot::points_text(upper), "lh").polyline(plot::points_text(lower), "lr");
    if (has_cap && !upper.empty() && !lower.empty()) {
        svg.line(upper.back().x, upper.back().y, lower.back().x, lower.back().y, "l2");
        svg.text(upper.back().x - 6, (upper.back().y + lower.back().y) / 2 + 4, words.cap, "halo",
                 Anchor::End);
    }
    const double words_at = std::min(
        (upper.empty() ? frame.left : upper.front().x) + 6,
        frame.right - std::max(plot::text_width(words.accept), plot::text_width(words.reject)));
    svg.text(words_at, frame.top + 14, words.accept, "h b");
    svg.text(words_at, frame.bottom - 7, words.reject, "r b");
    svg.polyline(plot::points_text(path), "li");
    if (!path.empty()) label_end(svg, path.back(), words, frame, {&path, &upper, &lower});
    return svg.str();
}

double within(std::optional<double> value, double fallback, const Scale& y) {
    return y(std::clamp(value.value_or(fallback), y.lo(), y.hi()));
}

/// The range of Elo that the chart shows: the naive interval once a sixth of the pairs is in.
std::pair<double, double> elo_range(const std::vector<EloPoint>& path,
                                    const stats::Estimate& after) {
    double lo = 0;
    double hi = 0;
    const auto add = [&](const stats::Estimate& elo) {
        for (const std::optional<double>& value : {elo.value, elo.ci95.low, elo.ci95.high}) {
            if (!value) continue;
            lo = std::min(lo, *value);
            hi = std::max(hi, *value);
        }
    };
    add(after);
    for (std::size_t i = path.size() / 6; i < path.size(); ++i) add(path[i].elo);
    // Beyond a one-sided limit the band goes on.
    const bool is_one_sided = after.ci95.low.has_value() != after.ci95.high.has_value();
    const double margin = (is_one_sided ? 0.25 : 0.08) * std::max(hi - lo, 1.0);
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
    plot::draw_x_axis(svg, frame, x, {false, "pairs", true}, width < 400 ? 3 : 5);
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
