#pragma once
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "harness/executor/slurm_folder.h"

namespace assay::harness {

/// Who coordinates a run, as the file `coordinator` of its folder says.
struct Coordinator {
    std::string host;
    std::string system;  // boot and space of process numbers, within which `pid` means something
    long pid = 0;
    std::string began;  // of the process, by the kernel's count: numbers are used again
    std::string store;
    long long since_us = 0;  // wall clock

    friend bool operator==(const Coordinator&, const Coordinator&) = default;
};

/// The facts of this process, and its store's path.
[[nodiscard]] Coordinator this_coordinator(const std::string& store);

/// Keeps a second coordinator, with a copy of the store, off the folder of a run: each would take
/// the other's parts for its own, and cancel its tasks. Goes with the object. One thread.
class CoordinatorLock {
public:
    /// Throws Error (exit code 2) naming the other one where it lives: its process does, or, on
    /// another machine, it has given a sign within the last minute.
    CoordinatorLock(const SlurmFolder& folder, Coordinator self);
    CoordinatorLock(const CoordinatorLock&) = delete;
    CoordinatorLock& operator=(const CoordinatorLock&) = delete;
    ~CoordinatorLock();

    /// A sign that we live, to be given each kBeat; a file that is gone is made again. A sentence
    /// where another one has taken over, which found us silent; empty: the folder is ours.
    [[nodiscard]] std::string beat();

    static constexpr Micros kBeat{15'000'000};
    static constexpr Micros kMostSilence{60'000'000};

private:
    [[nodiscard]] std::optional<Coordinator> owner() const;
    [[nodiscard]] std::string write_own() const;
    [[nodiscard]] bool link_again() const;

    SlurmFolder folder_;
    std::string path_;
    Coordinator self_;
};

/// Gives the lock's signs from a thread of its own while whoever has it does something else, such
/// as building programs. Nobody else may call beat() meanwhile. That another one has taken over is
/// told by the next beat after it.
class CoordinatorBeats {
public:
    /// A null lock needs none. The lock outlives this.
    explicit CoordinatorBeats(CoordinatorLock* lock, Micros each = CoordinatorLock::kBeat);

private:
    std::jthread thread_;
};

/// "process 12 on n1, with the store all.db"
[[nodiscard]] std::string text_of(const Coordinator& coordinator);

}  // namespace assay::harness
