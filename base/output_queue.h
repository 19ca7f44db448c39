#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"

namespace assay {

/// Writes to a descriptor on a thread of its own, so that put() never waits: a terminal that was
/// stopped (Ctrl-S), a pipe that nobody reads or a slow disk holds up nobody but that thread. What
/// is put when too much waits already is dropped as a whole. One thread puts.
class OutputQueue {
public:
    static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

    /// The descriptor stays the caller's; a duplicate is used. `most`: bytes that may wait.
    explicit OutputQueue(int descriptor, std::size_t most = kMostBytes);
    OutputQueue(const OutputQueue&) = delete;
    OutputQueue& operator=(const OutputQueue&) = delete;
    /// What waits still is given up: see drain().
    ~OutputQueue();

    /// False where it is dropped.
    bool put(std::string text);
    /// Waits until all is written; no longer than `limit`, if any. False where something is left.
    bool drain(std::optional<Micros> limit = std::nullopt);
    /// errno of the first write that failed, after which all is dropped; 0: none has.
    [[nodiscard]] int error() const;

private:
    struct State;

    std::shared_ptr<State> state_;  // shared with the thread, which may outlive this
};

}  // namespace assay
