#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"

namespace assay::adapters {

/// The one thread that reads programs. It is our own around epoll, because a clock needs what
/// libraries hide: the moment of the wake-up, and a stamp on every program's bytes before the first
/// of them is acted on. Per wake-up: all readable descriptors are read (bounded) and stamped, then
/// the lines are handled in the order of arrival.
/// Not movable; all members but post() belong to the thread that calls run().
class EventLoop {
public:
    /// Throws Error where the system gives no epoll or eventfd. Ignores SIGPIPE and takes SIGCHLD's
    /// default, for the whole process.
    explicit EventLoop(const Clock& clock);
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;
    ~EventLoop();

    /// Until stop(). Exceptions of callbacks pass through.
    void run();
    /// From within a callback: run() returns after this round.
    void stop();
    /// From any thread: the function runs on the loop's thread soon.
    void post(std::function<void()> work);
    /// Calls `tick` about every `period` (one coarse timer for all deadlines), until the loop ends;
    /// and at once where a program has ended.
    void every(Micros period, std::function<void()> tick);
    /// Takes over these signals of the process (blocked, read through a signalfd). Before the
    /// process starts other threads, or they would take them. A later call replaces an earlier one.
    void on_signals(const std::vector<int>& signals, std::function<void(int)> handler);

    [[nodiscard]] const Clock& clock() const;
    /// When the wait of the present round returned.
    [[nodiscard]] TimePoint wake() const;

    /// What adapters register; see event_loop.cpp.
    struct Reactor;
    [[nodiscard]] Reactor& reactor();

private:
    std::unique_ptr<Reactor> reactor_;
};

}  // namespace assay::adapters
