#include "tests/support/child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/text.h"

namespace assay::test {

namespace {

using SteadyTime = std::chrono::steady_clock;

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
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
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
        if (seconds_since(start) > limit) ::kill(pid_, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    pid_ = 0;
    Finished finished;
    finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    finished.seconds = seconds_since(start);
    finished.out = content_of(out_);
    finished.err = content_of(err_);
    return finished;
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

bool all_gone(const std::string& text, double limit) {
    const auto start = SteadyTime::now();
    while (!processes_with(text).empty()) {
        if (seconds_since(start) > limit) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}

}  // namespace assay::test
