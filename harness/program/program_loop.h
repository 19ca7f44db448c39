#pragma once
#include <functional>
#include <memory>
#include <string>

#include "adapters/process/event_loop.h"
#include "base/clock.h"
#include "harness/program/line_log.h"
#include "harness/program/running_program.h"

namespace assay::harness {

/// The event loop that work with programs runs on: a match, a suite, the searches of a book. Calls
/// the work often, tells it of stop signals, and ends when it is done. A first signal asks the work
/// to end in its own time, a second one ends the loop at once; a hangup may be told twice, by the
/// shell and by the system, and is no second signal. One thread.
class ProgramLoop {
public:
    /// What is driven. It must outlive run().
    struct Work {
        std::function<void(TimePoint now)> tick;
        std::function<void()> interrupt;
        std::function<bool()> is_done;
    };

    /// Stop signals are heard from now on. Where `log_dir` is not empty every line of a protocol is
    /// written there; `observer` sees them too, and outlives the loop.
    explicit ProgramLoop(const Clock& clock, const std::string& log_dir = "",
                         adapters::LineObserver* observer = nullptr);
    ProgramLoop(const ProgramLoop&) = delete;
    ProgramLoop& operator=(const ProgramLoop&) = delete;
    ~ProgramLoop() = default;

    /// Players on this loop, which must outlive them.
    [[nodiscard]] PlayerFactory players();

    /// Returns when the work is done, or at the second signal. May be called for one work after the
    /// other.
    void run(const Work& work);
    /// To be called where the work may be done, other than in a tick.
    void check();

    /// Runs this on the loop's thread; may be called from any.
    void post(std::function<void()> work) { loop_.post(std::move(work)); }

    /// The first stop signal that came, or 0.
    [[nodiscard]] int signal() const { return signal_; }

private:
    void on_signal(int signal);

    const Clock& clock_;
    adapters::EventLoop loop_;
    std::unique_ptr<LineLog> line_log_;
    adapters::LineObserver* observer_;  // of all lines; null: none
    const Work* work_ = nullptr;
    int signal_ = 0;
};

}  // namespace assay::harness
