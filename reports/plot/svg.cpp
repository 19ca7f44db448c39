// SVG as text, written as small as charts with thousands of points ask for: coordinates have one
// decimal, which is a tenth of a pixel, horizontal and vertical lines their short form, and all
// looks come from classes of the page's style sheet, so that dark mode needs no second chart. Text
// from programs is escaped here and nowhere else in a chart.
#include "reports/plot/svg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/view/escape.h"
#include "reports/view/number_text.h"

namespace assay::reports::plot {

namespace {

std::string css_attribute(std::string_view css) {
    return css.empty() ? "" : fmt::format(" class=\"{}\"", css);
}

}  // namespace

std::string coordinate(double value) {
    if (std::isnan(value)) return "0";
    // Clamped: an infinite value must not end up as "inf" in markup, which hides the whole chart.
    const auto tenths = static_cast<long long>(std::llround(std::clamp(value, -1e5, 1e5) * 10));
    std::string text = fmt::format("{}{}", tenths < 0 ? "-" : "", std::abs(tenths) / 10);
    if (tenths % 10 != 0) text += fmt::format(".{}", std::abs(tenths) % 10);
    return text;
}

double text_width(std::string_view text) {
    return 7.3 * static_cast<double>(columns(text));
}

Svg::Svg(double width, double height, std::string_view css, std::string_view label)
    : width_(width),
      height_(height),
      out_(fmt::format("<svg{} viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                       css_attribute(css), coordinate(width), coordinate(height), xml(label))) {}

Svg& Svg::line(double x1, double y1, double x2, double y2, std::string_view css) {
    std::string path = fmt::format("M{} {}", coordinate(x1), coordinate(y1));
    if (y1 == y2) {
        path += "H" + coordinate(x2);
    } else if (x1 == x2) {
        path += "V" + coordinate(y2);
    } else {
        path += fmt::format("L{} {}", coordinate(x2), coordinate(y2));
    }
    out_ += fmt::format("<path{} d=\"{}\"/>", css_attribute(css), path);
    return *this;
}

Svg& Svg::rect(double x, double y, double width, double height, std::string_view css) {
    out_ += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                        css_attribute(css), coordinate(x), coordinate(y),
                        coordinate(std::max(0.0, width)), coordinate(std::max(0.0, height)));
    return *this;
}

Svg& Svg::circle(double x, double y, double radius, std::string_view css) {
    out_ += fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"{}\"/>", css_attribute(css),
                        coordinate(x), coordinate(y), coordinate(radius));
    return *this;
}

Svg& Svg::polyline(std::string_view points, std::string_view css) {
    if (!points.empty())
        out_ += fmt::format("<polyline{} points=\"{}\"/>", css_attribute(css), points);
    return *this;
}

Svg& Svg::polygon(std::string_view points, std::string_view css) {
    if (!points.empty())
        out_ += fmt::format("<polygon{} points=\"{}\"/>", css_attribute(css), points);
    return *this;
}

Svg& Svg::text(double x, double y, std::string_view text, std::string_view css, Anchor anchor) {
    const std::string_view at = anchor == Anchor::Start    ? ""
                                : anchor == Anchor::Middle ? " text-anchor=\"middle\""
                                                           : " text-anchor=\"end\"";
    out_ += fmt::format("<text{} x=\"{}\" y=\"{}\"{}>{}</text>", css_attribute(css), coordinate(x),
                        coordinate(y), at, xml(text));
    return *this;
}

Svg& Svg::raw(std::string_view markup) {
    out_ += markup;
    return *this;
}

}  // namespace assay::reports::plot
