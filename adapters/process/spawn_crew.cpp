#include "adapters/process/spawn_crew.h"

#include <algorithm>
#include <csignal>
#include <exception>
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

void SpawnCrew::man() {
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
        while (threads_.size() < held + kThreads) {
            threads_.push_back(make_thread_([this] { work(); }));
        }
    } catch (const std::system_error&) {
        // One thread is enough; without any, the order is answered by spawn().
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SpawnCrew::Order SpawnCrew::spawn(ProgramSpec spec, OnSpawned on_spawned) {
    man();
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
    man();
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
