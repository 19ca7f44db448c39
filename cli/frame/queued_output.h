#pragma once
#include <cstdio>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/output_queue.h"

namespace assay::cli {

/// Writes out what is left, for at most two seconds where a signal has stopped the run. False: some
/// of it is lost.
[[nodiscard]] bool drained(OutputQueue& queue, bool is_stopped);

/// A stream into a queue: the games never wait for what reads standard output.
class QueuedStream final : private std::stringbuf, public std::ostream {
public:
    explicit QueuedStream(OutputQueue& queue)
        : std::stringbuf(std::ios::out), std::ostream(this), queue_(queue) {}

private:
    int sync() override;

    OutputQueue& queue_;
};

/// Lines for scripts, to a file or to standard output ("-").
class EventOutput {
public:
    explicit EventOutput(const std::string& path);

    void put(const std::string& line) { is_whole_ = queue_.put(line) && is_whole_; }

    /// Waits for the reader, for two seconds where a signal has stopped the run, and warns on
    /// standard error where events are missing.
    void finish(bool is_stopped);

private:
    File file_;
    OutputQueue queue_;
    bool is_whole_ = true;
};

/// Prints what another program says, line by line, as text that neither a terminal nor a CI system
/// obeys.
class ForeignText {
public:
    explicit ForeignText(std::FILE* out) : out_(out) {}

    void put(std::string_view bytes);
    /// The last line may have no end.
    void finish();

private:
    void print(std::string_view lines);

    std::FILE* out_;
    std::string begun_;
};

}  // namespace assay::cli
