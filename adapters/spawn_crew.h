#pragma once
#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <variant>

#include "adapters/process.h"

namespace assay::adapters {

/// Starts programs on two threads of its own: the caller is not held up until a program has been
/// executed, so that no other program's clock waits for that, and many start side by side.
/// The threads begin with the first program and live as long as the crew: when they end, the
/// system kills what they have started. Owned and called by one thread.
class SpawnCrew {
public:
    using Result = std::variant<Child, SpawnFailure>;
    /// Called on a thread of the crew, or by spawn() itself where no thread can be started; may not
    /// throw.
    using OnSpawned = std::function<void(Result)>;

    /// `spawner` must outlive it.
    explicit SpawnCrew(Spawner& spawner) : spawner_(spawner) {}

    SpawnCrew(const SpawnCrew&) = delete;
    SpawnCrew& operator=(const SpawnCrew&) = delete;
    /// What still waits is not started any more, and not told.
    ~SpawnCrew();

    void spawn(ProgramSpec spec, OnSpawned on_spawned);

private:
    struct Order {
        ProgramSpec spec;
        OnSpawned on_spawned;
    };

    void begin();
    void work();

    Spawner& spawner_;
    std::mutex mutex_;
    std::condition_variable orders_wait_;
    std::deque<Order> orders_;  // under mutex_, as is the next
    bool is_over_ = false;
    std::array<std::thread, 2> threads_;
};

}  // namespace assay::adapters
