#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "adapters/process/process.h"

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
    /// Starts a thread; throws std::system_error where there can be none.
    using MakeThread = std::function<std::thread(std::function<void()>)>;
    /// Names an order; later ones are greater. 0 is none.
    using Order = std::uint64_t;

    /// `spawner` must outlive it.
    explicit SpawnCrew(
        Spawner& spawner, MakeThread make_thread = [](std::function<void()> work) {
            return std::thread(std::move(work));
        });
    SpawnCrew(const SpawnCrew&) = delete;
    SpawnCrew& operator=(const SpawnCrew&) = delete;
    /// Orders whose start has not begun are dropped: on_spawned is not called.
    ~SpawnCrew();

    Order spawn(ProgramSpec spec, OnSpawned on_spawned);
    /// The program is not wanted any more. True where its start had not begun: then it is not
    /// started, and on_spawned is not called. Otherwise the start goes on and on_spawned is called;
    /// as it may hang, a new thread is added for the others.
    bool cancel(Order order);
    /// Its start has not begun.
    [[nodiscard]] bool is_waiting(Order order) const;

private:
    struct Waiting {
        Order order;
        ProgramSpec spec;
        OnSpawned on_spawned;
    };

    struct UnderWay {
        Order order;
        bool is_cancelled;
    };

    /// Makes threads until two are free of starts that nobody waits for, or none can be made.
    void add_threads();
    void work();

    Spawner& spawner_;
    MakeThread make_thread_;
    mutable std::mutex mutex_;
    std::condition_variable orders_wait_;
    std::deque<Waiting> waiting_;  // in their order; under mutex_, as are the next two
    std::vector<UnderWay> under_way_;
    bool is_over_ = false;
    Order last_ = 0;  // the owner's alone, as is the next
    std::vector<std::thread> threads_;
};

}  // namespace assay::adapters
