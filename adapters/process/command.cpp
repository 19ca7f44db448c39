// Runs one command to its end, for builds and hooks: blocking, with limits of time and output. It
// is a loop of poll() over the pipes and the pidfd, because a command may write to both pipes, read
// its input late, and leave children behind that hold the pipes open: whoever reads one pipe to its
// end first is stuck sooner or later. The end of the command is the end of its process, not of its
// output; then its group is killed.
//
// Signals that stop assay are blocked (the event loop of a match reads them through a signalfd), so
// that nothing interrupts poll(); pending ones are looked for each 50 ms.
#include "adapters/process/command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/stop_signals.h"

namespace assay::adapters {

namespace {

constexpr int kPollMs = 50;  // how late a waiting signal or the end of the time is seen
constexpr std::size_t kChunk = 1U << 16U;
constexpr int kChunksARound = 32;  // more than a pipe holds

bool is_stop_pending() {
    sigset_t pending;
    sigemptyset(&pending);
    if (::sigpending(&pending) != 0) return false;
    const std::vector<int> stops = stop_signals();
    return std::any_of(stops.begin(), stops.end(),
                       [&pending](int signal) { return ::sigismember(&pending, signal) == 1; });
}

std::string seconds_text(Micros time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    return seconds < 120 ? std::to_string(seconds) + " s" : std::to_string(seconds / 60) + " min";
}

/// One command under way.
class Attempt {
public:
    Attempt(Child child, const CommandLimits& limits, const CommandRunner::OnOutput& on_output,
            std::string_view input)
        : child_(std::move(child)), limits_(limits), on_output_(on_output), input_(input) {
        write_input();
    }

    CommandEnd run() {
        while (!has_ended(child_.pidfd.get(), status_)) {
            if (must_end()) break;
            wait();
            write_input();
            read_all();
        }
        // What it has left running in its group would hold the pipes open, and the folder.
        kill_program(child_.pid, child_.pidfd.get());
        read_all();
        const bool is_reaped = reap_killed(child_.pidfd.get());
        end_.used = elapsed();
        if (!is_reaped) {
            end_.reason +=
                "; process " + std::to_string(child_.pid) + " cannot be killed and is left running";
        }
        if (is_cut_) return end_;
        end_.exit_code = status_.exit_code;
        end_.signal = status_.signal;
        end_.how = status_.signal != 0 ? CommandEnd::How::Killed : CommandEnd::How::Exited;
        end_.reason = text_of(status_);
        return end_;
    }

    [[nodiscard]] int pid() const { return child_.pid; }

private:
    [[nodiscard]] Micros elapsed() const {
        return std::chrono::duration_cast<Micros>(clock_.now() - start_);
    }

    bool must_end() {
        if (limits_.time.count() > 0 && elapsed() > limits_.time) {
            cut(CommandEnd::How::OutOfTime, "took longer than " + seconds_text(limits_.time));
        } else if (limits_.output_bytes > 0 && bytes_ > limits_.output_bytes) {
            cut(CommandEnd::How::TooMuchOutput,
                "wrote more than " + std::to_string(limits_.output_bytes >> 20U) + " MB");
        } else if (is_stop_pending()) {
            cut(CommandEnd::How::Interrupted, "stopped by a signal");
        }
        return is_cut_;
    }

    void cut(CommandEnd::How how, std::string reason) {
        is_cut_ = true;
        end_.how = how;
        end_.reason = std::move(reason);
    }

    void wait() const {
        std::array<pollfd, 4> fds{{{child_.out.get(), POLLIN, 0},
                                   {child_.err.get(), POLLIN, 0},
                                   {child_.pidfd.get(), POLLIN, 0},
                                   {child_.in.get(), POLLOUT, 0}}};
        (void)::poll(fds.data(), fds.size(), kPollMs);
    }

    /// What the pipe takes. The end of the input, or of the command's reading, closes it.
    void write_input() {
        while (child_.in.is_open() && !input_.empty()) {
            const ssize_t count = ::write(child_.in.get(), input_.data(), input_.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0 && errno == EAGAIN) return;
            input_.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : input_.size());
        }
        child_.in = UniqueFd();
    }

    void read_all() {
        read_from(child_.out, false);
        read_from(child_.err, true);
    }

    /// Some chunks a round, so that a flood cannot hold up the looks at time and size.
    void read_from(UniqueFd& fd, bool is_error) {
        std::array<char, kChunk> bytes{};
        for (int chunk = 0; chunk < kChunksARound && fd.is_open(); ++chunk) {
            const ssize_t count = ::read(fd.get(), bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0 && errno == EAGAIN) return;
            if (count <= 0) {
                fd = UniqueFd();
                return;
            }
            bytes_ += static_cast<std::uint64_t>(count);
            if (on_output_) {
                on_output_({bytes.data(), static_cast<std::size_t>(count)}, is_error);
            }
            if (limits_.output_bytes > 0 && bytes_ > limits_.output_bytes) return;
        }
    }

    Child child_;
    const CommandLimits& limits_;
    const CommandRunner::OnOutput& on_output_;
    std::string_view input_;  // that is not written yet
    SteadyClock clock_;
    TimePoint start_ = clock_.now();
    ExitStatus status_;
    CommandEnd end_;
    std::uint64_t bytes_ = 0;
    bool is_cut_ = false;
};

}  // namespace

CommandEnd CommandRunner::run(const ProgramSpec& spec, const CommandLimits& limits,
                              const OnOutput& on_output, std::string_view input) {
    auto started = spawner_.spawn(spec);
    if (const auto* const failure = std::get_if<SpawnFailure>(&started)) {
        CommandEnd end;
        end.how = failure->is_machines ? CommandEnd::How::NotLaunched : CommandEnd::How::NotStarted;
        end.reason = failure->reason;
        return end;
    }
    Attempt attempt(std::move(std::get<Child>(started)), limits, on_output, input);
    CommandEnd end = attempt.run();
    spawner_.forget(attempt.pid());
    return end;
}

}  // namespace assay::adapters
