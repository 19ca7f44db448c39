// The event loop: epoll with a reading order that is fair to clocks.
//
// What it must do. A program's thinking time ends when its answer has been read, and the harness
// may not add its own work to that. With several games on one thread, the answer of game B may
// arrive while the loop is busy with game A's line. A loop that reads a descriptor, handles it and
// then reads the next would book A's handling (a move made, a record written, about 10 us; a slow
// disk much more) on B's clock.
//
// What it does. A round has four parts:
//   1. epoll_wait; the moment of its return is `wake`.
//   2. All readable descriptors are read, at most 64 KiB each, into one arena, and each gets a
//   stamp
//      straight after its read. Nothing is handled yet. Where the arena is full, what it holds is
//      handled before reading goes on.
//   3. The bytes are handled in the order they were read; then the other events (ends of processes,
//      posted work, signals); then wakes that were asked for.
//   4. Ticks, last: a deadline is judged when every answer that had arrived has been handled, so
//      that no program is declared silent whose answer lies in the pipe.
// The difference between wake and stamp is the harness's own delay, which is booked for each move.
//
// Registrations. A callback may remove any registration, also one whose bytes are read but not yet
// handled, and the descriptor's number may be reused at once. So events carry a ticket of a slot
// and its generation; remove() increments the generation, and a ticket that does not match is
// dropped. Level-triggered: what a bounded read leaves is reported again in the next round, so that
// one program that floods cannot starve the others.
//
// Why not Asio's io_context: it hides the wake-up and runs a handler between two reads. Why not a
// thread a game: 32 threads that wake each other cost more than the reading does, and their order
// is the kernel's. Cost: two system calls a line (wait and read), none for timers but one timerfd.
//
// Children that have been killed but have not ended are kept with their pidfd and reaped when the
// kernel says so; nobody waits for them but the destructor, a second at most.
#include "adapters/process/event_loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "adapters/process/reactor.h"
#include "base/diagnostic.h"
#include "base/file.h"

namespace assay::adapters {

namespace {

using Ticket = EventLoop::Reactor::Ticket;

// What is read of one program in one round: a pipe's default capacity, so one read empties it.
constexpr std::size_t kMostBytesPerRead = 64U << 10U;
constexpr std::size_t kArenaBytes = 4 * kMostBytesPerRead;
constexpr std::size_t kMostEventsPerRound = 256;
// How long the end of the loop waits for killed programs, from when each was killed.
constexpr Micros kLastWait{750'000};

// Tags of the reactor's own registrations. Timers have kFirstTimerTag and up, abandoned children
// their descriptor negated.
constexpr int kPostedTag = 0;
constexpr int kSignalTag = 1;
constexpr int kFirstTimerTag = 2;

std::uint64_t pack(Ticket ticket) {
    return (std::uint64_t{ticket.generation} << 32U) | ticket.slot;
}

Ticket unpack(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32U)};
}

int checked(int result, const char* what) {
    if (result < 0) throw Error(std::string(what) + ": " + system_reason(errno), 4);
    return result;
}

// Empties the counter of an eventfd or timerfd.
void acknowledge(int fd) {
    std::uint64_t count = 0;
    while (::read(fd, &count, sizeof count) < 0 && errno == EINTR) {}
}

}  // namespace

EventLoop::Reactor::Reactor(const Clock& the_clock)
    : clock(the_clock),
      epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      posted_fd_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
      arena_(std::make_unique_for_overwrite<char[]>(kArenaBytes)) {  // NOLINT
    // A write to a program that has ended must be an error, not the end of the harness.
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    // The process that started us may have ignored it; then the system would reap children, and how
    // a program ended would never be known.
    static_cast<void>(std::signal(SIGCHLD, SIG_DFL));
    posted_ticket_ = add(posted_fd_.get(), Interest::Watch, *this, kPostedTag);
}

EventLoop::Reactor::~Reactor() {
    crew_.reset();
    for (Launched& each : launched_) {
        if (auto* const child = std::get_if<Child>(&each.result)) discard(std::move(*child));
    }
    for (const Abandoned& child : abandoned_) {
        pollfd wait{child.pidfd.get(), POLLIN, 0};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            kLastWait - micros_between(child.killed, clock.now()));
        // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): no lock is held
        if (::poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) > 0) {
            siginfo_t info{};
            ::waitid(P_PIDFD, static_cast<id_t>(child.pidfd.get()), &info, WEXITED | WNOHANG);
        }
    }
}

Ticket EventLoop::Reactor::add(int fd, Interest interest, FdListener& listener, int tag) {
    if (free_slots_.empty()) {
        free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.emplace_back();
    }
    const std::uint32_t index = free_slots_.back();
    Slot& slot = slots_[index];
    const Ticket ticket{index, slot.generation};
    if (fd >= 0) {
        epoll_event event{};
        event.events = interest == Interest::Write ? EPOLLOUT : EPOLLIN;
        event.data.u64 = pack(ticket);
        checked(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
    }
    free_slots_.pop_back();
    slot.fd = fd;
    slot.interest = interest;
    slot.listener = &listener;
    slot.tag = tag;
    return ticket;
}

void EventLoop::Reactor::remove(Ticket& ticket) {
    Slot* const slot = find(ticket);
    if (slot != nullptr) {
        if (slot->fd >= 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, slot->fd, nullptr);
        slot->fd = -1;
        slot->listener = nullptr;
        if (++slot->generation == 0) slot->generation = 1;
        free_slots_.push_back(ticket.slot);
    }
    ticket = {};
}

EventLoop::Reactor::Slot* EventLoop::Reactor::find(Ticket ticket) {
    if (ticket.generation == 0 || ticket.slot >= slots_.size()) return nullptr;
    Slot& slot = slots_[ticket.slot];
    return slot.generation == ticket.generation && slot.listener != nullptr ? &slot : nullptr;
}

void EventLoop::Reactor::wake_soon(Ticket ticket) {
    soon_.push_back(ticket);
}

void EventLoop::Reactor::wake_at(Ticket ticket, TimePoint when) {
    later_.emplace_back(when, ticket);
}

void EventLoop::Reactor::abandon(UniqueFd pidfd, TimePoint killed) {
    const int fd = pidfd.get();
    const Ticket ticket = add(fd, Interest::Watch, *this, -fd);
    abandoned_.push_back({std::move(pidfd), ticket, killed});
}

SpawnCrew::Order EventLoop::Reactor::launch(const ProgramSpec& spec, Ticket owner,
                                            std::function<void(SpawnCrew::Result)> on_launched) {
    return crew_->spawn(spec,
                        [this, owner, told = std::move(on_launched)](SpawnCrew::Result result) {
                            {
                                const std::lock_guard lock(posted_mutex_);
                                launched_.push_back({owner, told, std::move(result)});
                            }
                            wake_up();
                        });
}

void EventLoop::Reactor::hand_over_launched() {
    std::vector<Launched> launched;
    {
        const std::lock_guard lock(posted_mutex_);
        launched.swap(launched_);
    }
    for (std::size_t i = 0; i < launched.size(); ++i) {
        Launched& each = launched[i];
        if (find(each.owner) == nullptr) {
            if (auto* const child = std::get_if<Child>(&each.result)) discard(std::move(*child));
            continue;
        }
        try {
            each.on_launched(std::move(each.result));
        } catch (...) {
            // The others stay where the next round, or the destructor, finds them.
            {
                const std::lock_guard lock(posted_mutex_);
                const auto rest = launched.begin() + static_cast<std::ptrdiff_t>(i) + 1;
                launched_.insert(launched_.end(), std::make_move_iterator(rest),
                                 std::make_move_iterator(launched.end()));
            }
            wake_up();
            throw;
        }
    }
}

/// Nobody waits for this program any more.
void EventLoop::Reactor::discard(Child child) {
    kill_program(child.pid, child.pidfd.get());
    spawner.forget(child.pid);
    try {
        abandon(std::move(child.pidfd), clock.now());
    } catch (const std::exception&) {
        ::waitpid(child.pid, nullptr, WNOHANG);  // else it goes with this process
    }
}

void EventLoop::Reactor::reap(int pidfd) {
    const auto found =
        std::find_if(abandoned_.begin(), abandoned_.end(),
                     [pidfd](const Abandoned& one) { return one.pidfd.get() == pidfd; });
    siginfo_t info{};
    ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG);
    remove(found->ticket);
    std::swap(*found, abandoned_.back());
    abandoned_.pop_back();
}

void EventLoop::Reactor::run() {
    is_stopped = false;
    bytes_.clear();  // an exception may have left some
    events_.clear();
    soon_now_.clear();
    arena_used_ = 0;
    while (!is_stopped) round();
}

int EventLoop::Reactor::timeout_ms() const {
    if (!soon_.empty()) return 0;
    if (later_.empty()) return -1;
    const auto first =
        std::min_element(later_.begin(), later_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(first->first - clock.now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

void EventLoop::Reactor::round() {
    std::array<epoll_event, kMostEventsPerRound> ready;  // NOLINT: filled by the system
    const int count =
        ::epoll_wait(epoll_.get(), ready.data(), static_cast<int>(ready.size()), timeout_ms());
    wake = clock.now();
    if (count < 0 && errno != EINTR) checked(count, "epoll_wait");
    for (int i = 0; i < count; ++i) collect(unpack(ready[static_cast<std::size_t>(i)].data.u64));
    deliver(bytes_);
    // Ticks come after bytes: an answer that is here must not be judged missing.
    deliver(events_);
    run_due();
    if (!std::exchange(is_tick_wanted_, false)) return;
    // NOLINTNEXTLINE(modernize-loop-convert): a tick may add another
    for (std::size_t i = 0; i < timers_.size(); ++i) timers_[i]->tick();
}

void EventLoop::Reactor::collect(Ticket ticket) {
    const Slot* const slot = find(ticket);
    if (slot == nullptr) return;  // removed by a delivery of this round
    if (slot->interest != Interest::Read) {
        events_.push_back({ticket, {}, wake, false});
        return;
    }
    if (kArenaBytes - arena_used_ < kMostBytesPerRead) {
        deliver(bytes_);
        if (find(ticket) == nullptr) return;
    }
    char* const into = arena_.get() + arena_used_;
    const ssize_t got = ::read(slots_[ticket.slot].fd, into, kMostBytesPerRead);
    const TimePoint stamp = clock.now();
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    const auto size = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    arena_used_ += size;
    bytes_.push_back({ticket, {into, size}, stamp, true});
}

void EventLoop::Reactor::deliver(std::vector<Ready>& items) {
    for (const Ready& item : items) {
        const Slot* const slot = find(item.ticket);
        if (slot == nullptr) continue;
        FdListener& listener = *slot->listener;
        const int tag = slot->tag;
        if (item.is_bytes) {
            Ticket ended = item.ticket;
            if (item.bytes.empty()) remove(ended);
            listener.on_bytes(tag, item.bytes, {wake, item.stamp});
        } else {
            listener.on_event(tag, {wake, item.stamp});
        }
    }
    items.clear();
    if (&items == &bytes_) arena_used_ = 0;
}

void EventLoop::Reactor::run_due() {
    if (!later_.empty()) {
        const TimePoint now = clock.now();
        const auto due = std::partition(later_.begin(), later_.end(),
                                        [now](const auto& entry) { return entry.first > now; });
        std::sort(due, later_.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto it = due; it != later_.end(); ++it) soon_.push_back(it->second);
        later_.erase(due, later_.end());
    }
    if (soon_.empty()) return;
    soon_now_.swap(soon_);
    for (const Ticket ticket : soon_now_) {
        const Slot* const slot = find(ticket);
        if (slot != nullptr) slot->listener->on_event(slot->tag, {wake, clock.now()});
    }
    soon_now_.clear();
}

void EventLoop::Reactor::on_bytes(int, std::string_view, Arrival) {}

void EventLoop::Reactor::on_event(int tag, Arrival) {
    if (tag < 0) {
        reap(-tag);
    } else if (tag == kPostedTag) {
        run_posted();
    } else if (tag == kSignalTag) {
        signalfd_siginfo info{};
        while (::read(signal_fd_.get(), &info, sizeof info) == ssize_t{sizeof info}) {
            signal_handler_(static_cast<int>(info.ssi_signo));
        }
    } else {
        Timer& timer = *timers_[static_cast<std::size_t>(tag - kFirstTimerTag)];
        acknowledge(timer.fd.get());
        timer.tick();
    }
}

void EventLoop::Reactor::run_posted() {
    acknowledge(posted_fd_.get());
    hand_over_launched();
    std::vector<std::function<void()>> work;
    {
        const std::lock_guard lock(posted_mutex_);
        work.swap(posted_);
    }
    for (const auto& function : work) function();
}

void EventLoop::Reactor::post(std::function<void()> work) {
    {
        const std::lock_guard lock(posted_mutex_);
        posted_.push_back(std::move(work));
    }
    wake_up();
}

void EventLoop::Reactor::wake_up() {
    const std::uint64_t one = 1;
    while (::write(posted_fd_.get(), &one, sizeof one) < 0 && errno == EINTR) {}
}

void EventLoop::Reactor::every(Micros period, std::function<void()> tick) {
    UniqueFd fd(checked(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "timerfd"));
    const auto us = std::max<std::int64_t>(period.count(), 1);
    itimerspec spec{};
    spec.it_interval = {us / 1'000'000, us % 1'000'000 * 1000};
    spec.it_value = spec.it_interval;
    checked(::timerfd_settime(fd.get(), 0, &spec, nullptr), "timerfd_settime");
    const int tag = kFirstTimerTag + static_cast<int>(timers_.size());
    static_cast<void>(add(fd.get(), Interest::Watch, *this, tag));
    timers_.push_back(std::make_unique<Timer>(Timer{std::move(fd), std::move(tick)}));
}

void EventLoop::Reactor::on_signals(const std::vector<int>& signals,
                                    std::function<void(int)> handler) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals) sigaddset(&set, signal);
    checked(-::pthread_sigmask(SIG_BLOCK, &set, nullptr), "pthread_sigmask");
    signal_fd_ = UniqueFd(checked(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd"));
    signal_handler_ = std::move(handler);
    static_cast<void>(add(signal_fd_.get(), Interest::Watch, *this, kSignalTag));
}

EventLoop::EventLoop(const Clock& clock) : reactor_(std::make_unique<Reactor>(clock)) {}

EventLoop::~EventLoop() = default;

void EventLoop::run() {
    reactor_->run();
}

void EventLoop::stop() {
    reactor_->is_stopped = true;
}

void EventLoop::post(std::function<void()> work) {
    reactor_->post(std::move(work));
}

void EventLoop::every(Micros period, std::function<void()> tick) {
    reactor_->every(period, std::move(tick));
}

void EventLoop::on_signals(const std::vector<int>& signals, std::function<void(int)> handler) {
    reactor_->on_signals(signals, std::move(handler));
}

const Clock& EventLoop::clock() const {
    return reactor_->clock;
}

TimePoint EventLoop::wake() const {
    return reactor_->wake;
}

EventLoop::Reactor& EventLoop::reactor() {
    return *reactor_;
}

}  // namespace assay::adapters
