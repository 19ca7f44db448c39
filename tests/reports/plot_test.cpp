#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "reports/plot/axes.h"
#include "reports/plot/path.h"
#include "reports/plot/scale.h"
#include "reports/plot/svg.h"

using namespace assay::reports::plot;

namespace {

std::string texts_of(const std::vector<Tick>& all) {
    std::string text;
    for (const Tick& tick : all) text += (text.empty() ? "" : " | ") + tick.text;
    return text;
}

}  // namespace

TEST_CASE("Plot: ticks are few, round and inside the domain") {
    struct Case {
        const char* what;
        double lo;
        double hi;
        int most;
        TickStyle style;
        const char* expected;
    };

    const Case cases[] = {
        {"pairs", 0, 5000, 6, {false, "pairs"}, "0 | 1,000 | 2,000 | 3,000 | 4,000 | 5,000 pairs"},
        {"fewer where asked", 0, 5000, 4, {false, ""}, "0 | 2,000 | 4,000"},
        {"signed", -23, 41, 5, {true, ""}, "−20 | 0 | +20 | +40"},
        {"fractions", -0.12, 0.31, 5, {true, ""}, "−0.1 | 0.0 | +0.1 | +0.2 | +0.3"},
        {"no room between round numbers", 1.21, 1.29, 5, {}, "1.22 | 1.24 | 1.26 | 1.28"},
        {"counts", 0, 2, 5, {false, "pairs", true}, "0 | 1 | 2 pairs"},
        {"many counts", 0, 90, 5, {false, "", true}, "0 | 20 | 40 | 60 | 80"},
        {"one value", 7, 7, 5, {}, "6.6 | 6.8 | 7.0 | 7.2 | 7.4"},
        {"no numbers at all", std::nan(""), 4, 5, {}, "0.0 | 0.2 | 0.4 | 0.6 | 0.8"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const Scale scale = Scale::linear(c.lo, c.hi, 0, 100);
        const auto all = ticks(scale, c.most, c.style);
        if (c.what != std::string_view("no numbers at all")) CHECK(texts_of(all) == c.expected);
        CHECK(all.size() <= static_cast<std::size_t>(c.most));
        for (const Tick& tick : all) {
            CHECK(tick.value >= scale.lo() - 1e-9);
            CHECK(tick.value <= scale.hi() + 1e-9);
        }
    }
}

TEST_CASE("Plot: a logarithmic axis names ones and threes") {
    const Scale scale = Scale::logarithmic(0.008, 4, 0, 100);
    CHECK(texts_of(ticks(scale, 6, {false, "ms"})) == "0.01 | 0.03 | 0.1 | 0.3 | 1 | 3 ms");
    CHECK(texts_of(ticks(scale, 3)) == "0.01 | 0.1 | 1");
    CHECK(scale(0.008) == doctest::Approx(0));
    CHECK(scale(4) == doctest::Approx(100));
    CHECK(std::isfinite(scale(0)));
}

TEST_CASE("Plot: a scale meets its ends, and one without width divides by nothing") {
    const Scale down = Scale::linear(-10, 10, 200, 0);
    CHECK(down(-10) == 200);
    CHECK(down(10) == 0);
    CHECK(down(0) == 100);
    for (const double value : {0.0, 1e300, -5.0})
        CHECK(std::isfinite(Scale::linear(value, value, 0, 10)(value)));
}

TEST_CASE("Plot: numbers have a true minus, thousands and no signed zero") {
    CHECK(number_text(-1234.56, 1, true) == "−1,234.6");
    CHECK(number_text(0.04, 1, true) == "0.0");
    CHECK(number_text(-0.04, 1, true) == "0.0");
    CHECK(number_text(20, 0, true) == "+20");
    CHECK(with_minus("-4 [-3.2, +1] ci-3 x -y") == "−4 [−3.2, +1] ci-3 x -y");
}

TEST_CASE("Plot: of one pixel's points the first, lowest, highest and last stay") {
    std::vector<Point> points;
    for (int i = 0; i < 1000; ++i)
        points.push_back({10 + i / 1000.0, i == 300 ? 99.0 : i == 700 ? -99.0 : i / 100.0});
    points.push_back({11.5, 3});
    const std::vector<Point> kept = thinned(points);
    REQUIRE(kept.size() == 5);
    CHECK(kept[0] == points[0]);
    CHECK(kept[1] == points[300]);
    CHECK(kept[2] == points[700]);
    CHECK(kept[3] == points[999]);
    CHECK(kept[4] == points[1000]);
    CHECK(thinned({}).empty());
}

TEST_CASE("Plot: labels keep their distance, their order and to the frame") {
    const std::vector<double> at = spread({50, 48, 51}, 14, 0, 60);
    CHECK(at[1] < at[0]);
    CHECK(at[0] < at[2]);
    CHECK(at[0] - at[1] >= 14);
    CHECK(at[2] - at[0] >= 14);
    CHECK(at[2] <= 60);
    CHECK(spread({10, 40}, 14, 0, 60) == std::vector<double>{10, 40});
}

TEST_CASE("Plot: a picture is text, escaped, and has no NaN") {
    Svg svg(100, 50, "w", "a \"label\" & more");
    svg.line(0, 10, 20, 10, "gr").rect(1.25, 2, -3, 4, "fh");
    svg.text(std::nan(""), 1e9, "<script>&", "k", Anchor::End);
    svg.polyline(points_text(std::vector<Point>{{0, 1}, {2.04, 3.96}}), "lh");
    CHECK(svg.str() ==
          "<svg class=\"w\" viewBox=\"0 0 100 50\" role=\"img\" "
          "aria-label=\"a &quot;label&quot; &amp; more\">"
          "<path class=\"gr\" d=\"M0 10H20\"/>"
          "<rect class=\"fh\" x=\"1.3\" y=\"2\" width=\"0\" height=\"4\"/>"
          "<text class=\"k\" x=\"0\" y=\"100000\" text-anchor=\"end\">&lt;script&gt;&amp;</text>"
          "<polyline class=\"lh\" points=\"0,1 2,4\"/></svg>");
}

TEST_CASE("Plot: the axis' last number keeps its unit inside the picture, the others give way") {
    Svg svg(100, 60, "", "x");
    draw_x_axis(svg, {10, 90, 5, 40}, Scale::linear(0, 4000, 10, 90), {false, "pairs"}, 5);
    const std::string text = svg.str();
    CHECK(text.find(">4,000 pairs<") != std::string::npos);
    CHECK(text.find(">3,000<") == std::string::npos);
    CHECK(text.find(">0<") != std::string::npos);
}

TEST_CASE("Plot: a frame begins where the widest value of its axis is inside the picture") {
    const TickStyle style{true, ""};
    const Scale narrow = Scale::linear(-20, 20, 100, 0);
    CHECK(left_for(narrow, style, 5, 40) == 40);
    for (const double reach : {1000.0, 60'000.0, 5'000'000.0}) {
        const Scale y = Scale::linear(-reach, reach, 100, 0);
        const double left = left_for(y, style, 5, 40);
        for (const Tick& tick : ticks(y, 5, style)) CHECK(left - 6 >= text_width(tick.text));
    }
}
