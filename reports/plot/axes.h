#pragma once
#include "reports/plot/scale.h"
#include "reports/plot/svg.h"

namespace assay::reports::plot {

/// Where the data of a chart lie in its picture.
struct Frame {
    double left = 0;
    double right = 0;
    double top = 0;
    double bottom = 0;
};

/// Where a frame must begin at the left for the widest value of its y axis to be inside the
/// picture; `least` or more.
[[nodiscard]] double left_for(const Scale& y, const TickStyle& style, int most, double least);

/// Grid lines over the frame with their values at the left; zero is drawn as a rule.
void draw_y_axis(Svg& svg, const Frame& frame, const Scale& y, const TickStyle& style,
                 int most = 5);

/// The rule under the frame with ticks and their values. The last one ends inside the picture.
void draw_x_axis(Svg& svg, const Frame& frame, const Scale& x, const TickStyle& style,
                 int most = 5);

}  // namespace assay::reports::plot
