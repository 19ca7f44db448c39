#include "adapters/process/group_killer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/process/orphan_care.h"
#include "base/random.h"

// All code in the forked process must be async-signal-safe: the harness may have threads, and one
// of them may have held the allocator's lock at the fork.

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

[[noreturn]] void guard(int pipe, std::string_view mark, std::span<const int> groups) {
    char ignored = 0;
    ssize_t got = 0;
    do {
        got = ::read(pipe, &ignored, 1);
    } while (got > 0 || (got < 0 && errno == EINTR));
    for (const int group : groups) {
        if (group == 0) break;
        ::kill(-group, SIGKILL);
    }
    // A process that forks while we look is found in a later look.
    for (int look = 0; look < 10 && kill_marked(mark); ++look) {}
    ::_exit(0);
}

// Who stops the harness by its command line (pkill -f) must not find us by the same words: then it
// is for us to end the programs. The words of the command line stand in one piece, from the name
// on.
void drop_command_line() {
    const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    std::array<char, 4096> bytes{};
    std::size_t size = 0;
    for (ssize_t got = 0; (got = ::read(file, bytes.data(), bytes.size())) > 0;)
        size += static_cast<std::size_t>(got);
    ::close(file);
    constexpr std::string_view kName = "assay-killer";
    for (std::size_t i = 0; i < size; ++i)
        program_invocation_name[i] = i < kName.size() && i + 1 < size ? kName[i] : '\0';
}

void leave_the_harness(int pipe) {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    ::setsid();  // a Ctrl-C or a kill of the harness's group must not reach us
    // Not by prctl(): a sanitizer's version of it takes the lock of its table of threads, which a
    // thread of the harness may have held at the fork.
    ::syscall(SYS_prctl, PR_SET_NAME, "assay-killer", 0, 0, 0);
    drop_command_line();
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
    return std::string(kMarkVariable) + "=" + std::to_string(::getpid()) + "-" +
           std::to_string(word);
}

}  // namespace

GroupKiller::GroupKiller() : mark_(fresh_mark()) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    constexpr int kShared = MAP_SHARED | MAP_ANONYMOUS;
    constexpr std::size_t kBytes = kMostGroups * sizeof(int);
    void* const table = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, kShared, -1, 0);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-cstyle-cast): the system's
    if (table == MAP_FAILED) return;
    groups_ = {static_cast<int*>(table), kMostGroups};
    const int pid = OrphanCare::fork_helper();
    if (pid == 0) {
        leave_the_harness(ends[0]);
        guard(STDIN_FILENO, mark_, groups_);
    }
    if (pid < 0) return;
    pid_ = pid;
    pipe_ = std::move(writing);
}

GroupKiller::~GroupKiller() {
    pipe_.reset();
    while (pid_ >= 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
    if (!groups_.empty()) ::munmap(groups_.data(), groups_.size_bytes());
}

// The helper may read the table after any of these writes. The table ends at the first 0, so no
// write may leave a 0 before a group that is still watched; a group that stands there twice does no
// harm.

void GroupKiller::watch(int group) {
    if (watched_ < groups_.size()) put(watched_++, group);
}

void GroupKiller::unwatch(int group) {
    const std::span<int> watched = groups_.first(watched_);
    const auto known = std::find(watched.begin(), watched.end(), group);
    if (known == watched.end()) return;
    put(static_cast<std::size_t>(known - watched.begin()), watched.back());
    put(--watched_, 0);
}

void GroupKiller::put(std::size_t place, int group) {
    std::atomic_ref(groups_[place]).store(group, std::memory_order_release);
}

}  // namespace assay::adapters
