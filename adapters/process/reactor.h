#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/process/arrival.h"
#include "adapters/process/event_loop.h"
#include "adapters/process/process.h"
#include "adapters/process/spawn_crew.h"
#include "base/unique_fd.h"

namespace assay::adapters {

/// Receives the events of one or more registrations with a Reactor; `tag` tells them apart.
class FdListener {
public:
    virtual ~FdListener() = default;
    /// What a descriptor registered to be read gave, at most 64 KiB; empty: end of file, and the
    /// registration is gone. The bytes live during the call.
    virtual void on_bytes(int tag, std::string_view bytes, Arrival arrival) = 0;
    /// A watched descriptor is ready, or a wake that was asked for is due.
    virtual void on_event(int tag, Arrival arrival) = 0;
};

/// The inside of the event loop, for adapters. One thread. Level-triggered: what a round leaves in
/// a pipe is there in the next. Registrations may be added and removed from within callbacks;
/// nothing is delivered to a registration after remove().
struct EventLoop::Reactor final : private FdListener {
    enum class Interest : std::uint8_t {
        None,   // no descriptor; only wakes
        Read,   // the reactor reads; on_bytes
        Watch,  // readable: on_event
        Write,  // writable: on_event
    };

    /// Names a registration; never valid again after remove().
    struct Ticket {
        std::uint32_t slot = 0;
        std::uint32_t generation = 0;  // 0: no registration
    };

    explicit Reactor(const Clock& the_clock);
    Reactor(const Reactor&) = delete;
    Reactor& operator=(const Reactor&) = delete;
    ~Reactor() override;

    /// The descriptor stays the caller's and must be non-blocking if it is to be read.
    [[nodiscard]] Ticket add(int fd, Interest interest, FdListener& listener, int tag);
    /// Before the descriptor is closed. Clears the ticket; no effect on a cleared one.
    void remove(Ticket& ticket);
    /// on_event() once, after this round's bytes.
    void wake_soon(Ticket ticket);
    /// on_event() once, not before `when`.
    void wake_at(Ticket ticket, TimePoint when);

    /// Runs the ticks of every() once more after this round: something has ended that they may be
    /// waiting for.
    void tick_soon() { is_tick_wanted_ = true; }

    /// Starts a program and returns at once; `on_launched` is called from within a round, unless
    /// `owner` is no registration any more: then the program is killed.
    SpawnCrew::Order launch(const ProgramSpec& spec, Ticket owner,
                            std::function<void(SpawnCrew::Result)> on_launched);

    /// See SpawnCrew::cancel().
    bool cancel_launch(SpawnCrew::Order order) { return crew_->cancel(order); }

    /// Others are started before it.
    [[nodiscard]] bool is_launch_waiting(SpawnCrew::Order order) const {
        return crew_->is_waiting(order);
    }

    /// Takes over a child that was killed at that time, and reaps it when it has ended.
    void abandon(UniqueFd pidfd, TimePoint killed);

    void run();
    void every(Micros period, std::function<void()> tick);
    void post(std::function<void()> work);
    void on_signals(const std::vector<int>& signals, std::function<void(int)> handler);

    const Clock& clock;
    TimePoint wake{};
    bool is_stopped = false;
    Spawner spawner{Spawner::FileLimit::Raised};

private:
    struct Slot {
        int fd = -1;
        std::uint32_t generation = 1;
        Interest interest = Interest::None;
        FdListener* listener = nullptr;  // null: free
        int tag = 0;
    };

    struct Abandoned {
        UniqueFd pidfd;
        Ticket ticket;
        TimePoint killed;
    };

    struct Ready {
        Ticket ticket;
        std::string_view bytes;
        TimePoint stamp;
        bool is_bytes = false;
    };

    void round();
    void collect(Ticket ticket);
    void deliver(std::vector<Ready>& items);
    void run_due();
    [[nodiscard]] int timeout_ms() const;
    [[nodiscard]] Slot* find(Ticket ticket);

    void on_bytes(int tag, std::string_view bytes, Arrival arrival) override;
    void on_event(int tag, Arrival arrival) override;
    void run_posted();
    void wake_up();
    void discard(Child child);
    void hand_over_launched();
    void reap(int pidfd);

    UniqueFd epoll_;
    UniqueFd posted_fd_;
    Ticket posted_ticket_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_slots_;
    std::unique_ptr<char[]> arena_;  // NOLINT(modernize-avoid-c-arrays): left uninitialised
    std::size_t arena_used_ = 0;
    std::vector<Ready> bytes_;   // of this round, in the order of arrival
    std::vector<Ready> events_;  // delivered after all bytes
    std::vector<Ticket> soon_;
    std::vector<Ticket> soon_now_;
    std::vector<std::pair<TimePoint, Ticket>> later_;

    struct Timer {
        UniqueFd fd;
        std::function<void()> tick;
    };

    std::vector<std::unique_ptr<Timer>> timers_;
    bool is_tick_wanted_ = false;
    UniqueFd signal_fd_;
    std::function<void(int)> signal_handler_;
    std::vector<Abandoned> abandoned_;
    std::mutex posted_mutex_;
    std::vector<std::function<void()>> posted_;  // under posted_mutex_, as is the next

    struct Launched {
        Ticket owner;
        std::function<void(SpawnCrew::Result)> on_launched;
        SpawnCrew::Result result;
    };

    std::vector<Launched> launched_;
    // Last: its threads use what is above.
    std::unique_ptr<SpawnCrew> crew_ = std::make_unique<SpawnCrew>(spawner);
};

}  // namespace assay::adapters
