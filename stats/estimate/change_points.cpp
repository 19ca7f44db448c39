// Change points of a series of measured figures, such as the speed of a program over many nights,
// by binary segmentation (Scott and Knott 1974; Vostrikova 1981): the split that separates the
// means of its two sides best is taken if it is significant, and both sides are split again in the
// same way. Each figure counts by the inverse of its variance, since nights differ in length.
//
// A method that optimises all change points at once (PELT, Killick and others 2012) needs a penalty
// that says nothing to a reader; here each step has a chance of being a false alarm, which is
// printed. The price is that a short excursion inside a long level can hide from the first split.
// The correction for the number of places is Bonferroni's: neighbouring splits are strongly
// correlated, so that it claims too little rather than too much.
//
// Cost: sums up to each place make a mean of any stretch two subtractions, so that a split of n
// figures takes n steps, and all of them n log n as a rule.
#include "stats/estimate/change_points.h"

#include <algorithm>
#include <cmath>

#include "stats/data/normal.h"

namespace assay::stats {

namespace {

/// The series as sums up to each place, and the recursion over its stretches.
class Splitter {
public:
    Splitter(std::span<const Measured> series, double alpha) : alpha_(alpha) {
        for (const Measured& one : series) {
            const double weight = 1 / (one.error * one.error);
            weights_.push_back(weights_.back() + weight);
            sums_.push_back(sums_.back() + weight * one.value);
        }
    }

    [[nodiscard]] Level level(std::size_t begin, std::size_t end) const {
        const double weight = weights_[end] - weights_[begin];
        return {begin, end, (sums_[end] - sums_[begin]) / weight, 1 / std::sqrt(weight)};
    }

    /// Appends the levels of [begin, end) with the chances of the splits between them.
    void split(std::size_t begin, std::size_t end, std::vector<Level>& levels,
               std::vector<double>& chances) const {
        double best = 0;
        std::size_t at = begin;
        for (std::size_t i = begin + 1; i < end; ++i) {
            const Level before = level(begin, i);
            const Level after = level(i, end);
            const double z =
                std::abs(after.mean - before.mean) / std::hypot(after.error, before.error);
            if (z > best) {
                best = z;
                at = i;
            }
        }
        const double places = static_cast<double>(end - begin) - 1;
        const double chance = std::min(1.0, places * 2 * normal_cdf(-best));
        if (at == begin || chance > alpha_) {
            levels.push_back(level(begin, end));
            return;
        }
        split(begin, at, levels, chances);
        chances.push_back(chance);
        split(at, end, levels, chances);
    }

private:
    double alpha_;
    std::vector<double> weights_{0};
    std::vector<double> sums_{0};
};

}  // namespace

Levels find_steps(std::span<const Measured> series, double alpha) {
    Levels out;
    if (series.empty()) return out;
    std::vector<double> chances;
    Splitter(series, alpha).split(0, series.size(), out.levels, chances);
    for (std::size_t i = 1; i < out.levels.size(); ++i) {
        const Level& before = out.levels[i - 1];
        const Level& after = out.levels[i];
        const double change = after.mean - before.mean;
        const double half = kZ95 * std::hypot(after.error, before.error);
        out.steps.push_back({after.begin, change, {change - half, change + half}, chances[i - 1]});
    }
    return out;
}

double neighbour_error(std::span<const double> series, double least) {
    std::vector<double> changes;
    for (std::size_t i = 1; i < series.size(); ++i)
        changes.push_back(std::abs(series[i] - series[i - 1]));
    if (changes.empty()) return least;
    const auto middle = changes.begin() + static_cast<std::ptrdiff_t>(changes.size() / 2);
    std::nth_element(changes.begin(), middle, changes.end());
    // The median of |N(0, 2)| is 0.6745 sqrt(2).
    return std::max(least, *middle / (0.674490 * std::sqrt(2.0)));
}

}  // namespace assay::stats
