// Draws docs/llr-path.svg: one test between its bounds. llr_path [seed] > docs/llr-path.svg
// Pairs are independent, of balanced openings, with a true strength of 6 nElo between bounds of 0
// and 10.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "stats/plan/simulate.h"
#include "stats/stop/stop_rule.h"

namespace {

using namespace assay::stats;

constexpr double kWidth = 760;
constexpr double kHeight = 380;
constexpr double kLeft = 56;
constexpr double kRight = 20;
constexpr double kTop = 24;
constexpr double kBottom = 46;

struct Frame {
    double most_pairs;
    double most_llr;

    [[nodiscard]] double x(double pairs) const {
        return kLeft + pairs / most_pairs * (kWidth - kLeft - kRight);
    }

    [[nodiscard]] double y(double llr) const {
        return kTop + (most_llr - llr) / (2 * most_llr) * (kHeight - kTop - kBottom);
    }
};

struct Point {
    double pairs;
    double value;
};

std::string line(const Frame& frame, const std::vector<Point>& points, const char* style) {
    std::string out = "<polyline fill=\"none\" " + std::string(style) + " points=\"";
    for (const Point& point : points) {
        out += fmt::format("{:.1f},{:.1f} ", frame.x(point.pairs), frame.y(point.value));
    }
    return out + "\"/>\n";
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, words);
}

}  // namespace

int main(int count, char** arguments) {
    const std::uint64_t seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
    BoundarySettings settings;
    settings.elo1 = 10;
    settings.pairs_per_look = 8;
    const auto rule = make_boundary_rule(settings);
    const PairLaw law = tilted_law(kBalancedLaw, 6);
    assay::Random random(assay::mix64(seed));
    std::vector<Point> path{{0, 0}};
    while (rule->decision() == Decision::Continue) {
        double u = random.unit();
        int category = 0;
        while (category < 4 && u >= law[static_cast<std::size_t>(category)]) {
            u -= law[static_cast<std::size_t>(category++)];
        }
        rule->add(category);
        const std::int64_t pairs = rule->pairs().pairs();
        if (pairs % 8 == 0 && rule->state().llr) {
            path.push_back({static_cast<double>(pairs), *rule->state().llr});
        }
    }
    const Boundary boundary = calibrated_boundary(settings.shape, settings.alpha, settings.beta);
    const double cap = static_cast<double>(*rule->cap());
    std::vector<Point> upper;
    std::vector<Point> lower;
    for (int i = 0; i <= 200; ++i) {
        const double tau = boundary.horizon * i / 200;
        upper.push_back({cap * i / 200, boundary.upper(tau)});
        lower.push_back({cap * i / 200, boundary.lower(tau)});
    }
    const Frame frame{cap * 1.02, 4};
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
        "<title>LLR of one test, closing-ff between 0 and 10 nElo, seed {2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
        kWidth, kHeight, seed);
    for (int llr = -4; llr <= 4; llr += 2) {
        out += fmt::format(
            "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n", kLeft,
            kWidth - kRight, frame.y(llr), llr == 0 ? "#999" : "#e4e4e4");
        out += text(kLeft - 8, frame.y(llr) + 4, "end", fmt::format("{:+}", llr));
    }
    for (int pairs = 0; pairs <= static_cast<int>(cap); pairs += 2000) {
        out += text(frame.x(pairs), kHeight - kBottom + 18, "middle", fmt::format("{}", pairs));
    }
    out += line(frame, upper, "stroke=\"#2a7f3f\" stroke-width=\"2\"");
    out += line(frame, lower, "stroke=\"#b3392f\" stroke-width=\"2\"");
    out += line(frame, path, "stroke=\"#1f4e9c\" stroke-width=\"1.2\"");
    const Point& end = path.back();
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#1f4e9c\"/>\n",
                       frame.x(end.pairs), frame.y(end.value));
    out += text(frame.x(0.5 * cap), frame.y(3.35), "middle", "accepted: better than 0 nElo");
    out += text(frame.x(0.5 * cap), frame.y(-3.6), "middle", "rejected: not better by 10 nElo");
    out += text(frame.x(end.pairs) + 8, frame.y(end.value) - 8, "start",
                fmt::format("{} after {:.0f} pairs", rule->state().state, end.pairs));
    out += text(0.5 * (kLeft + kWidth - kRight), kHeight - 8, "middle",
                fmt::format("pairs played (the test ends by {:.0f} at the latest)", cap));
    out += text(kLeft, 14, "start", "log-likelihood ratio");
    fmt::print("{}</svg>\n", out);
    return 0;
}
