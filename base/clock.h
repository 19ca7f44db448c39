#pragma once
#include <chrono>

namespace assay {

/// Time on the monotonic clock. All deadlines and stamps are of this type.
using TimePoint = std::chrono::steady_clock::time_point;

/// The unit in which times are kept and stored.
using Micros = std::chrono::microseconds;

/// The one source of time. Tests put a fake in its place; nothing else asks the system.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The system's monotonic clock. Any thread may ask it.
class SteadyClock final : public Clock {
public:
    [[nodiscard]] TimePoint now() const override { return std::chrono::steady_clock::now(); }
};

/// Microseconds from a to b, rounded down.
[[nodiscard]] inline Micros micros_between(TimePoint a, TimePoint b) {
    return std::chrono::floor<Micros>(b - a);
}

/// Microseconds since 1970 on the wall clock; for records that people read, never for deadlines.
[[nodiscard]] long long wall_clock_us();

}  // namespace assay
