// Starting programs without holding up the programs that run.
//
// A start is slow in two ways. Spawner::spawn() returns when the program has been executed: fork
// and exec of a large executable take 1 to 20 ms, and a file on a network disk may take seconds or
// hang for ever. On the event loop's thread that would stand on the clock of every game in play. So
// starts are made by two threads of their own. Two, because one start that hangs must not hold up
// all others, and because more than the processors can execute at once gains nothing: 32 programs
// started by two threads are ready as soon as by eight.
//
// The threads live as long as the crew. Children ask the kernel for a signal at the death of the
// *thread* that started them (PR_SET_PDEATHSIG), so a thread that ended would kill its programs.
//
// A start that hangs cannot be taken back: the thread sits in the kernel. When its owner has lost
// patience it calls cancel(); the start is then counted as held, and another thread is added in its
// place, so that two are always free of starts that nobody wants. The number of threads is thus two
// and one more for each start that hangs. What such a start yields in the end is told as ever, and
// the owner, who is gone, has the program killed.
//
// Orders are served in their sequence, so that whether one still waits is a binary search; a
// program that waits is told so (Player::Launch::Waiting), and its start limit does not run.
//
// Where not even one thread can be made the order fails at once, as the system's fault.
#include "adapters/process/spawn_crew.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace assay::adapters {

namespace {

constexpr std::size_t kThreads = 2;

}  // namespace

SpawnCrew::SpawnCrew(Spawner& spawner, MakeThread make_thread)
    : spawner_(spawner), make_thread_(std::move(make_thread)) {}

SpawnCrew::~SpawnCrew() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    orders_wait_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void SpawnCrew::add_threads() {
    std::size_t held = 0;
    {
        const std::lock_guard lock(mutex_);
        held = static_cast<std::size_t>(
            std::count_if(under_way_.begin(), under_way_.end(),
                          [](const UnderWay& one) { return one.is_cancelled; }));
    }
    if (threads_.size() >= held + kThreads) return;
    // Signals are the event loop's.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        // A thread that is there may not be lost for want of memory: its end would be an abort.
        threads_.reserve(held + kThreads);
        while (threads_.size() < held + kThreads) {
            threads_.push_back(make_thread_([this] { work(); }));
        }
    } catch (const std::system_error&) {
        // One thread is enough; without any, the order is answered by spawn().
    } catch (const std::bad_alloc&) {
        // The same.
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SpawnCrew::Order SpawnCrew::spawn(ProgramSpec spec, OnSpawned on_spawned) {
    add_threads();
    const Order order = ++last_;
    if (threads_.empty()) {
        on_spawned(SpawnFailure{"no thread can be started", true});
        return order;
    }
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({order, std::move(spec), std::move(on_spawned)});
    }
    orders_wait_.notify_one();
    return order;
}

bool SpawnCrew::cancel(Order order) {
    {
        const std::lock_guard lock(mutex_);
        const auto same = [order](const auto& one) { return one.order == order; };
        const auto waits = std::find_if(waiting_.begin(), waiting_.end(), same);
        if (waits != waiting_.end()) {
            waiting_.erase(waits);
            return true;
        }
        const auto found = std::find_if(under_way_.begin(), under_way_.end(), same);
        if (found == under_way_.end()) return false;
        found->is_cancelled = true;
    }
    add_threads();
    return false;
}

bool SpawnCrew::is_waiting(Order order) const {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::lower_bound(waiting_.begin(), waiting_.end(), order,
                         [](const Waiting& one, Order wanted) { return one.order < wanted; });
    return found != waiting_.end() && found->order == order;
}

void SpawnCrew::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        orders_wait_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
        if (is_over_) return;
        const Waiting job = std::move(waiting_.front());
        waiting_.pop_front();
        under_way_.push_back({job.order, false});
        lock.unlock();
        Result result = SpawnFailure{};
        try {
            result = spawner_.spawn(job.spec);
        } catch (const std::exception& error) {
            result = SpawnFailure{error.what(), true};
        }
        job.on_spawned(std::move(result));
        lock.lock();
        std::erase_if(under_way_, [&job](const UnderWay& one) { return one.order == job.order; });
    }
}

}  // namespace assay::adapters
