#pragma once
#include <functional>

#include "base/clock.h"

namespace assay::harness {

/// Measures how long this thread was suspended: the process was stopped by a signal, the machine
/// was frozen, or a disk was waited for. A thread that ticks every 10 ms notices that a tick comes
/// late although the thread neither ran nor waited for a processor. Suspensions below 20 ms are not
/// noticed. One thread.
class SuspendMeter {
public:
    /// `busy`: how long the thread has run and waited for a processor so far.
    explicit SuspendMeter(std::function<Micros()> busy);

    void tick(TimePoint now);
    /// The sum of all suspensions until `now`, which is not before the last tick.
    [[nodiscard]] Micros total(TimePoint now) const;

private:
    std::function<Micros()> busy_;
    TimePoint last_{};  // tick; the epoch: there was none
    Micros busy_at_last_{0};
    Micros total_{0};
};

/// This thread's processor time so far.
[[nodiscard]] Micros thread_processor_time();

}  // namespace assay::harness
