#include "adapters/spawn_crew.h"

#include <csignal>
#include <exception>
#include <system_error>
#include <utility>

namespace assay::adapters {

SpawnCrew::~SpawnCrew() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    orders_wait_.notify_all();
    for (std::thread& thread : threads_) {
        if (thread.joinable()) thread.join();
    }
}

void SpawnCrew::begin() {
    // Signals are the event loop's.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        for (std::thread& thread : threads_) thread = std::thread([this] { work(); });
    } catch (const std::system_error&) {
        // One thread is enough; without any, the order is answered here.
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void SpawnCrew::spawn(ProgramSpec spec, OnSpawned on_spawned) {
    if (!threads_.front().joinable()) begin();
    if (!threads_.front().joinable()) {
        on_spawned(SpawnFailure{"no thread can be started"});
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        orders_.push_back({std::move(spec), std::move(on_spawned)});
    }
    orders_wait_.notify_one();
}

void SpawnCrew::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        orders_wait_.wait(lock, [this] { return is_over_ || !orders_.empty(); });
        if (is_over_) return;
        const Order order = std::move(orders_.front());
        orders_.pop_front();
        lock.unlock();
        Result result = SpawnFailure{};
        try {
            result = spawner_.spawn(order.spec);
        } catch (const std::exception& error) {
            result = SpawnFailure{error.what()};
        }
        order.on_spawned(std::move(result));
        lock.lock();
    }
}

}  // namespace assay::adapters
