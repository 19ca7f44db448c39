#pragma once
#include <cstdint>

#include "base/clock.h"

namespace assay::harness {

/// Sees whether the system still gets on with the starts that wait for their turn: a program itself
/// has no limit while it waits, for many may stand before it.
class LaunchTimer {
public:
    /// `start_limit`: a program's, after which a start that hangs makes room for the next.
    explicit LaunchTimer(Micros start_limit);

    /// True where some have waited for limit() without any start getting on. `steps`: of all
    /// programs together, never fewer than before.
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
