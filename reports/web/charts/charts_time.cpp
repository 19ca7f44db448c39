// Clocks, the harness's delay, and one game's curves and board.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/plot/axes.h"
#include "reports/plot/path.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/web/charts/charts.h"

namespace assay::reports::web {

namespace {

using plot::Anchor;
using plot::Frame;
using plot::Point;
using plot::Scale;
using plot::Svg;

constexpr std::array<std::string_view, 2> kLines{"lh", "lb"};
constexpr std::array<std::string_view, 2> kNames{"h b", "k b"};

/// Both programs' names at the ends of their lines.
void label_ends(Svg& svg, const std::array<std::optional<double>, 2>& ends, const Names& names,
                double x, const Frame& frame) {
    std::vector<double> wanted;
    std::vector<std::size_t> who;
    for (std::size_t i = 0; i < 2; ++i) {
        if (!ends[i]) continue;
        wanted.push_back(*ends[i] + 4);
        who.push_back(i);
    }
    const std::vector<double> at = plot::spread(wanted, 15, frame.top + 8, frame.bottom);
    for (std::size_t i = 0; i < at.size(); ++i)
        svg.text(x, at[i], shortened_name(names[who[i]]), kNames[who[i]]);
}

double name_room(const Names& names) {
    return 14 + std::max(plot::text_width(shortened_name(names[0])),
                         plot::text_width(shortened_name(names[1])));
}

std::string draw_clocks(const std::array<std::vector<ClockPoint>, 2>& clocks, const Names& names,
                        double width, std::string_view css) {
    const double height = 220;
    double most = 0;
    int moves = 1;
    for (const auto& line : clocks) {
        for (const ClockPoint& point : line) {
            most = std::max(most, &line == &clocks[0] ? point.high : point.median);
            moves = std::max(moves, point.move);
        }
    }
    const double bottom = height - 34;
    const Scale y = Scale::linear(0, most * 1.05, bottom, 14);
    const Frame frame{plot::left_for(y, {}, 5, 40), width - name_room(names), 14, bottom};
    const Scale x = Scale::linear(1, moves, frame.left, frame.right);
    Svg svg(width, height, css, "Median seconds left against moves");
    std::vector<Point> high;
    std::vector<Point> low;
    for (const ClockPoint& point : clocks[0]) {
        high.push_back({x(point.move), y(point.high)});
        low.push_back({x(point.move), y(point.low)});
    }
    svg.polygon(plot::points_text(plot::band(plot::thinned(high), plot::thinned(low))), "fhb");
    plot::draw_y_axis(svg, frame, y, {}, 5);
    plot::draw_x_axis(svg, frame, x, {false, "moves", true}, 5);
    std::array<std::optional<double>, 2> ends;
    for (const std::size_t program : std::array<std::size_t, 2>{1, 0}) {
        std::vector<Point> line;
        for (const ClockPoint& point : clocks[program])
            line.push_back({x(point.move), y(point.median)});
        svg.polyline(plot::points_text(plot::thinned(line)), kLines[program]);
        if (!line.empty()) ends[program] = line.back().y;
    }
    label_ends(svg, ends, names, frame.right + 8, frame);
    return svg.str();
}

/// A quantile of the delays, in microseconds, as a line and as text in a row above the frame.
struct DelayMark {
    std::string_view what;
    double us = 0;
    double text_y = 0;
};

/// The text stands left of its line, and the longer delay in the higher row: so no line runs
/// through a text, but near the left edge, where the text stands to the right.
void mark_delays(Svg& svg, const std::vector<DelayMark>& marks, const Scale& x,
                 const Frame& frame) {
    for (const DelayMark& mark : marks) {
        if (!(mark.us > 0)) continue;
        const double at = std::clamp(x(mark.us / 1000), frame.left, frame.right);
        svg.line(at, mark.text_y - 10, at, frame.bottom, "l2");
    }
    for (const DelayMark& mark : marks) {
        if (!(mark.us > 0)) continue;
        const double at = std::clamp(x(mark.us / 1000), frame.left, frame.right);
        const std::string text = fmt::format("{} {}", mark.what, milliseconds(mark.us));
        const bool is_left = plot::text_width(text) + 5 < at;
        svg.text(is_left ? at - 5 : at + 5, mark.text_y, text, "k halo",
                 is_left ? Anchor::End : Anchor::Start);
    }
}

std::string draw_delay(const std::vector<DelayBar>& bars, const harness::DelayRecord& delay,
                       double width, std::string_view css) {
    const double height = 220;
    const Frame frame{6, width - 14, 52, height - 34};
    double most = 1;
    for (const DelayBar& bar : bars) most = std::max(most, static_cast<double>(bar.moves));
    const double longest = std::max(bars.back().to_us, delay.max_us);
    const Scale x =
        Scale::logarithmic(bars.front().from_us / 1000, longest / 1000, frame.left, frame.right);
    const Scale y = Scale::linear(0, most, frame.bottom, frame.top);
    Svg svg(width, height, css,
            fmt::format("Harness delay: median {}, 99 % within {}, at most {}",
                        milliseconds(delay.p50_us), milliseconds(delay.p99_us),
                        milliseconds(delay.max_us)));
    for (const DelayBar& bar : bars) {
        const double left = x(bar.from_us / 1000);
        const auto count = static_cast<double>(bar.moves);
        svg.rect(left, y(count), x(bar.to_us / 1000) - left - 1, frame.bottom - y(count), "fb");
    }
    plot::draw_x_axis(svg, frame, x, {false, "ms"}, 6);
    mark_delays(svg,
                {{"max", delay.max_us, 12}, {"p99", delay.p99_us, 27}, {"p50", delay.p50_us, 42}},
                x, frame);
    return svg.str();
}

using Curve = std::array<std::vector<std::optional<double>>, 2>;

struct CurveLook {
    std::string title;
    bool is_signed = false;
    double lo = 0;
    double hi = 0;
};

std::string draw_curve(const Curve& curve, std::size_t plies, const Names& names,
                       const CurveLook& look, double width, std::string_view css) {
    const double height = 150;
    const double bottom = height - 30;
    const Scale y = Scale::linear(look.lo, look.hi, bottom, 22);
    const Frame frame{plot::left_for(y, {look.is_signed, ""}, 4, 40), width - name_room(names), 22,
                      bottom};
    const Scale x = Scale::linear(0, static_cast<double>(std::max<std::size_t>(1, plies)),
                                  frame.left, frame.right);
    Svg svg(width, height, css, look.title);
    svg.text(frame.left, 12, look.title);
    plot::draw_y_axis(svg, frame, y, {look.is_signed, ""}, 4);
    plot::draw_x_axis(svg, frame, x, {false, "plies", true}, 5);
    std::array<std::optional<double>, 2> ends;
    for (const std::size_t program : std::array<std::size_t, 2>{1, 0}) {
        std::vector<Point> line;
        for (std::size_t ply = 0; ply < curve[program].size(); ++ply)
            if (curve[program][ply])
                line.push_back({x(static_cast<double>(ply + 1)), y(*curve[program][ply])});
        svg.polyline(plot::points_text(line), kLines[program]);
        if (!line.empty()) ends[program] = line.back().y;
    }
    label_ends(svg, ends, names, frame.right + 8, frame);
    return svg.str();
}

double most_of(const Curve& curve) {
    double most = 0;
    for (const auto& line : curve)
        for (const auto& value : line)
            if (value) most = std::max(most, std::abs(*value));
    return most;
}

}  // namespace

std::string half_page(const Draw& draw) {
    return "<div class=\"ch\">" + draw(358, "n") + draw(528, "w") + "</div>";
}

std::string full_page(const Draw& draw) {
    return "<div class=\"ch f3\">" + draw(358, "n") + draw(700, "m") + draw(1088, "w") + "</div>";
}

std::string clock_chart(const std::array<std::vector<ClockPoint>, 2>& clocks, const Names& names) {
    return half_page(
        [&](double width, std::string_view css) { return draw_clocks(clocks, names, width, css); });
}

std::string delay_chart(const std::vector<DelayBar>& bars, const harness::DelayRecord& delay) {
    if (bars.empty()) return "";
    return half_page(
        [&](double width, std::string_view css) { return draw_delay(bars, delay, width, css); });
}

GameCurves curves_of(const harness::GameRecord& game, const PackedGame& packed) {
    GameCurves out;
    out.plies = packed.names.size();
    out.score_units = packed.score_units;
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const std::size_t ply = game.opening.size() + i;
        if (ply >= out.plies) break;
        if (game.moves[i].player < 0) continue;  // chance
        const auto program = static_cast<std::size_t>(game.program_of(game.moves[i].player));
        for (auto* curve : {&out.scores[program], &out.seconds[program]}) curve->resize(ply + 1);
        if (const auto score = score_of(game.moves[i], packed.score_scale))
            out.scores[program][ply] = program == 0 ? *score : -*score;
        if (game.moves[i].left.count() > 0)
            out.seconds[program][ply] = static_cast<double>(game.moves[i].left.count()) / 1e6;
    }
    return out;
}

std::string score_chart(const GameCurves& curves, const Names& names) {
    const double reach = std::max(1.0, most_of(curves.scores) * 1.05);
    const std::string unit = curves.score_units.empty() ? "" : " in " + curves.score_units;
    const CurveLook look{fmt::format("score{}, from {}’s side", unit, shortened_name(names[0])),
                         true, -reach, reach};
    return half_page([&](double width, std::string_view css) {
        return draw_curve(curves.scores, curves.plies, names, look, width, css);
    });
}

std::string seconds_chart(const GameCurves& curves, const Names& names) {
    const double most = most_of(curves.seconds);
    if (!(most > 0)) return "";
    const CurveLook look{"seconds left", false, 0, most * 1.05};
    return half_page([&](double width, std::string_view css) {
        return draw_curve(curves.seconds, curves.plies, names, look, width, css);
    });
}

namespace {

/// Points and their lines; light and dark squares, of which some may be outside the board; or the
/// squares of the board with borders.
void draw_fields(Svg& svg, const PackedGame& game, std::string_view squares) {
    const int left = game.numbers_room();
    if (!game.lines.empty()) {
        svg.rect(left, 0, kSquare * game.columns, kSquare * game.rows, "l");
        svg.raw(fmt::format("<path class=\"bl\" d=\"{}\"/>", game.lines));
        return;
    }
    for (int row = 0; row < game.rows; ++row) {
        for (int column = 0; column < game.columns; ++column) {
            const auto at = static_cast<std::size_t>(row * game.columns + column);
            if (squares[at] == kOutside && !game.is_chequered) continue;
            svg.rect(left + column * kSquare, row * kSquare, kSquare, kSquare,
                     !game.is_chequered        ? "p"
                     : (row + column) % 2 != 0 ? "d"
                                               : "l");
        }
    }
}

}  // namespace

std::string board_picture(const PackedGame& game, std::size_t plies, std::string_view label) {
    if (game.columns == 0) return "";
    constexpr int kSide = kSquare;
    const int left = game.numbers_room();
    const int letters = game.coordinate_size();
    Svg svg(left + kSide * game.columns, kSide * game.rows + letters * 3 / 2, "", label);
    const std::string squares = game.board_after(plies);
    draw_fields(svg, game, squares);
    svg.raw(fmt::format("<g class=\"co\" style=\"--co:{}px\">", letters));
    for (int row = 0; row < game.rows; ++row)
        svg.text(0, row * kSide + kSide / 2.0 + letters * 0.35, fmt::format("{}", game.rows - row));
    for (int column = 0; column < game.columns; ++column)
        svg.text(left + column * kSide + kSide / 2.0, game.rows * kSide + letters * 1.15,
                 std::string(1, static_cast<char>('a' + column)), "", Anchor::Middle);
    svg.raw("</g>");
    if (plies > 0 && plies <= game.changes.size()) {
        for (const int square : changed_squares(game.changes[plies - 1], game.columns))
            svg.rect(left + square % game.columns * kSide + 1.5,
                     square / game.columns * kSide + 1.5, kSide - 3, kSide - 3, "x");
    }
    svg.raw("<g class=\"pcs\">");
    for (std::size_t i = 0; i < squares.size(); ++i) {
        if (squares[i] == '.' || squares[i] == kOutside) continue;
        const int column = static_cast<int>(i) % game.columns;
        const int row = static_cast<int>(i) / game.columns;
        const bool is_first = squares[i] < 'a';
        const auto drawn = game.pieces.find(squares[i]);
        if (drawn != game.pieces.end()) {
            svg.raw(fmt::format(
                "<use href=\"#piece-{}\" class=\"{}\" x=\"{}\" y=\"{}\" "
                "width=\"45\" height=\"45\"/>",
                drawn->second, is_first ? "wp" : "bp", left + column * kSide, row * kSide));
        } else {
            svg.text(left + column * kSide + kSide / 2.0, row * kSide + 31,
                     std::string(1, squares[i]), is_first ? "wl" : "bl", Anchor::Middle);
        }
    }
    return svg.raw("</g>").str();
}

}  // namespace assay::reports::web
