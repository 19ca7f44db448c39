#pragma once
#include <cstdint>

namespace assay::stats {

/// On how many items two programs that were tried on the same items succeeded.
struct PairedSuccesses {
    std::int64_t both = 0;
    std::int64_t only_first = 0;
    std::int64_t only_second = 0;
    std::int64_t neither = 0;

    [[nodiscard]] std::int64_t differing() const { return only_first + only_second; }

    friend bool operator==(const PairedSuccesses&, const PairedSuccesses&) = default;
};

/// McNemar's test of "each program succeeds equally often" (Psychometrika 12, 1947), exact and
/// given the number of items on which they differ. All p-values are 1 where they differ on none,
/// but for mid_p, which is 1/2 then.
struct McNemar {
    double p = 1;           // both ways: twice the smaller tail, at most 1
    double mid_p = 1;       // the same, with what was seen counted half: no discreteness on average
    double first_more = 1;  // P(only_first is at least as large as seen)
    double second_more = 1;  // P(only_second is)
};

/// REQUIRES: no count is negative.
[[nodiscard]] McNemar test_mcnemar(const PairedSuccesses& counts);

}  // namespace assay::stats
