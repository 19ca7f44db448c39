#pragma once
#include <span>
#include <string>
#include <vector>

namespace assay::reports::plot {

/// A position in a picture, in pixels.
struct Point {
    double x = 0;
    double y = 0;

    friend bool operator==(const Point&, const Point&) = default;
};

/// The line with what no eye can see taken out: of the points within one pixel column the first,
/// the highest, the lowest and the last stay. REQUIRES: x does not fall.
[[nodiscard]] std::vector<Point> thinned(std::span<const Point> points);

/// "34,18 514,18": what polyline and polygon take.
[[nodiscard]] std::string points_text(std::span<const Point> points);

/// The outline of the area between two lines with the same x: along `upper`, and back.
[[nodiscard]] std::vector<Point> band(std::span<const Point> upper, std::span<const Point> lower);

/// Positions next to the wanted ones, at least `gap` apart and within [lo, hi] where there is room,
/// in the order of the wanted ones; for labels at the ends of lines.
[[nodiscard]] std::vector<double> spread(const std::vector<double>& wanted, double gap, double lo,
                                         double hi);

}  // namespace assay::reports::plot
