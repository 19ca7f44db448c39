#pragma once
#include <string>
#include <string_view>

namespace assay::reports::plot {

enum class Anchor { Start, Middle, End };

/// A coordinate with one decimal at most; what is no number becomes 0, and nothing leaves
/// +-100,000.
[[nodiscard]] std::string coordinate(double value);

/// About how wide text of 12 pixels is, for placing labels; errs on the wide side.
[[nodiscard]] double text_width(std::string_view text);

/// Writes one picture. Positions are pixels from the top left; looks come from CSS classes alone,
/// so that one picture serves light, dark and print. Text is escaped; classes and `extra` are ours.
class Svg {
public:
    /// `css`: the classes of the root; `label`: what a screen reader says.
    Svg(double width, double height, std::string_view css, std::string_view label);

    Svg& line(double x1, double y1, double x2, double y2, std::string_view css);
    Svg& rect(double x, double y, double width, double height, std::string_view css);
    Svg& circle(double x, double y, double radius, std::string_view css);
    /// `points` as plot::points_text() writes them.
    Svg& polyline(std::string_view points, std::string_view css);
    Svg& polygon(std::string_view points, std::string_view css);
    Svg& text(double x, double y, std::string_view text, std::string_view css = "",
              Anchor anchor = Anchor::Start);
    /// Markup of ours, as it stands.
    Svg& raw(std::string_view markup);

    [[nodiscard]] std::string str() const { return out_ + "</svg>"; }

    [[nodiscard]] double width() const { return width_; }

    [[nodiscard]] double height() const { return height_; }

private:
    double width_;
    double height_;
    std::string out_;
};

}  // namespace assay::reports::plot
