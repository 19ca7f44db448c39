#include "stats/stop/any_time.h"

#include <algorithm>
#include <cmath>

namespace assay::stats {

Interval any_time_score(const Sample& sample, double planned) {
    constexpr double kAlpha = 0.05;
    const Moments moments = moments_of(sample);
    if (!(moments.variance > 0) || !(moments.total > 0)) return {};
    const double n = moments.total;
    const double rho = planned / 12;
    const double spread =
        std::sqrt(moments.variance * (n + rho) * std::log((n + rho) / (rho * kAlpha * kAlpha))) / n;
    return {std::max(0.0, moments.mean - spread), std::min(1.0, moments.mean + spread)};
}

}  // namespace assay::stats
