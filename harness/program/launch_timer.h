#pragma once
#include <cstdint>

#include "base/clock.h"

namespace assay::harness {

/// Detects that the launch queue is stuck. A program in the queue has no limit of its own while it
/// waits, since many may be before it; so the queue as a whole has one.
class LaunchTimer {
public:
    /// `start_limit`: of one program; after it a start that hangs makes room for the next.
    explicit LaunchTimer(Micros start_limit);

    /// True where programs have waited for limit() without any start making progress. `steps`:
    /// RunningProgram::launch_steps() of all programs together, never fewer than before.
    [[nodiscard]] bool is_stuck(TimePoint now, bool is_any_waiting, std::uint64_t steps);

    /// A minute, or twice the start limit where that is more.
    [[nodiscard]] Micros limit() const { return limit_; }

private:
    Micros limit_;
    TimePoint since_{};
    std::uint64_t steps_ = 0;
    bool was_waiting_ = false;
};

}  // namespace assay::harness
