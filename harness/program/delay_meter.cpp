#include "harness/program/delay_meter.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

#include "base/text.h"

namespace assay::harness {

namespace {

constexpr double kLowestUs = 0.1;
constexpr double kStep = 1.02;

}  // namespace

void DelayMeter::add(std::chrono::nanoseconds delay) {
    const double us = std::max(0.0, static_cast<double>(delay.count()) / 1000.0);
    const double index = us <= kLowestUs ? 0 : std::log(us / kLowestUs) / std::log(kStep);
    const auto bucket = std::min(static_cast<std::size_t>(index), kBuckets - 1);
    ++buckets_[bucket];
    ++count_;
    max_us_ = std::max(max_us_, us);
}

double DelayMeter::quantile_us(double p) const {
    if (count_ == 0) return 0;
    const auto rank = static_cast<std::int64_t>(std::ceil(p * static_cast<double>(count_)));
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
        seen += buckets_[i];
        if (seen >= std::max<std::int64_t>(rank, 1)) {
            return std::min(max_us_, kLowestUs * std::pow(kStep, static_cast<double>(i) + 0.5));
        }
    }
    return max_us_;
}

RunQueueMeter::RunQueueMeter()
    : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

Micros RunQueueMeter::total() const {
    // Fields: time on the processor, time waiting for one (both ns), slices.
    std::array<char, 128> text{};
    const ssize_t got = file_.is_open() ? ::pread(file_.get(), text.data(), text.size(), 0) : -1;
    if (got <= 0) return Micros{0};
    std::string_view rest(text.data(), static_cast<std::size_t>(got));
    take_word(rest);
    const auto waited = to_number<std::int64_t>(take_word(rest));
    return Micros{waited ? *waited / 1000 : 0};
}

}  // namespace assay::harness
