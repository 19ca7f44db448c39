// Bonferroni holds however the steps depend on each other, which they do: which commit is judged
// next follows from what the last one was found to be. Its price is small here, as a bisection of a
// thousand commits takes eleven judgements.
#include "harness/bisect/bisect_error.h"

#include <algorithm>
#include <bit>

namespace assay::harness {

namespace {

/// Of one comparison of speeds, all its looks together (bench_run.cpp).
constexpr double kSpeedError = 0.05;

}  // namespace

int judgements_of(std::size_t candidates) {
    const std::size_t halvings = candidates == 0 ? 0 : std::bit_width(candidates - 1);
    return static_cast<int>(halvings) + 1;
}

double error_of_each(double confidence, int judgements) {
    return (1 - confidence) / judgements;
}

double confidence_of(const BisectRules& rules, int decisions) {
    const bool is_speed = rules.on == BisectOn::Bench && rules.percent;
    if (rules.on != BisectOn::Elo && !is_speed) return 1;
    return std::max(0.0, 1 - (is_speed ? kSpeedError : rules.error) * decisions);
}

}  // namespace assay::harness
