// Bars of results: pairs, sides, openings.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/plot/axes.h"
#include "reports/plot/path.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/web/charts/charts.h"
#include "stats/data/normal.h"

namespace assay::reports::web {

namespace {

using plot::Anchor;
using plot::Scale;
using plot::Svg;

constexpr double kBold = 1.14;  // how much wider bold text is

/// Mean of a pair's result for the first program: -1 both lost, +1 both won.
double mean_result(const stats::Pentanomial& pairs) {
    return pairs.pairs() == 0
               ? 0
               : static_cast<double>(pairs.balance()) / (2 * static_cast<double>(pairs.pairs()));
}

/// Standard deviation of one pair's result.
double deviation(const stats::Pentanomial& pairs) {
    const auto n = static_cast<double>(pairs.pairs());
    if (n < 1) return 0;
    const double mean = mean_result(pairs);
    double sum = 0;
    for (int i = 0; i < stats::kPairCategories; ++i) {
        const double apart = (i - 2) / 2.0 - mean;
        sum += static_cast<double>(pairs[i]) * apart * apart;
    }
    return std::sqrt(sum / n);
}

stats::Pentanomial sum_of(const std::vector<OpeningRow>& rows) {
    stats::Pentanomial all;
    for (const OpeningRow& row : rows)
        for (int i = 0; i < stats::kPairCategories; ++i) all.add(i, row.pairs[i]);
    return all;
}

/// What equal programs would give for a category, given how many pairs were that decisive.
void draw_null(Svg& svg, const stats::Pentanomial& pairs, int category, double middle,
               double half_bar, const Scale& y) {
    if (category == 2) return;
    const auto both = static_cast<double>(pairs[category] + pairs[4 - category]);
    const double spread = stats::kZ95 * std::sqrt(both) / 2;
    svg.line(middle - half_bar - 5, y(both / 2), middle + half_bar + 5, y(both / 2), "li");
    // A category has no fewer than none of them, and no more than all.
    svg.line(middle + half_bar + 5, y(std::max(0.0, both / 2 - spread)), middle + half_bar + 5,
             y(std::min(both, both / 2 + spread)), "li");
}

std::string draw_pairs(const stats::Pentanomial& pairs, double width, std::string_view css) {
    constexpr std::array<std::string_view, 5> kLooks{"fr", "fr", "fb", "fh", "fh"};
    constexpr std::array<std::string_view, 5> kPoints{"0", "½", "1", "1½", "2 points"};
    constexpr std::array<std::string_view, 5> kKinds{"LL", "LD", "DD, WL", "WD", "WW"};
    const double height = 250;
    const double bottom = height - 40;
    double most = 1;
    for (int i = 0; i < 5; ++i) {
        const auto both = static_cast<double>(pairs[i] + pairs[4 - i]);
        most = std::max({most, static_cast<double>(pairs[i]),
                         i == 2 ? 0 : both / 2 + stats::kZ95 * std::sqrt(both) / 2});
    }
    const Scale y = Scale::linear(0, most, bottom, 24);
    const double step = width / 5;
    const double half_bar = std::min(30.0, step * 0.3);
    Svg svg(width, height, css,
            fmt::format("Pairs by points of the first program: {}, {}, {}, {}, {}", pairs[0],
                        pairs[1], pairs[2], pairs[3], pairs[4]));
    for (int i = 0; i < 5; ++i) {
        const double middle = step * (i + 0.5);
        const auto count = static_cast<double>(pairs[i]);
        const auto at = static_cast<std::size_t>(i);
        svg.rect(middle - half_bar, y(count), 2 * half_bar, bottom - y(count), kLooks[at]);
        draw_null(svg, pairs, i, middle, half_bar, y);
        const auto both = static_cast<double>(pairs[i] + pairs[4 - i]);
        const double top = i == 2 ? count : std::max(count, both / 2);
        svg.text(middle, y(top) - 7, grouped(pairs[i]), "k b halo", Anchor::Middle);
        svg.text(middle, bottom + 17, kPoints[at], "k", Anchor::Middle);
        svg.text(middle, bottom + 32, kKinds[at], "", Anchor::Middle);
    }
    svg.line(0, bottom, width, bottom, "ax");
    return svg.str();
}

/// One bar of shares with the counts that fit into it.
void draw_shares(Svg& svg, const stats::Wdl& counts, double left, double right, double y) {
    constexpr std::array<std::string_view, 3> kLooks{"fh", "fbb", "fr"};
    const std::array<std::int64_t, 3> parts{counts.wins, counts.draws, counts.losses};
    const auto total = static_cast<double>(std::max<std::int64_t>(1, counts.games()));
    double at = left;
    for (std::size_t i = 0; i < 3; ++i) {
        const double width = (right - left) * static_cast<double>(parts[i]) / total;
        svg.rect(at, y, width, 28, kLooks[i]);
        const std::string text = grouped(parts[i]);
        if (plot::text_width(text) + 4 < width)
            svg.text(at + width / 2, y + 18, text, i == 1 ? "k" : "o", Anchor::Middle);
        at += width;
    }
}

/// The name, shortened until it is no wider.
std::string side_name(const std::string& name, double width) {
    std::string text = shortened_name(name);
    for (std::size_t size = text.size(); size > 4 && kBold * plot::text_width(text) > width; --size)
        text = shortened(name, size);
    return text;
}

std::string draw_sides(const std::array<stats::Wdl, 2>& as_first, const Names& names,
                       const std::array<std::string, 2>& sides, double width,
                       std::string_view css) {
    const std::string name = side_name(names[0], 150);
    const double left =
        8 + std::max({kBold * plot::text_width(name), plot::text_width("as " + sides[0]),
                      plot::text_width("as " + sides[1])});
    const std::array<stats::Wdl, 2> rows{as_first[0], as_first[1].mirrored()};
    Svg svg(width, 132, css,
            fmt::format("Results of {} as {} and as {}", names[0], sides[0], sides[1]));
    svg.text(left, 12, "wins", "h").text((left + width) / 2, 12, "draws", "", Anchor::Middle);
    svg.text(width, 12, "losses", "r", Anchor::End);
    for (std::size_t i = 0; i < 2; ++i) {
        const double y = 20 + 42 * static_cast<double>(i);
        svg.text(0, y + 12, name, "h b");
        svg.text(0, y + 27, "as " + sides[i], "k");
        draw_shares(svg, rows[i], left, width, y);
    }
    svg.line((left + width) / 2, 16, (left + width) / 2, 94, "l2 dash");
    svg.text((left + width) / 2, 110, "half of the games", "", Anchor::Middle);
    return svg.str();
}

/// Where the parts of an opening's row stand.
struct OpeningColumns {
    double dots_left = 0;
    double dots_right = 0;
    double decisive = 0;    // right edge of the share
    double bars_left = -1;  // below 0: no room
    double bars_right = 0;
};

OpeningColumns columns_for(double width) {
    if (width < 500) return {150, width - 50, width, -1, 0};
    if (width < 900) return {220, width - 250, width - 190, width - 170, width};
    return {260, width - 420, width - 330, width - 290, width};
}

void draw_opening_row(Svg& svg, const OpeningRow& row, const OpeningColumns& at, const Scale& x,
                      double range, double y) {
    constexpr std::array<std::string_view, 5> kLooks{"fr", "frb", "fbb", "fhb", "fh"};
    const auto n = static_cast<double>(std::max<std::int64_t>(1, row.pairs.pairs()));
    const double mean = mean_result(row.pairs);
    const double spread = stats::kZ95 * deviation(row.pairs) / std::sqrt(n);
    const bool is_outside = std::abs(mean) > range;
    const std::string_view look = !is_outside ? "fi" : mean > 0 ? "fh" : "fr";
    if (!row.open.empty()) svg.raw(fmt::format("<a href=\"#g-{0}\" data-open=\"{0}\">", row.open));
    // The whole row can be hit, not its letters alone.
    if (!row.open.empty()) svg.rect(0, y - 10, svg.width(), 20, "hit");
    svg.text(0, y + 4, row.label, row.open.empty() ? "k" : "k u");
    if (!row.open.empty()) svg.raw("</a>");
    svg.line(std::max(x(mean - spread), at.dots_left), y, std::min(x(mean + spread), at.dots_right),
             y, "li");
    svg.circle(std::clamp(x(mean), at.dots_left, at.dots_right), y, 3.5, look);
    const double split = static_cast<double>(row.pairs[2]) / n;
    svg.text(at.decisive, y + 4, fmt::format("{:.0f} %", 100 * (1 - split)), "k", Anchor::End);
    if (at.bars_left < 0) return;
    double from = at.bars_left;
    for (int i = 0; i < 5; ++i) {
        const double wide = (at.bars_right - at.bars_left) * static_cast<double>(row.pairs[i]) / n;
        svg.rect(from, y - 6, wide, 12, kLooks[static_cast<std::size_t>(i)]);
        from += wide;
    }
}

std::string draw_openings(const std::vector<OpeningRow>& rows, const Names& names, double width,
                          std::string_view css) {
    const OpeningColumns at = columns_for(width);
    const double top = 26;
    const double bottom = top + 20 * static_cast<double>(rows.size());
    double typical = 0;
    double reach = 0.1;
    for (const OpeningRow& row : rows) {
        typical += static_cast<double>(row.pairs.pairs()) / static_cast<double>(rows.size());
        const auto n = static_cast<double>(std::max<std::int64_t>(1, row.pairs.pairs()));
        reach = std::max(reach, std::abs(mean_result(row.pairs)) +
                                    stats::kZ95 * deviation(row.pairs) / std::sqrt(n));
    }
    const double range = chance_range(rows, typical);
    reach = std::min(1.0, std::max(reach, range) * 1.05);
    const Scale x = Scale::linear(-reach, reach, at.dots_left, at.dots_right);
    Svg svg(width, bottom + 44, css, "Mean result of each opening's pairs");
    svg.rect(x(-range), top - 6, x(range) - x(-range), bottom - top + 2, "fbb");
    svg.text(0, 12, "opening").text(x(0), 12, "mean result", "", Anchor::Middle);
    svg.text(at.decisive, 12, width < 500 ? "dec." : "decisive", "", Anchor::End);
    if (at.bars_left >= 0) {
        svg.text(at.bars_left, 12, "lost", "r");
        svg.text(at.bars_right, 12, "pairs won", "h", Anchor::End);
    }
    svg.line(x(0), top - 6, x(0), bottom - 4, "ax");
    double y = top + 5;
    for (const OpeningRow& row : rows) {
        draw_opening_row(svg, row, at, x, range, y);
        y += 20;
    }
    svg.text(at.dots_left, bottom + 14, "← " + shortened_name(names[1]), "");
    svg.text(at.dots_right, bottom + 14, shortened_name(names[0]) + " →", "h b", Anchor::End);
    svg.text(x(0), bottom + 14, "0", "", Anchor::Middle);
    svg.text(x(0), bottom + 32, width < 500 ? "grey: by chance" : "grey: the range by chance", "",
             Anchor::Middle);
    return svg.str();
}

}  // namespace

std::string shortened_name(const std::string& name) {
    if (name.size() <= 18) return name;
    return shortened(name, 18);
}

double chance_range(const std::vector<OpeningRow>& rows, double pairs) {
    const double looks = static_cast<double>(std::max<std::size_t>(1, rows.size()));
    const double z = -stats::normal_quantile(0.025 / looks);
    return z * deviation(sum_of(rows)) / std::sqrt(std::max(1.0, pairs));
}

std::string pair_chart(const stats::Pentanomial& pairs) {
    return half_page(
        [&](double width, std::string_view css) { return draw_pairs(pairs, width, css); });
}

std::string side_chart(const std::array<stats::Wdl, 2>& as_first, const Names& names,
                       const std::array<std::string, 2>& sides) {
    return half_page([&](double width, std::string_view css) {
        return draw_sides(as_first, names, sides, width, css);
    });
}

std::string opening_chart(const std::vector<OpeningRow>& rows, const Names& names) {
    return full_page(
        [&](double width, std::string_view css) { return draw_openings(rows, names, width, css); });
}

}  // namespace assay::reports::web
