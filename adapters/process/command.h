#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "adapters/process/process.h"
#include "base/clock.h"

namespace assay::adapters {

/// What a command may take; 0: no limit.
struct CommandLimits {
    Micros time{0};
    std::uint64_t output_bytes = 0;  // both streams together; then it is killed
};

/// How a command ended.
struct CommandEnd {
    enum class How : std::uint8_t {
        Exited,
        Killed,         // by a signal that was not ours
        NotStarted,     // no such file, no permission
        NotLaunched,    // the system is out of descriptors, memory or processes
        OutOfTime,      // killed by us
        TooMuchOutput,  // killed by us
        Interrupted,    // a stop signal is waiting for this process; killed by us
    };

    How how = How::Exited;
    int exit_code = 0;
    int signal = 0;
    std::string reason;  // one fragment: "exited with code 2", "took longer than 30:00 min"
    Micros used{0};

    [[nodiscard]] bool is_success() const { return how == How::Exited && exit_code == 0; }
};

/// Runs commands to their end, one at a time, on the calling thread: what builds, git and
/// benchmarks need, beside the event loop that games are played on. A command gets a standard input
/// that is empty unless something is given, and its own process group; what is left of the group is
/// killed when its leader ends, and everything that it started is killed when this object goes.
/// Where the stop signals are blocked, one of them that is pending ends the command within 50 ms
/// and stays pending.
class CommandRunner {
public:
    /// Sees the output as it comes, in pieces, from either stream.
    using OnOutput = std::function<void(std::string_view bytes, bool is_error)>;

    /// `input` goes to the command's standard input, as far as it reads it. REQUIRES: SIGPIPE is
    /// ignored where there is any.
    [[nodiscard]] CommandEnd run(const ProgramSpec& spec, const CommandLimits& limits,
                                 const OnOutput& on_output, std::string_view input = {});

private:
    Spawner spawner_;
};

}  // namespace assay::adapters
