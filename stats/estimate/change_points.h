#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "stats/estimate/estimate.h"

namespace assay::stats {

/// One figure of a series, with its standard error (> 0).
struct Measured {
    double value = 0;
    double error = 1;
};

/// A stretch [begin, end) without a step, and its inverse-variance mean.
struct Level {
    std::size_t begin = 0;
    std::size_t end = 0;
    double mean = 0;
    double error = 0;
};

/// Where one level ends and the next begins.
struct Step {
    std::size_t at = 0;  // the first of the new level
    double change = 0;
    Interval ci95;
    double false_alarm = 1;  // chance of such a step anywhere in a series without one, at most
};

struct Levels {
    std::vector<Level> levels;
    std::vector<Step> steps;  // one between each two levels
};

/// Finds the places at which the mean of a series changes. The split with the largest |z| between
/// the means of its two sides is taken if its probability by chance, over all places (Bonferroni),
/// is below `alpha`; then both sides are split in the same way. A level can be a single figure.
[[nodiscard]] Levels find_steps(std::span<const Measured> series, double alpha = 0.01);

/// The same of figures whose common error is not known, and is at least `least_error` (> 0). For
/// normal figures the chances hold in series of every length, so that among few figures only a
/// large step is found.
[[nodiscard]] Levels find_steps(std::span<const double> series, double least_error, double alpha);

/// An estimate of the standard error of figures without one: from the median change between
/// neighbours, on which steps have little effect. `least` where all are equal.
[[nodiscard]] double neighbour_error(std::span<const double> series, double least);

}  // namespace assay::stats
