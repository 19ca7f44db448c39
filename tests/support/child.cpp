#include "tests/support/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <initializer_list>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "base/unique_fd.h"

namespace assay::test {

namespace {

using SteadyTime = std::chrono::steady_clock;

/// What can be read of it: a process may end while its files in /proc are read.
std::string content_of(const std::string& path) {
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content;
    std::array<char, 16384> buffer{};
    ssize_t got = 0;
    while ((got = ::read(file.get(), buffer.data(), buffer.size())) > 0)
        content.append(buffer.data(), static_cast<std::size_t>(got));
    return content;
}

std::string temporary_file(const std::string& dir) {
    std::string name = dir + "/.child-XXXXXX";
    const int fd = ::mkstemp(name.data());
    if (fd >= 0) ::close(fd);
    return name;
}

double seconds_since(SteadyTime::time_point start) {
    return std::chrono::duration<double>(SteadyTime::now() - start).count();
}

/// Readable once the process has ended; -1: there is none.
UniqueFd end_of(pid_t pid) {
    return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

/// Waits until one of the descriptors is readable; false: `seconds` are over.
bool wait_for(std::initializer_list<int> descriptors, double seconds) {
    std::vector<pollfd> waits;
    for (const int one : descriptors) waits.push_back({one, POLLIN, 0});
    const int limit = static_cast<int>(1000 * std::max(0.0, seconds));
    int ready = 0;
    do {
        ready = ::poll(waits.data(), waits.size(), limit);
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

}  // namespace

Child::Child(const std::vector<std::string>& argv, const std::string& dir)
    : dir_(dir), out_(temporary_file(dir)), err_(temporary_file(dir)) {
    std::vector<char*> arguments;
    std::vector<std::string> copies = argv;
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    const int in = ::open("/dev/null", O_RDONLY);
    const int out = ::open(out_.c_str(), O_WRONLY | O_TRUNC);
    const int err = ::open(err_.c_str(), O_WRONLY | O_TRUNC);
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    if (::chdir(dir.c_str()) != 0) ::_exit(126);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
}

Child::~Child() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    ::unlink(out_.c_str());
    ::unlink(err_.c_str());
}

void Child::signal(int number) const {
    if (pid_ > 0) ::kill(pid_, number);
}

bool Child::is_running() const {
    siginfo_t end{};
    return pid_ > 0 &&
           ::waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           end.si_pid == 0;
}

std::string Child::out_so_far() const {
    return content_of(out_);
}

Finished Child::wait(double limit) {
    const auto start = SteadyTime::now();
    if (!wait_for({end_of(pid_).get()}, limit)) ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    Finished finished;
    finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    finished.seconds = seconds_since(start);
    finished.out = content_of(out_);
    finished.err = content_of(err_);
    return finished;
}

/// Seconds between two looks of until() at most.
constexpr double kStep = 0.05;

bool Child::until(const std::function<bool()>& is_so) const {
    const auto start = SteadyTime::now();
    const UniqueFd end = end_of(pid_);
    const UniqueFd changes(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    ::inotify_add_watch(changes.get(), dir_.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO);
    std::array<char, 4096> ignored{};
    while (!is_so()) {
        const double left = kPatience - seconds_since(start);
        if (!is_running() || left <= 0) return is_so();
        // What is looked for may change where no event tells of it: in other folders, in /proc.
        (void)wait_for({end.get(), changes.get()}, std::min(left, kStep));
        while (::read(changes.get(), ignored.data(), ignored.size()) > 0) {}
    }
    return true;
}

bool Child::has_output(int descriptor) const {
    const UniqueFd end = end_of(pid_);
    return wait_for({descriptor, end.get()}, kPatience) && wait_for({descriptor}, 0);
}

bool Child::says(const std::string& text) const {
    return until([&] { return out_so_far().find(text) != std::string::npos; });
}

Finished run(const std::vector<std::string>& argv, const std::string& dir, double limit) {
    Child child(argv, dir);
    return child.wait(limit);
}

std::vector<pid_t> processes_with(const std::string& text) {
    std::vector<pid_t> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const auto pid = to_number<pid_t>(entry.path().filename().string());
        if (!pid || *pid == ::getpid()) continue;
        const std::string command = content_of(entry.path().string() + "/cmdline");
        const std::string status = content_of(entry.path().string() + "/stat");
        const bool is_zombie = status.find(") Z ") != std::string::npos;
        if (!is_zombie && command.find(text) != std::string::npos) found.push_back(*pid);
    }
    return found;
}

bool has_ended(pid_t pid) {
    const UniqueFd end = end_of(pid);
    return !end.is_open() || wait_for({end.get()}, kPatience);
}

bool all_gone(const std::string& text) {
    const auto start = SteadyTime::now();
    for (auto left = processes_with(text); !left.empty(); left = processes_with(text)) {
        const UniqueFd end = end_of(left.front());
        if (end.is_open() && !wait_for({end.get()}, kPatience - seconds_since(start))) return false;
    }
    return true;
}

}  // namespace assay::test
