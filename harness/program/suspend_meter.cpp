#include "harness/program/suspend_meter.h"

#include <algorithm>
#include <ctime>
#include <utility>

namespace assay::harness {

namespace {

/// Between two ticks of a thread that has nothing to do.
constexpr Micros kUsual{20'000};

}  // namespace

SuspendMeter::SuspendMeter(std::function<Micros()> busy) : busy_(std::move(busy)) {}

void SuspendMeter::tick(TimePoint now) {
    total_ = total(now);
    last_ = now;
    busy_at_last_ = busy_();
}

Micros SuspendMeter::total(TimePoint now) const {
    const Micros gap = micros_between(last_, now);
    if (last_ == TimePoint{} || gap <= kUsual) return total_;
    return total_ + std::max(Micros{0}, gap - kUsual - (busy_() - busy_at_last_));
}

Micros thread_processor_time() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::floor<Micros>(std::chrono::seconds(time.tv_sec) +
                                      std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace assay::harness
