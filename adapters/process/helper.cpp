// The helper is a new execution of this program, and no fork that goes on: threads may hold locks
// at the moment of a fork, which nobody releases in the new process.
//
// The two ends of the pair of sockets are closed on exec, so that no program under test inherits
// one. The helper's end therefore sees the end of this process at once, however that came, and the
// helper ends with it. A helper that hangs sees nothing: an alarm ends it. PR_SET_PDEATHSIG would
// do so too, but it is sent when the thread ends that has started the process.
#include "adapters/process/helper.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/process/orphan_care.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/unique_fd.h"

namespace assay::adapters {

namespace {

constexpr std::size_t kMostRecordBytes = 65536;

[[noreturn]] void throw_no_helper(int error_number) {
    throw Error("a helper process of assay cannot be started: " + system_reason(error_number), 4);
}

/// Starts the program with the socket as standard input. Returns its number; throws Error.
int spawn_helper(const std::string& program, const std::vector<std::string>& words, int socket) {
    std::vector<std::string> all{"assay"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    sigset_t none;
    sigset_t all_signals;
    ::sigemptyset(&none);
    ::sigfillset(&all_signals);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all_signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    OrphanCare::begin_start();
    int pid = -1;
    const int error =
        ::posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), ::environ);
    OrphanCare::end_start(error == 0 ? pid : -1);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0) throw_no_helper(error);
    return pid;
}

std::string shown_end(int status) {
    if (WIFSIGNALED(status)) {
        const char* const name = ::sigdescr_np(WTERMSIG(status));
        return fmt::format("ended by signal {} ({})", WTERMSIG(status),
                           name == nullptr ? "unknown" : name);
    }
    return fmt::format("ended with code {}", WEXITSTATUS(status));
}

/// Waits until there is something to read. False: the time is over.
bool wait_readable(int socket, Micros limit) {
    const SteadyClock clock;
    const TimePoint end = clock.now() + limit;
    while (true) {
        const Micros left = std::max(Micros{0}, micros_between(clock.now(), end));
        pollfd one{socket, POLLIN, 0};
        const int ready = ::poll(&one, 1, static_cast<int>((left.count() + 999) / 1000));
        if (ready > 0) return true;
        if (ready == 0 || errno != EINTR) return false;
    }
}

/// One record; empty where the other side is gone.
std::string receive_record(int socket) {
    std::string record(kMostRecordBytes, '\0');
    ssize_t size = -1;
    do size = ::recv(socket, record.data(), record.size(), 0);
    while (size < 0 && errno == EINTR);
    record.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return record;
}

bool send_record(int socket, std::string_view record) {
    ssize_t size = -1;
    do size = ::send(socket, record.data(), record.size(), MSG_NOSIGNAL);
    while (size < 0 && errno == EINTR);
    return size == static_cast<ssize_t>(record.size());
}

/// The record of a question: how many seconds it may take, and its bytes.
std::string with_limit(std::string_view question, Micros limit) {
    const auto seconds = static_cast<std::uint32_t>((limit.count() + 999'999) / 1'000'000);
    std::string record(sizeof seconds, '\0');
    std::memcpy(record.data(), &seconds, sizeof seconds);
    return record.append(question);
}

}  // namespace

class Helper::Pipe {
public:
    Pipe() {
        std::array<int, 2> ends{-1, -1};
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw_no_helper(errno);
        ours = UniqueFd(ends[0]);
        theirs = UniqueFd(ends[1]);
    }

    UniqueFd ours;
    UniqueFd theirs;
};

Helper::Helper(const std::vector<std::string>& words, const std::string& program)
    : pipe_(std::make_unique<Pipe>()), pid_(spawn_helper(program, words, pipe_->theirs.get())) {
    pipe_->theirs.reset();
}

Helper::~Helper() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
}

std::optional<std::string> Helper::ask(std::string_view question, Micros limit) {
    if (pid_ < 0) return std::nullopt;
    if (send_record(pipe_->ours.get(), with_limit(question, limit))) {
        was_late_ = !wait_readable(pipe_->ours.get(), limit);
        std::string answer = was_late_ ? "" : receive_record(pipe_->ours.get());
        if (!answer.empty()) return answer;
    }
    fail(limit);
    return std::nullopt;
}

void Helper::fail(Micros limit) {
    // It may have closed its end and live on.
    ::kill(pid_, SIGKILL);
    pipe_->ours.reset();
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    pid_ = -1;
    failure_ = was_late_ ? fmt::format("no answer within {} s", limit.count() / 1'000'000)
                         : shown_end(status);
}

void serve_helper(const std::function<std::string(std::string_view question)>& answer) {
#ifdef SYS_close_range
    (void)::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
#endif
    const rlimit none{0, 0};
    (void)::setrlimit(RLIMIT_CORE, &none);
    // A stop signal to the whole group lets the games in play come to an end, and these ask.
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP})
        (void)std::signal(signal, SIG_IGN);
    while (true) {
        const std::string record = receive_record(STDIN_FILENO);
        std::uint32_t seconds = 0;
        if (record.size() < sizeof seconds) return;
        std::memcpy(&seconds, record.data(), sizeof seconds);
        ::alarm(seconds + 1);  // the other side has given up before that, if it lives
        const std::string said = answer(std::string_view(record).substr(sizeof seconds));
        ::alarm(0);
        if (!send_record(STDIN_FILENO, said)) return;
    }
}

}  // namespace assay::adapters
