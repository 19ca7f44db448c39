// Corrections for many tests at once. Holm (1979) controls the chance of any false claim and is for
// a planned list whose claims all count. Benjamini and Hochberg (1995) control the share of false
// claims among all claims, which suits independent nights; Wang and Ramdas (2022) do the same from
// e-values without the assumption of independence. LORD++ is for a stream: each test is judged when
// it comes, from a budget that is spent as tests go by and refilled by discoveries.
//
// The first three return adjusted p-values: the least level at which a test would be rejected,
// which a reader can compare with any level. They are made monotone along the sorted p-values,
// because a test must not be rejected where one with a smaller p-value is not. Cost: a sort; for
// LORD++ the number of tests times that of discoveries.
#include "stats/test/multiple.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/diagnostic.h"
#include "base/enum_names.h"

namespace assay::stats {

namespace {

constexpr auto kCorrections = enum_names<Correction>("holm", "bh", "ebh", "lord");

void check(std::span<const double> values, double level, double most, const char* what) {
    if (!(level > 0 && level < 1)) throw Error("the level must be between 0 and 1");
    for (const double value : values) {
        if (!(value >= 0 && value <= most)) throw Error(what);
    }
}

constexpr const char* kBadP = "a p-value must be from 0 to 1";

std::vector<std::size_t> sorted(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    return order;
}

/// The step-up procedure of Benjamini and Hochberg, from the greatest p-value down.
std::vector<Adjusted> step_up(std::span<const double> p, double level) {
    const std::vector<std::size_t> order = sorted(p);
    std::vector<Adjusted> out(p.size());
    const double count = static_cast<double>(p.size());
    double least = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        least = std::min(least, p[order[i]] * count / static_cast<double>(i + 1));
        out[order[i]] = {least, least <= level};
    }
    return out;
}

/// The share of the budget for the test that comes `age` tests after a discovery (or the start).
/// Adds to 1 over all ages: 0.07720838 ln(max(j, 2)) / (j exp(sqrt(ln j))), the constants of
/// Javanmard and Montanari 2018.
double spending(std::size_t age) {
    const double j = static_cast<double>(age);
    return 0.07720838 * std::log(std::max(j, 2.0)) / (j * std::exp(std::sqrt(std::log(j))));
}

}  // namespace

std::string_view name_of(Correction correction) {
    return kCorrections.of(correction);
}

std::optional<Correction> correction_named(std::string_view name) {
    return kCorrections.find(name);
}

std::vector<Adjusted> adjust_holm(std::span<const double> p, double level) {
    check(p, level, 1, kBadP);
    const std::vector<std::size_t> order = sorted(p);
    std::vector<Adjusted> out(p.size());
    double most = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        most = std::max(most, std::min(1.0, p[order[i]] * static_cast<double>(order.size() - i)));
        out[order[i]] = {most, most <= level};
    }
    return out;
}

std::vector<Adjusted> adjust_bh(std::span<const double> p, double level) {
    check(p, level, 1, kBadP);
    return step_up(p, level);
}

/// Wang and Ramdas 2022: Benjamini and Hochberg's rule on 1/e.
std::vector<Adjusted> adjust_ebh(std::span<const double> e, double level) {
    check(e, level, HUGE_VAL, "an e-value must be at least 0");
    std::vector<double> inverse;
    for (const double value : e) inverse.push_back(value > 1 ? 1 / value : 1);
    return step_up(inverse, level);
}

/// LORD++ (Ramdas, Yang, Wainwright and Jordan 2017) with half of the level as first wealth.
std::vector<Adjusted> adjust_lord(std::span<const double> p, double level) {
    check(p, level, 1, kBadP);
    const double first_wealth = 0.5 * level;
    std::vector<Adjusted> out;
    std::vector<std::size_t> discoveries;
    for (std::size_t t = 0; t < p.size(); ++t) {
        double alpha = first_wealth * spending(t + 1);
        for (std::size_t i = 0; i < discoveries.size(); ++i) {
            // The first discovery returns what is left of the level; later ones return all of it.
            const double reward = i == 0 ? level - first_wealth : level;
            alpha += reward * spending(t - discoveries[i]);
        }
        const bool is_rejected = p[t] <= alpha;
        out.push_back({alpha, is_rejected});
        if (is_rejected) discoveries.push_back(t);
    }
    return out;
}

}  // namespace assay::stats
