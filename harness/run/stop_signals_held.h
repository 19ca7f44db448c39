#pragma once
#include <csignal>
#include <ctime>

#include "base/clock.h"
#include "base/stop_signals.h"

namespace assay::harness {

/// While it lives, stop signals are blocked on this thread and those it starts; the event loop
/// reads them. Before that they end the process at once: nothing is lost while a run is being
/// opened, and reading a large book can take long.
class StopSignalsHeld {
public:
    StopSignalsHeld() { (void)::pthread_sigmask(SIG_BLOCK, &set_, &before_); }

    StopSignalsHeld(const StopSignalsHeld&) = delete;
    StopSignalsHeld& operator=(const StopSignalsHeld&) = delete;

    ~StopSignalsHeld() {
        // What came after the last match was over has nothing left to stop; it must not end the
        // process before the results are written.
        while (take() != 0) continue;
        (void)::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    /// A signal that waits, or comes within `limit`, taken; 0 where there is none.
    [[nodiscard]] int take(Micros limit = Micros{0}) const {
        const timespec time{limit.count() / 1'000'000, limit.count() % 1'000'000 * 1000};
        const int signal = ::sigtimedwait(&set_, nullptr, &time);
        return signal > 0 ? signal : 0;
    }

private:
    sigset_t set_ = stop_signal_set();
    sigset_t before_{};
};

}  // namespace assay::harness
