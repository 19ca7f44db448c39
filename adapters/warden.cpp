#include "adapters/warden.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"

// All code in the forked process must be async-signal-safe: the harness may have threads, one of
// which may have held the allocator's lock at the fork.

namespace assay::adapters {

namespace {

constexpr std::size_t kMostGroups = 16384;
constexpr std::size_t kEnvironBytes = 64U << 10U;

struct DirEntry {  // what getdents64 yields
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t length;
    std::uint8_t type;
    char name[1];  // NOLINT(modernize-avoid-c-arrays): the system's layout
};

bool is_mine(int proc, const char* pid, std::string_view mark, char* buffer) {
    std::array<char, 32> path{};
    const std::size_t length = std::strlen(pid);
    if (length > 10) return false;
    std::memcpy(path.data(), pid, length);
    std::memcpy(path.data() + length, "/environ", 9);
    const int file = ::openat(proc, path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    std::size_t size = 0;
    while (size < kEnvironBytes) {
        const ssize_t got = ::read(file, buffer + size, kEnvironBytes - size);
        if (got <= 0) break;
        size += static_cast<std::size_t>(got);
    }
    ::close(file);
    return ::memmem(buffer, size, mark.data(), mark.size()) != nullptr;
}

// Kills what has the mark in its environment; true if there was any.
bool kill_marked(std::string_view mark) {
    static std::array<char, kEnvironBytes> environ_bytes;
    std::array<char, 4096> entries{};
    const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) return false;
    bool found = false;
    while (true) {
        const long size = ::syscall(SYS_getdents64, proc, entries.data(), entries.size());
        if (size <= 0) break;
        for (long at = 0; at < size;) {
            const auto* const entry = reinterpret_cast<const DirEntry*>(entries.data() + at);
            const char* const name = static_cast<const char*>(entry->name);
            at += entry->length;
            if (name[0] < '1' || name[0] > '9') continue;
            if (!is_mine(proc, name, mark, environ_bytes.data())) continue;
            int pid = 0;
            for (const char* digit = name; *digit != '\0'; ++digit) pid = pid * 10 + (*digit - '0');
            if (pid == ::getpid()) continue;
            if (::kill(pid, SIGKILL) == 0) found = true;
        }
    }
    ::close(proc);
    return found;
}

[[noreturn]] void guard(int pipe, std::string_view mark) {
    static std::array<int, kMostGroups> groups;
    std::size_t count = 0;
    std::array<int, 256> messages{};
    while (true) {
        const ssize_t got = ::read(pipe, messages.data(), sizeof messages);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        const std::size_t number = static_cast<std::size_t>(got) / sizeof(int);
        for (std::size_t i = 0; i < number; ++i) {
            const int message = messages[i];
            if (message > 0 && count < kMostGroups) groups[count++] = message;
            if (message >= 0) continue;
            int* const end = groups.data() + count;
            int* const known = std::find(groups.data(), end, -message);
            if (known != end) *known = groups[--count];
        }
    }
    for (std::size_t i = 0; i < count; ++i) ::kill(-groups[i], SIGKILL);
    // A process that forks while we look is found in a later look.
    for (int look = 0; look < 10 && kill_marked(mark); ++look) {}
    ::_exit(0);
}

void leave_the_harness(int pipe) {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    ::setsid();  // a Ctrl-C or a kill of the harness's group must not reach us
    ::prctl(PR_SET_NAME, "assay-warden");
    ::dup2(pipe, STDIN_FILENO);
    // Holding the harness's standard output would keep `assay | less` waiting.
    ::syscall(SYS_close_range, 1U, ~0U, 0U);
}

std::string fresh_mark() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const std::uint64_t word = mix64(static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
                                         static_cast<std::uint64_t>(now.tv_nsec),
                                     static_cast<std::uint64_t>(::getpid()));
    return "ASSAY_MARK=" + std::to_string(::getpid()) + "-" + std::to_string(word);
}

}  // namespace

Warden::Warden() : mark_(fresh_mark()) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    const int pid = ::fork();
    if (pid == 0) {
        leave_the_harness(ends[0]);
        guard(STDIN_FILENO, mark_);
    }
    if (pid < 0) return;
    // A warden that lags must not stop the loop.
    ::fcntl(writing.get(), F_SETFL, O_NONBLOCK);
    pid_ = pid;
    pipe_ = std::move(writing);
}

Warden::~Warden() {
    pipe_.reset();
    if (pid_ < 0) return;
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
}

void Warden::watch(int group) {
    tell(group);
}

void Warden::unwatch(int group) {
    tell(-group);
}

void Warden::tell(int message) const {
    if (!pipe_.is_open()) return;
    while (::write(pipe_.get(), &message, sizeof message) < 0 && errno == EINTR) {}
}

}  // namespace assay::adapters
