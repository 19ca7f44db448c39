#pragma once
#include <functional>

#include "base/clock.h"

namespace assay::harness {

/// How long this thread stood still against its will: the process was stopped by a signal, the
/// machine was frozen, a disk was waited for. A thread that ticks each 10 ms sees it by a tick that
/// comes late although the thread neither ran nor waited for a processor. Less than 20 ms at a time
/// is not seen. One thread.
class SuspendMeter {
public:
    /// `busy`: how long the thread has run and waited for a processor so far.
    explicit SuspendMeter(std::function<Micros()> busy);

    void tick(TimePoint now);
    /// All standstills until `now`, which is not before the last tick.
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
