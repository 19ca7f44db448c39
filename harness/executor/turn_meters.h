#pragma once
#include <functional>
#include <utility>

#include "base/clock.h"
#include "harness/program/delay_meter.h"
#include "harness/program/suspend_meter.h"

namespace assay::harness {

/// What this machine takes from the programs' time, for all slots together: waits of the harness's
/// thread for a processor, and its standstills. One thread.
class TurnMeters {
public:
    /// `run_queue`: how long the thread has waited for a processor so far.
    explicit TurnMeters(std::function<Micros()> run_queue)
        : run_queue_(std::move(run_queue)),
          standstill_([this] { return thread_processor_time() + run_queue_(); }) {}

    TurnMeters(const TurnMeters&) = delete;
    TurnMeters& operator=(const TurnMeters&) = delete;
    ~TurnMeters() = default;

    void tick(TimePoint now) {
        queue_ = run_queue_();
        standstill_.tick(now);
    }

    /// The wait for a processor so far, as of the last tick; `fresh`: asked of the kernel now.
    [[nodiscard]] Micros run_queue(bool fresh) {
        if (fresh) queue_ = run_queue_();
        return queue_;
    }

    [[nodiscard]] Micros standstill(TimePoint now) const { return standstill_.total(now); }

    DelayMeter delays;  // of moves

private:
    std::function<Micros()> run_queue_;
    Micros queue_{0};
    SuspendMeter standstill_;
};

}  // namespace assay::harness
