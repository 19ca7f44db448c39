#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace assay::harness {

/// Quantiles of many durations in a fixed memory: buckets in steps of 2 % from 0.1 us to hours, so
/// a quantile is right within 2 %. One thread.
class DelayMeter {
public:
    void add(std::chrono::nanoseconds delay);
    /// p from 0 to 1, in microseconds; 0 where nothing was added.
    [[nodiscard]] double quantile_us(double p) const;

    [[nodiscard]] double max_us() const { return max_us_; }

    [[nodiscard]] std::int64_t count() const { return count_; }

private:
    static constexpr std::size_t kBuckets = 1400;

    std::array<std::uint32_t, kBuckets> buckets_{};
    std::int64_t count_ = 0;
    double max_us_ = 0;
};

/// How long this thread has waited for a processor since it began, by the kernel's own account;
/// always 0 where the kernel keeps none. One thread: the one that made it.
class RunQueueMeter {
public:
    RunQueueMeter();

    [[nodiscard]] Micros total() const;

private:
    UniqueFd file_;
};

}  // namespace assay::harness
