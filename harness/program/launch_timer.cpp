#include "harness/program/launch_timer.h"

#include <algorithm>
#include <chrono>

namespace assay::harness {

namespace {

constexpr Micros kLeast{std::chrono::minutes(1)};

}  // namespace

LaunchTimer::LaunchTimer(Micros start_limit) : limit_(std::max(kLeast, 2 * start_limit)) {}

bool LaunchTimer::is_stuck(TimePoint now, bool is_any_waiting, std::uint64_t steps) {
    if (!was_waiting_ || steps != steps_) since_ = now;
    was_waiting_ = is_any_waiting;
    steps_ = steps;
    return is_any_waiting && micros_between(since_, now) >= limit_;
}

}  // namespace assay::harness
