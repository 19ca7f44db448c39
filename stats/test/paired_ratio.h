#pragma once
#include <vector>

namespace assay::stats {

/// The centre of values that lie symmetrically around it, whatever else their law is: what paired
/// timings are, whose single values have long tails.
struct Centre {
    double value = 0;  // Hodges and Lehmann's estimate: the median of all means of two values
    double low = 0;    // an interval that holds the centre with at least the confidence asked for
    double high = 0;
};

/// The estimate, with the exact interval of Wilcoxon's signed-rank test (Hollander and Wolfe,
/// Nonparametric Statistical Methods, 2nd edition 1999, sections 3.2 and 3.3). Where there are too
/// few values for the confidence, low is minus and high plus infinity.
/// REQUIRES: values not empty and finite, at most 1000 of them; 0 < confidence < 1.
[[nodiscard]] Centre centre_of(const std::vector<double>& values, double confidence);

}  // namespace assay::stats
