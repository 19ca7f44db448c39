#pragma once
#include <cstdint>
#include <functional>

namespace assay::stats {

/// What a sequential test still needs.
struct PairsLeft {
    double expected = 0;    // on average, if the present estimate is the truth
    std::int64_t most = 0;  // then it has ended for certain, decided or not
};

/// The LLR's bounds at one time.
struct BoundsAt {
    double lower = 0;
    double upper = 0;
};

/// Where a test stands, on the scale of information time: its LLR is a Brownian motion of variance
/// 1 a unit with this drift.
struct TestPlace {
    double tau = 0;
    double llr = 0;
    double drift = 0;
};

/// The mean of the information time that is left until the LLR leaves the bounds, or until `until`
/// where it has not left them by then. 0 outside of the bounds. `bounds` is asked at times from
/// place.tau to `until`. About 1 ms. docs/statistics.md section 8.
[[nodiscard]] double expected_time_left(const std::function<BoundsAt(double tau)>& bounds,
                                        const TestPlace& place, double until);

/// The same in pairs, of a test that has come to information time `now`: each pair adds `per_pair`,
/// and `most` more are allowed (below 0: none). `drift`: of the test's LLR, estimated so far.
[[nodiscard]] PairsLeft pairs_left_between(const std::function<BoundsAt(double tau)>& bounds,
                                           double drift, double now, double per_pair,
                                           std::int64_t most);

}  // namespace assay::stats
