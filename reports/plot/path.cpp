// Curves of any number of points in a chart of some hundred pixels. In each pixel column the first,
// the lowest, the highest and the last point stay, in their order: the drawn line is the same to
// the eye, peaks included, and a page holds at the most four points a pixel. Every n-th point would
// lose peaks, a mean would flatten them.
//
// Labels beside a chart are spread apart by two passes over them in order, down and back: each is
// moved as little as the gap asks for, and their order stays.
#include "reports/plot/path.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/plot/svg.h"

namespace assay::reports::plot {

namespace {

/// Appends what stays of the points of one pixel column.
void keep_column(std::span<const Point> column, std::vector<Point>& out) {
    if (column.size() <= 4) {
        out.insert(out.end(), column.begin(), column.end());
        return;
    }
    const auto by_y = [](const Point& a, const Point& b) { return a.y < b.y; };
    const auto [low, high] = std::minmax_element(column.begin(), column.end(), by_y);
    const auto first = std::min(low, high);
    const auto second = std::max(low, high);
    out.push_back(column.front());
    // The first and last point may be the extremes themselves.
    if (first != column.begin()) out.push_back(*first);
    if (second != first && second != column.begin() && second != column.end() - 1)
        out.push_back(*second);
    out.push_back(column.back());
}

}  // namespace

std::vector<Point> thinned(std::span<const Point> points) {
    std::vector<Point> out;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= points.size(); ++i) {
        if (i < points.size() && std::floor(points[i].x) == std::floor(points[begin].x)) continue;
        keep_column(points.subspan(begin, i - begin), out);
        begin = i;
    }
    return out;
}

std::string points_text(std::span<const Point> points) {
    std::string text;
    for (const Point& point : points) {
        if (!text.empty()) text += ' ';
        text += coordinate(point.x) + "," + coordinate(point.y);
    }
    return text;
}

std::vector<Point> band(std::span<const Point> upper, std::span<const Point> lower) {
    std::vector<Point> out(upper.begin(), upper.end());
    out.insert(out.end(), lower.rbegin(), lower.rend());
    return out;
}

std::vector<double> spread(const std::vector<double>& wanted, double gap, double lo, double hi) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    std::vector<double> out(wanted);
    double least = lo;
    for (const std::size_t at : order) {
        out[at] = std::max(wanted[at], least);
        least = out[at] + gap;
    }
    // Pushed past the end: push all back from there.
    double most = hi;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        out[*at] = std::min(out[*at], most);
        most = out[*at] - gap;
    }
    return out;
}

}  // namespace assay::reports::plot
