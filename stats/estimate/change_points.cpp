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
// Where the error of the figures is not known, it is estimated from the series, and the estimate
// has a law of its own, which in short series matters more than anything else. The spread within
// both sides gives Student's t with two degrees of freedom less than figures, exactly; but in a
// long series the steps that are not found yet stand in it, and hide those that are sought. The
// median change between neighbours does not see steps, and is rough: for normal figures its spread
// is that of the standard deviation of about a quarter as many. Both are tried, each with half of
// the chance. The place of the best split is the same for both, as all figures weigh alike.
//
// Cost: sums up to each place make a mean of any stretch two subtractions, so that a split of n
// figures takes n steps, and all of them n log n as a rule.
#include "stats/estimate/change_points.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "stats/data/normal.h"

namespace assay::stats {

namespace {

/// The split of a stretch that separates its sides best.
struct Split {
    std::size_t begin = 0;
    std::size_t at = 0;
    std::size_t end = 0;
    double z = 0;  // the change over its error
};

/// The series as sums up to each place, and the recursion over its stretches.
class Splitter {
public:
    explicit Splitter(std::span<const Measured> series) {
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

    /// Appends the levels of [begin, end) with the chances of the splits between them. `chance_at`:
    /// of a split as good at one place.
    void split(std::size_t begin, std::size_t end, double alpha,
               const std::function<double(const Split&)>& chance_at, std::vector<Level>& levels,
               std::vector<double>& chances) const {
        const Split best = best_split(begin, end);
        const double places = static_cast<double>(end - begin) - 1;
        const double chance = best.at == begin ? 1 : std::min(1.0, places * chance_at(best));
        if (chance > alpha) {
            levels.push_back(level(begin, end));
            return;
        }
        split(begin, best.at, alpha, chance_at, levels, chances);
        chances.push_back(chance);
        split(best.at, end, alpha, chance_at, levels, chances);
    }

private:
    [[nodiscard]] Split best_split(std::size_t begin, std::size_t end) const {
        Split best{begin, begin, end, 0};
        for (std::size_t i = begin + 1; i < end; ++i) {
            const Level before = level(begin, i);
            const Level after = level(i, end);
            const double z =
                std::abs(after.mean - before.mean) / std::hypot(after.error, before.error);
            if (z > best.z) {
                best.z = z;
                best.at = i;
            }
        }
        return best;
    }

    std::vector<double> weights_{0};
    std::vector<double> sums_{0};
};

/// `ends`: the change and its interval are so many errors apart.
Levels with_steps(std::vector<Level> levels, const std::vector<double>& chances, double ends) {
    Levels out;
    out.levels = std::move(levels);
    for (std::size_t i = 1; i < out.levels.size(); ++i) {
        const Level& before = out.levels[i - 1];
        const Level& after = out.levels[i];
        const double change = after.mean - before.mean;
        const double half = ends * std::hypot(after.error, before.error);
        out.steps.push_back({after.begin, change, {change - half, change + half}, chances[i - 1]});
    }
    return out;
}

/// Sum of the squares of the distances from the mean.
double squares_about_mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    const double mean = sum / static_cast<double>(values.size());
    double total = 0;
    for (const double value : values) total += (value - mean) * (value - mean);
    return total;
}

/// The chance of a split as good at one place, where the error of all figures was taken for 1.
double chance_of_split(const Split& split, std::span<const double> series, double least_error,
                       double by_neighbours) {
    const auto side = [&](std::size_t begin, std::size_t end) {
        return squares_about_mean(series.subspan(begin, end - begin));
    };
    const auto tail = [&](double error, double degrees) {
        return degrees > 0 ? 2 * student_cdf(-split.z / error, degrees) : 1.0;
    };
    const double degrees = static_cast<double>(split.end - split.begin) - 2;
    const double within =
        degrees > 0 ? std::sqrt((side(split.begin, split.at) + side(split.at, split.end)) / degrees)
                    : 0;
    const double rough_degrees = (static_cast<double>(series.size()) - 1) / 4;
    return 2 * std::min(tail(std::max(within, least_error), degrees),
                        tail(by_neighbours, rough_degrees));
}

}  // namespace

Levels find_steps(std::span<const Measured> series, double alpha) {
    if (series.empty()) return {};
    std::vector<Level> levels;
    std::vector<double> chances;
    const auto chance_at = [](const Split& split) { return 2 * normal_cdf(-split.z); };
    Splitter(series).split(0, series.size(), alpha, chance_at, levels, chances);
    return with_steps(std::move(levels), chances, kZ95);
}

Levels find_steps(std::span<const double> series, double least_error, double alpha) {
    if (series.empty()) return {};
    std::vector<Measured> figures;
    for (const double value : series) figures.push_back({value, 1});
    const double by_neighbours = neighbour_error(series, least_error);
    std::vector<Level> levels;
    std::vector<double> chances;
    Splitter(figures).split(
        0, series.size(), alpha,
        [&](const Split& split) {
            return chance_of_split(split, series, least_error, by_neighbours);
        },
        levels, chances);
    double within = 0;
    for (const Level& level : levels)
        within += squares_about_mean(series.subspan(level.begin, level.end - level.begin));
    const double degrees = static_cast<double>(series.size() - levels.size());
    const double error =
        degrees > 0 ? std::max(least_error, std::sqrt(within / degrees)) : by_neighbours;
    for (Level& level : levels) level.error *= error;
    return with_steps(std::move(levels), chances,
                      degrees > 0 ? student_quantile(0.975, degrees) : kZ95);
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
