// Axis values for people: steps of 1, 2 or 5 times a power of ten, as many as fit. A scale is made
// for any data that a run can have, so that it never divides by a range of 0: a single value gets a
// range around it, and no value at all a range from 0 to 1. Logarithmic axes have 1 and 3 in each
// decade where there is room, then whole decades, then every other one.
//
// Comparisons have a tolerance of 1e-9 of a step, since 0.3 / 0.1 is not 3: without it an axis
// would lose its last value.
#include "reports/plot/scale.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::reports::plot {

namespace {

constexpr double kLeast = 1e-12;

/// The smallest of 1, 2, 5 times a power of ten that is not below `step`.
double round_step(double step) {
    const double power = std::pow(10.0, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= step * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

int decimals_of(double step) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
}

std::vector<double> linear_values(const Scale& scale, int most, double least_step) {
    double step = std::max(least_step, round_step((scale.hi() - scale.lo()) / most));
    std::vector<double> values;
    // The first step may give one value too many or, beside round numbers, none.
    while (true) {
        values.clear();
        const double first = std::ceil(scale.lo() / step - 1e-9);
        const double last = std::floor(scale.hi() / step + 1e-9);
        if (last - first + 1 <= most) {
            for (double i = first; i <= last; ++i) values.push_back(i * step);
            return values.empty() ? std::vector<double>{scale.lo()} : values;
        }
        step = round_step(step * 1.5);
    }
}

std::vector<double> log_values(const Scale& scale, int most) {
    std::vector<double> values;
    for (const bool has_threes : {true, false}) {
        values.clear();
        for (double power = std::pow(10.0, std::floor(std::log10(scale.lo())));
             power <= scale.hi() * 1.0001; power *= 10) {
            for (const double value : {power, 3 * power}) {
                if (value != power && !has_threes) continue;
                if (value >= scale.lo() * 0.9999 && value <= scale.hi() * 1.0001)
                    values.push_back(value);
            }
        }
        if (values.size() <= static_cast<std::size_t>(most)) break;
    }
    while (values.size() > static_cast<std::size_t>(most)) {
        std::vector<double> fewer;
        for (std::size_t i = 0; i < values.size(); i += 2) fewer.push_back(values[i]);
        values = fewer;
    }
    return values.empty() ? std::vector<double>{scale.lo()} : values;
}

}  // namespace

Scale::Scale(double lo, double hi, double from, double to, bool is_log)
    : lo_(lo), hi_(hi), from_(from), to_(to), is_log_(is_log) {}

Scale Scale::linear(double lo, double hi, double from, double to) {
    if (!std::isfinite(lo) || !std::isfinite(hi) || hi < lo) return {0, 1, from, to, false};
    const double least = std::max(1e-9, 1e-9 * std::abs(lo));
    if (hi - lo < least) {
        const double half = std::max(0.5, 1e-6 * std::abs(lo));
        return {lo - half, lo + half, from, to, false};
    }
    return {lo, hi, from, to, false};
}

Scale Scale::logarithmic(double lo, double hi, double from, double to) {
    if (!std::isfinite(lo) || !std::isfinite(hi) || hi < lo) return {1, 10, from, to, true};
    lo = std::max(lo, kLeast);
    hi = std::max(hi, kLeast);
    if (hi < lo * 1.0001) return {lo / 2, lo * 2, from, to, true};
    return {lo, hi, from, to, true};
}

double Scale::operator()(double value) const {
    double share = 0;
    if (is_log_) {
        share = std::log(std::max(value, kLeast) / lo_) / std::log(hi_ / lo_);
    } else {
        share = (value - lo_) / (hi_ - lo_);
    }
    return from_ + share * (to_ - from_);
}

std::string number_text(double value, int decimals, bool is_signed) {
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    // Of what is printed: -0.004 with two decimals is 0.00 and has no sign.
    const bool is_zero = digits.find_first_of("123456789") == std::string::npos;
    const std::size_t point = std::min(digits.find('.'), digits.size());
    for (std::size_t at = point; at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    if (is_zero) return digits;
    if (value < 0) return "−" + digits;
    return is_signed ? "+" + digits : digits;
}

std::string with_minus(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool leads = text[i] == '-' && i + 1 < text.size() && is_digit(text[i + 1]) &&
                           (i == 0 || text[i - 1] == ' ' || text[i - 1] == '[' ||
                            text[i - 1] == '(' || text[i - 1] == '\n');
        if (leads) {
            out += "−";
        } else {
            out += text[i];
        }
    }
    return out;
}

std::vector<Tick> ticks(const Scale& scale, int most, const TickStyle& style) {
    const std::vector<double> values = scale.is_logarithmic()
                                           ? log_values(scale, most)
                                           : linear_values(scale, most, style.is_whole ? 1 : 0);
    std::vector<Tick> out;
    double step = values.size() > 1 ? values[1] - values[0] : std::abs(values[0]);
    if (!(step > 0)) step = 1;
    for (const double value : values) {
        const int decimals = decimals_of(scale.is_logarithmic() ? value : step);
        out.push_back({value, number_text(value, decimals, style.is_signed)});
    }
    if (!style.unit.empty()) out.back().text += " " + style.unit;
    return out;
}

}  // namespace assay::reports::plot
