// Nothing says how wide a text will be where a page is read: widths are estimated (text_width) on
// the wide side. Where labels would touch, some are left out rather than turned or made smaller;
// ticks without a label still divide the axis.
#include "reports/plot/axes.h"

#include <algorithm>

namespace assay::reports::plot {

namespace {

constexpr double kGap = 6;  // between a value and the frame

}  // namespace

double left_for(const Scale& y, const TickStyle& style, int most, double least) {
    double left = least;
    for (const Tick& tick : ticks(y, most, style))
        left = std::max(left, text_width(tick.text) + kGap);
    return left;
}

void draw_y_axis(Svg& svg, const Frame& frame, const Scale& y, const TickStyle& style, int most) {
    for (const Tick& tick : ticks(y, most, style)) {
        const double at = y(tick.value);
        svg.line(frame.left, at, frame.right, at, tick.value == 0 ? "ax" : "gr");
        svg.text(frame.left - kGap, at + 4, tick.text, "", Anchor::End);
    }
}

void draw_x_axis(Svg& svg, const Frame& frame, const Scale& x, const TickStyle& style, int most) {
    svg.line(frame.left, frame.bottom, frame.right, frame.bottom, "ax");
    const std::vector<Tick> all = ticks(x, most, style);
    // The last one carries the unit, so it is placed first and the others give way.
    const double last_half = text_width(all.back().text) / 2;
    const double last_middle = std::min(x(all.back().value), svg.width() - last_half);
    double free_from = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double at = x(all[i].value);
        const bool is_last = i + 1 == all.size();
        svg.line(at, frame.bottom, at, frame.bottom + 4, "ax");
        const double half = text_width(all[i].text) / 2;
        const double middle = is_last ? last_middle : at;
        const bool has_room =
            middle - half >= free_from && middle + half + 6 <= last_middle - last_half;
        if (!is_last && !has_room) continue;
        svg.text(middle, frame.bottom + 17, all[i].text, "", Anchor::Middle);
        free_from = middle + half + 6;
    }
}

}  // namespace assay::reports::plot
