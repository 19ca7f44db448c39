#include "reports/web/charts/history_charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/plot/axes.h"
#include "reports/plot/path.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "reports/web/charts/charts.h"

namespace assay::reports::web {

namespace {

using plot::Anchor;
using plot::Frame;
using plot::Point;
using plot::Scale;
using plot::Svg;

/// What the panels share: the nights along x.
struct Panel {
    Frame frame;
    double step = 1;  // pixels a night

    [[nodiscard]] double x(std::size_t night) const {
        return frame.left + step * (static_cast<double>(night) + 0.5);
    }
};

/// `y`: of the values at the left, between `top` and the bottom of the frame.
Panel panel_for(const History& history, double width, const Scale& y, double top,
                const plot::TickStyle& style, int most) {
    const double right = width - (width < 500 ? 80 : 112);
    const double left = plot::left_for(y, style, most, 44);
    Panel panel{{left, right, top, y.from()}, 1};
    panel.step =
        (right - left) / static_cast<double>(std::max<std::size_t>(1, history.nights.size()));
    return panel;
}

/// Days under the axis: as many as have room, none twice; the last night's always.
void draw_days(Svg& svg, const History& history, const Panel& panel) {
    svg.line(panel.frame.left, panel.frame.bottom, panel.frame.right, panel.frame.bottom, "ax");
    const std::vector<std::string> labels = day_labels(history);
    const auto count = labels.size();
    if (count == 0) return;
    const double room = panel.frame.right - panel.frame.left;
    const double widest = 24 + plot::text_width(labels.back());
    const auto most = static_cast<std::size_t>(std::max(2.0, room / std::max(110.0, widest)));
    const std::size_t every = std::max<std::size_t>(1, (count + most - 1) / most);
    const auto draw = [&](std::size_t night) {
        const double at = panel.x(night);
        svg.line(at, panel.frame.bottom, at, panel.frame.bottom + 4, "ax");
        const double half = plot::text_width(labels[night]) / 2;
        const double middle = std::min(std::max(at, half), svg.width() - half);
        svg.text(middle, panel.frame.bottom + 17, labels[night], "", Anchor::Middle);
    };
    std::string last;
    for (std::size_t i = 0; i + 1 < count; i += every) {
        if (i + every / 2 >= count && i > 0) break;
        if (labels[i] == last || labels[i] == labels.back()) continue;
        if (panel.x(count - 1) - panel.x(i) < widest) continue;
        draw(i);
        last = labels[i];
    }
    draw(count - 1);
}

/// Grey bars where a series begins.
void draw_changes(Svg& svg, const History& history, const Panel& panel) {
    for (std::size_t i = 0; i < history.nights.size(); ++i) {
        if (history.nights[i].change.empty()) continue;
        svg.rect(panel.x(i) - panel.step / 2 - 3, panel.frame.top, 6,
                 panel.frame.bottom - panel.frame.top, "fbb");
    }
}

void draw_cursor(Svg& svg, const Panel& panel) {
    svg.raw(
        fmt::format("<path class=\"cur\" d=\"M0 {}V{}\" data-left=\"{}\" data-step=\"{:.4f}\" "
                    "transform=\"translate(-9 0)\"/>",
                    plot::coordinate(panel.frame.top), plot::coordinate(panel.frame.bottom),
                    plot::coordinate(panel.x(0)), panel.step));
}

/// Runs of nights that follow one another within a series and pass `is_in`.
template <class Predicate>
std::vector<std::vector<std::size_t>> stretches(const History& history, const Predicate& is_in) {
    std::vector<std::vector<std::size_t>> out;
    bool is_open = false;
    std::size_t series = 0;
    for (std::size_t i = 0; i < history.nights.size(); ++i) {
        const Night& night = history.nights[i];
        // A skipped night is a gap in time, not in what is drawn.
        if (!night.is_played()) continue;
        if (!is_in(night)) {
            is_open = false;
            continue;
        }
        if (!is_open || night.series != series) out.emplace_back();
        out.back().push_back(i);
        is_open = true;
        series = night.series;
    }
    return out;
}

bool has_interval(const Night& night) {
    return night.counts() && night.elo.ci95.low && night.elo.ci95.high;
}

std::pair<double, double> elo_range(const History& history) {
    double lo = 0;
    double hi = 0;
    for (const Night& night : history.nights) {
        if (!night.is_played()) continue;
        for (const auto& value : {night.elo.value, night.elo.ci95.low, night.elo.ci95.high}) {
            lo = std::min(lo, value.value_or(lo));
            hi = std::max(hi, value.value_or(hi));
        }
    }
    const double margin = 0.1 * std::max(hi - lo, 1.0);
    return {lo - margin, hi + margin};
}

void draw_bands(Svg& svg, const History& history, const Panel& panel, const Scale& y) {
    for (const auto& stretch : stretches(history, has_interval)) {
        std::vector<Point> upper;
        std::vector<Point> lower;
        for (const std::size_t i : stretch) {
            upper.push_back({panel.x(i), y(*history.nights[i].elo.ci95.high)});
            lower.push_back({panel.x(i), y(*history.nights[i].elo.ci95.low)});
        }
        if (stretch.size() == 1) {
            svg.line(upper[0].x, upper[0].y, lower[0].x, lower[0].y, "li");
        } else {
            svg.polygon(plot::points_text(plot::band(plot::thinned(upper), plot::thinned(lower))),
                        "fhb");
        }
    }
}

/// A night with one limit and no estimate: a bar at the limit, and a line from it to the edge.
void draw_one_sided(Svg& svg, const Night& night, double x, const Panel& panel, const Scale& y) {
    const bool is_below = night.elo.ci95.high.has_value();
    const double at = y(is_below ? *night.elo.ci95.high : *night.elo.ci95.low);
    const std::string_view css = night.verdict == harness::Verdict::Rejected ? "lr" : "lh";
    svg.line(x - 5, at, x + 5, at, css);
    svg.line(x, at, x, is_below ? panel.frame.bottom : panel.frame.top, css);
}

void draw_night_marks(Svg& svg, const History& history, const Panel& panel, const Scale& y) {
    const double radius = panel.step < 3 ? 1.5 : panel.step < 8 ? 2.2 : 3.2;
    for (std::size_t i = 0; i < history.nights.size(); ++i) {
        const Night& night = history.nights[i];
        if (!night.is_played()) {
            svg.text(panel.x(i), panel.frame.bottom - 4, "×", "halo", Anchor::Middle);
        } else if (night.elo.value) {
            const double at = y(*night.elo.value);
            if (night.tainted) {
                svg.circle(panel.x(i), at, radius + 0.8, "hollow");
            } else if (night.verdict == harness::Verdict::Rejected) {
                svg.text(panel.x(i), at + 4, "▼", "r halo", Anchor::Middle);
            } else {
                svg.circle(panel.x(i), at, radius, "fh");
            }
        } else if (night.elo.ci95.low || night.elo.ci95.high) {
            draw_one_sided(svg, night, panel.x(i), panel, y);
        }
    }
}

/// The thick lines between steps.
void draw_levels(Svg& svg, const std::vector<NightLevel>& levels, const Panel& panel,
                 const Scale& y, double unit) {
    for (const NightLevel& level : levels) {
        const double at = y(level.level.mean / unit);
        svg.line(panel.x(level.first) - panel.step / 2, at, panel.x(level.last) + panel.step / 2,
                 at, "lv");
    }
}

/// Dashed lines with the change beside them; labels of near steps take turns in height.
void draw_steps(Svg& svg, const History& history, const Panel& panel, bool is_speed,
                const Scale& y) {
    double last_end = -1e9;
    double last_y = 0;
    for (const NightStep& step : history.steps) {
        if (step.is_speed != is_speed) continue;
        const bool is_up = step.step.change > 0;
        const double x = panel.x(step.night) - panel.step / 2;
        std::string text = plot::number_text(step.step.change, 1, true) + (is_speed ? " %" : "");
        if (!is_speed && panel.frame.right > 500)
            text += fmt::format(" [{}, {}]", plot::number_text(*step.step.ci95.low, 1, true),
                                plot::number_text(*step.step.ci95.high, 1, true));
        const double width = plot::text_width(text);
        const bool is_left = x - width - 6 > panel.frame.left;
        const double begin = is_left ? x - 6 - width : x + 6;
        double at = is_up ? panel.frame.top + 12 : panel.frame.bottom - 20;
        if (begin < last_end && std::abs(at - last_y) < 14) at += is_up ? 15 : -15;
        svg.line(x, panel.frame.top, x, panel.frame.bottom, is_up ? "lh dash" : "lr dash");
        svg.text(is_left ? x - 6 : x + 6, at, text, is_up ? "h b halo" : "r b halo",
                 is_left ? Anchor::End : Anchor::Start);
        last_end = begin + width;
        last_y = at;
    }
    (void)y;
}

/// What each series is, above the frame where there is room.
void name_series(Svg& svg, const History& history, const Panel& panel) {
    double free_from = panel.frame.left;
    for (std::size_t i = 0; i < history.nights.size(); ++i) {
        const Night& night = history.nights[i];
        if (night.change.empty()) continue;
        const std::string text = shortened(night.change + ": a new series", 70);
        const double width = plot::text_width(text);
        const bool fits_right = panel.x(i) + width < svg.width();
        const double begin = fits_right ? panel.x(i) : std::max(0.0, svg.width() - width);
        if (begin < free_from) continue;
        svg.text(begin, panel.frame.top - 6, text, "k");
        free_from = begin + width + 12;
    }
}

std::string draw_elo(const History& history, double width, std::string_view css) {
    const double height = 330;
    const auto [lo, hi] = elo_range(history);
    const Scale y = Scale::linear(lo, hi, height - 34, 34);
    const Panel panel = panel_for(history, width, y, 34, {true, ""}, 5);
    Svg svg(width, height, css,
            fmt::format("Elo of {} over {} nights with intervals and steps", history.first,
                        history.nights.size()));
    draw_changes(svg, history, panel);
    draw_bands(svg, history, panel, y);
    plot::draw_y_axis(svg, panel.frame, y, {true, ""}, 5);
    draw_days(svg, history, panel);
    draw_levels(svg, history.elo_levels, panel, y, 1);
    draw_night_marks(svg, history, panel, y);
    draw_steps(svg, history, panel, false, y);
    name_series(svg, history, panel);
    if (!history.elo_levels.empty()) {
        const NightLevel& level = history.elo_levels.back();
        const double at = y(level.level.mean);
        svg.text(panel.frame.right + 6, at + 1,
                 plot::number_text(level.level.mean, 1, true) + " Elo", "k b");
        svg.text(panel.frame.right + 6, at + 15, "level now");
    }
    draw_cursor(svg, panel);
    return svg.str();
}

/// Nodes a second are written in a unit that leaves few digits.
std::pair<double, std::string_view> speed_unit(double most) {
    if (most >= 1e6) return {1e6, "M/s"};
    if (most >= 1e3) return {1e3, "k/s"};
    return {1, "/s"};
}

std::string draw_speed(const History& history, double width, std::string_view css) {
    const double height = 140;
    double lo = 1e300;
    double hi = 0;
    for (const Night& night : history.nights) {
        if (!night.nodes_per_second[0]) continue;
        lo = std::min(lo, *night.nodes_per_second[0]);
        hi = std::max(hi, *night.nodes_per_second[0]);
    }
    const auto [unit, name] = speed_unit(hi);
    const double margin = std::max(0.15 * (hi - lo), 0.05 * hi);
    const Scale y =
        Scale::linear(std::max(0.0, lo - margin) / unit, (hi + margin) / unit, height - 30, 10);
    const Panel panel = panel_for(history, width, y, 10, {}, 3);
    Svg svg(width, height, css, "Nodes a second of " + history.first);
    draw_changes(svg, history, panel);
    plot::draw_y_axis(svg, panel.frame, y, {}, 3);
    draw_days(svg, history, panel);
    const auto has_speed = [](const Night& night) { return night.nodes_per_second[0].has_value(); };
    for (const auto& stretch : stretches(history, has_speed)) {
        std::vector<Point> line;
        for (const std::size_t i : stretch)
            line.push_back({panel.x(i), y(*history.nights[i].nodes_per_second[0] / unit)});
        svg.polyline(plot::points_text(plot::thinned(line)), "lh");
    }
    draw_steps(svg, history, panel, true, y);
    if (const auto latest = history.latest();
        latest && history.nights[*latest].nodes_per_second[0]) {
        const double value = *history.nights[*latest].nodes_per_second[0] / unit;
        svg.text(panel.frame.right + 6, y(value) + 4, fmt::format("{:.3g} {}", value, name), "k b");
    }
    draw_cursor(svg, panel);
    return svg.str();
}

std::optional<double> answer_of(const Night& night, std::size_t query) {
    return night.is_played() && query < night.answers.size() ? night.answers[query] : std::nullopt;
}

std::string draw_query(const History& history, std::size_t query, double width,
                       std::string_view css) {
    const double height = 110;
    double lo = 0;
    double hi = 1;
    for (const Night& night : history.nights) {
        lo = std::min(lo, answer_of(night, query).value_or(lo));
        hi = std::max(hi, answer_of(night, query).value_or(hi));
    }
    const Scale y = Scale::linear(lo, hi + 0.1 * (hi - lo), height - 30, 10);
    const Panel panel = panel_for(history, width, y, 10, {}, 3);
    Svg svg(width, height, css, "Answers to " + history.queries[query]);
    draw_changes(svg, history, panel);
    plot::draw_y_axis(svg, panel.frame, y, {}, 3);
    draw_days(svg, history, panel);
    const auto has_answer = [&](const Night& night) { return answer_of(night, query).has_value(); };
    std::optional<Point> last;
    for (const auto& stretch : stretches(history, has_answer)) {
        std::vector<Point> line;
        for (const std::size_t i : stretch)
            line.push_back({panel.x(i), y(*answer_of(history.nights[i], query))});
        last = line.back();
        if (line.size() == 1) {
            svg.circle(line[0].x, line[0].y, 2.2, "fh");
        } else {
            svg.polyline(plot::points_text(plot::thinned(line)), "lh");
        }
    }
    for (std::size_t i = history.nights.size(); last && i-- > 0;) {
        const auto answer = answer_of(history.nights[i], query);
        if (!answer) continue;
        svg.text(panel.frame.right + 6, last->y + 4, plot::number_text(*answer, 0, false), "k b");
        break;
    }
    draw_cursor(svg, panel);
    return svg.str();
}

std::string draw_failures(const History& history, double width, std::string_view css) {
    const double height = 104;
    double most = 5;
    for (const Night& night : history.nights)
        most = std::max(most, static_cast<double>(night.failures.total()));
    const Scale y = Scale::linear(0, most, height - 30, 18);
    const Panel panel = panel_for(history, width, y, 18, {false, "", true}, 2);
    Svg svg(width, height, css, "Failures of " + history.first + " a night");
    draw_changes(svg, history, panel);
    plot::draw_y_axis(svg, panel.frame, y, {false, "", true}, 2);
    const double bar = std::max(2.0, std::min(9.0, panel.step * 0.6));
    std::size_t worst = history.nights.size();
    for (std::size_t i = 0; i < history.nights.size(); ++i) {
        const harness::Failures& failures = history.nights[i].failures;
        const auto hard =
            static_cast<double>(failures.crashes + failures.stalls + failures.illegal_moves);
        const auto all = static_cast<double>(failures.total());
        if (all == 0) continue;
        svg.rect(panel.x(i) - bar / 2, y(hard), bar, y(0) - y(hard), "fr");
        svg.rect(panel.x(i) - bar / 2, y(all), bar, y(hard) - y(all), "fb");
        if (worst == history.nights.size() ||
            failures.total() > history.nights[worst].failures.total())
            worst = i;
    }
    if (worst < history.nights.size()) {
        const harness::Failures& failures = history.nights[worst].failures;
        std::string text = failures_text(failures);
        if (plot::text_width(text) > width - panel.frame.left)
            text = grouped(failures.total(), "failure");
        // Above the frame, where no bar of another night is, and inside the picture.
        const double left = std::min(panel.x(worst) - bar / 2, width - plot::text_width(text) - 2);
        svg.text(std::max(0.0, left), panel.frame.top - 6, text, "k halo", Anchor::Start);
    }
    draw_days(svg, history, panel);
    draw_cursor(svg, panel);
    return svg.str();
}

}  // namespace

std::string history_elo_chart(const History& history) {
    return full_page(
        [&](double width, std::string_view css) { return draw_elo(history, width, css); });
}

std::string history_speed_chart(const History& history) {
    const bool has_speed = std::ranges::any_of(
        history.nights, [](const Night& night) { return night.nodes_per_second[0].has_value(); });
    if (!has_speed) return "";
    return full_page(
        [&](double width, std::string_view css) { return draw_speed(history, width, css); });
}

std::string history_query_chart(const History& history, std::size_t query) {
    const bool has_answer = std::ranges::any_of(
        history.nights, [&](const Night& night) { return answer_of(night, query).has_value(); });
    if (!has_answer) return "";
    return full_page(
        [&](double width, std::string_view css) { return draw_query(history, query, width, css); });
}

std::string history_failure_chart(const History& history) {
    const bool has_failed = std::ranges::any_of(
        history.nights, [](const Night& night) { return night.failures.total() > 0; });
    if (!has_failed) return "";
    return full_page(
        [&](double width, std::string_view css) { return draw_failures(history, width, css); });
}

std::string interval_bar(const stats::Estimate& elo, double lo, double hi, bool is_bad) {
    const auto& [low, high] = elo.ci95;
    if (!low && !high) return "";
    const Scale x = Scale::linear(lo, hi, 2, 130);
    Svg svg(132, 16, "bar", "");
    if (lo < 0 && hi > 0) svg.line(x(0), 0, x(0), 16, "ax");
    // Where there is no limit the line goes to the edge.
    svg.line(low ? x(*low) : 0, 8, high ? x(*high) : 132, 8, "li");
    if (!low || !high) svg.line(x(low ? *low : *high), 4, x(low ? *low : *high), 12, "li");
    if (elo.value) svg.circle(x(*elo.value), 8, 3.5, is_bad ? "fr" : "fh");
    return svg.str();
}

}  // namespace assay::reports::web
