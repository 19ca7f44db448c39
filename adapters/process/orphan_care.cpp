// A program can leave its process group (setsid), its parents (two forks) and its environment (an
// empty one), and then neither a group nor a mark finds it. What it cannot leave is the tree of
// processes: a process whose parent ends becomes the child of the nearest ancestor that has asked
// for that, and a process that has not asked cannot be skipped. So this process asks, and whatever
// has become its child since, and was not started by it, has been left behind by a program.
//
// Adopted children are known by exception: every start is announced, from before the fork, when
// there is no pid yet, until the pid is known. While a start is under way, a child in this
// process' session that leads its own group may be the one that is being started; it is not
// touched. Programs that empty session and group meanwhile are still found, because a program
// leads its group from the start and cannot make a session of its own.
//
// The state is that of the process, not of an object: the system's flag and the list of children
// are the process' as well.
#include "adapters/process/orphan_care.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <dirent.h>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <poll.h>
#include <set>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "base/unique_fd.h"

namespace assay::adapters {

namespace {

struct Family {
    std::mutex mutex;       // of all below
    std::set<int> started;  // and children from before; also those reaped since the last look
    int starts_under_way = 0;
    int users = 0;
    int was_subreaper = 0;
    std::optional<std::chrono::steady_clock::time_point> looked;  // at all processes, by reap()
};

Family& family() {
    static Family one;
    return one;
}

/// What /proc/PID/stat says.
struct Process {
    int pid = 0;
    int parent = 0;
    int group = 0;
    int session = 0;
    char state = 0;
};

std::optional<Process> process_of(std::string_view name) {
    const auto pid = to_number<int>(name);
    if (!pid) return std::nullopt;
    const auto text = read_start("/proc/" + std::string(name) + "/stat", 4096);
    if (!text) return std::nullopt;
    // "PID (NAME) STATE PARENT GROUP SESSION …"; the name may hold anything.
    const std::size_t end = text->rfind(')');
    if (end == std::string::npos) return std::nullopt;
    const auto words = split_words(std::string_view(*text).substr(end + 1));
    if (words.size() < 4) return std::nullopt;
    Process process{*pid, 0, 0, 0, words[0].front()};
    process.parent = to_number<int>(words[1]).value_or(0);
    process.group = to_number<int>(words[2]).value_or(0);
    process.session = to_number<int>(words[3]).value_or(0);
    return process;
}

/// All that the system lists. Without /proc there are none.
std::vector<Process> all_processes() {
    std::vector<Process> all;
    DIR* const folder = ::opendir("/proc");
    if (folder == nullptr) return all;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is this call's own
    while (const dirent* const entry = ::readdir(folder)) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        if (const auto process = process_of(static_cast<const char*>(entry->d_name)))
            all.push_back(*process);
    }
    ::closedir(folder);
    return all;
}

/// False for sure; looking at all processes takes milliseconds (150 processes on a loaded machine:
/// 5).
bool has_children() {
    siginfo_t info{};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/// The children of this process as the system keeps them by thread; empty where it does not. One
/// may be missing where another one ends meanwhile.
std::vector<int> listed_children() {
    std::vector<int> children;
    std::error_code error;
    std::filesystem::directory_iterator thread("/proc/self/task", error);
    for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
        const auto text = read_start(thread->path().string() + "/children", std::size_t{1} << 20U);
        if (!text) return {};
        for (const std::string_view word : split_words(*text)) {
            if (const auto pid = to_number<int>(word)) children.push_back(*pid);
        }
    }
    if (error) return {};
    return children;
}

/// REQUIRES: the family's mutex is held.
bool is_adopted(const Family& ours, const Process& process) {
    if (process.parent != ::getpid() || ours.started.contains(process.pid)) return false;
    const bool may_be_a_start = process.session == ::getsid(0) &&
                                (process.group == process.pid || process.group == ::getpgrp());
    return ours.starts_under_way == 0 || !may_be_a_start;
}

std::set<int> started_now() {
    Family& ours = family();
    const std::lock_guard lock(ours.mutex);
    return ours.started;
}

/// `before`: what had been started when `all` was read. Of these, who is no child now was reaped.
std::vector<Process> adopted_among(const std::vector<Process>& all, const std::set<int>& before) {
    std::set<int> children;
    for (const Process& one : all)
        if (one.parent == ::getpid()) children.insert(one.pid);
    Family& ours = family();
    const std::lock_guard lock(ours.mutex);
    std::erase_if(ours.started,
                  [&](int pid) { return before.contains(pid) && !children.contains(pid); });
    std::vector<Process> adopted;
    std::ranges::copy_if(all, std::back_inserter(adopted),
                         [&](const Process& one) { return is_adopted(ours, one); });
    return adopted;
}

/// `roots` and what descends from them.
std::vector<int> tree_of(const std::vector<Process>& roots, const std::vector<Process>& all) {
    std::vector<int> tree;
    tree.reserve(roots.size());
    for (const Process& root : roots) tree.push_back(root.pid);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        for (const Process& one : all)
            if (one.parent == tree[i]) tree.push_back(one.pid);
    }
    return tree;
}

/// Waits a moment for a killed child to end, and reaps it.
void reap_soon(int pid) {
    constexpr int kPatienceMs = 50;
    const UniqueFd descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (descriptor.is_open()) {
        pollfd end{descriptor.get(), POLLIN, 0};
        (void)::poll(&end, 1, kPatienceMs);
    }
    (void)::waitpid(pid, nullptr, WNOHANG);
}

void kill_adopted() {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(1);
    std::set<int> refused;  // another user's
    while (has_children()) {
        const std::set<int> before = started_now();
        const std::vector<Process> all = all_processes();
        std::vector<Process> adopted = adopted_among(all, before);
        std::erase_if(adopted, [&](const Process& one) { return refused.contains(one.pid); });
        if (adopted.empty()) return;
        for (const int pid : tree_of(adopted, all)) {
            if (::kill(pid, SIGKILL) != 0 && errno == EPERM) refused.insert(pid);
        }
        for (const Process& one : adopted) reap_soon(one.pid);
        if (Clock::now() >= end) return;
    }
}

}  // namespace

OrphanCare::OrphanCare() {
    Family& ours = family();
    const std::lock_guard lock(ours.mutex);
    if (ours.users++ > 0) return;
    // Children from before are not ours to end: a shell that has become this process may have had
    // some (`assay run > >(tee log)`).
    if (has_children()) {
        for (const Process& one : all_processes())
            if (one.parent == ::getpid()) ours.started.insert(one.pid);
    }
    if (::prctl(PR_GET_CHILD_SUBREAPER, &ours.was_subreaper) != 0) ours.was_subreaper = 0;
    (void)::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

OrphanCare::~OrphanCare() {
    kill_adopted();
    Family& ours = family();
    const std::lock_guard lock(ours.mutex);
    if (--ours.users == 0) (void)::prctl(PR_SET_CHILD_SUBREAPER, ours.was_subreaper);
}

void OrphanCare::begin_start() {
    Family& ours = family();
    const std::lock_guard lock(ours.mutex);
    ++ours.starts_under_way;
}

void OrphanCare::end_start(int pid) {
    Family& ours = family();
    const std::lock_guard lock(ours.mutex);
    if (pid > 0) ours.started.insert(pid);
    --ours.starts_under_way;
}

int OrphanCare::fork_helper() {
    Family& ours = family();
    const std::lock_guard lock(ours.mutex);
    const int pid = ::fork();
    if (pid > 0) ours.started.insert(pid);
    return pid;
}

void OrphanCare::reap() {
    constexpr int kMostAtOnce = 64;
    constexpr std::chrono::seconds kBetweenLooks(1);
    Family& ours = family();
    for (int i = 0; i < kMostAtOnce; ++i) {
        siginfo_t info{};
        // Most often nothing has ended, which one call tells.
        if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
        const std::lock_guard lock(ours.mutex);
        const bool is_left = ours.starts_under_way == 0 && !ours.started.contains(info.si_pid);
        if (!is_left) break;
        (void)::waitpid(info.si_pid, nullptr, WNOHANG);
    }
    // The one that the system names is another's to reap, and hides those behind it. All processes
    // are looked at once a second at most: this is the thread that games are played on. And not
    // where no child is left behind; one that the list misses is met at a later look. A child that
    // is not known may be one that is being started, as many as there are starts under way.
    {
        const std::lock_guard lock(ours.mutex);
        const auto now = std::chrono::steady_clock::now();
        if (ours.looked && now - *ours.looked < kBetweenLooks) return;
        ours.looked = now;
    }
    const std::vector<int> children = listed_children();
    std::set<int> before;
    std::ptrdiff_t starts = 0;
    {
        const std::lock_guard lock(ours.mutex);
        before = ours.started;
        starts = ours.starts_under_way;
    }
    const auto unknown =
        std::ranges::count_if(children, [&before](int pid) { return !before.contains(pid); });
    if (!children.empty() && unknown <= starts) return;
    for (const Process& one : adopted_among(all_processes(), before))
        if (one.state == 'Z') (void)::waitpid(one.pid, nullptr, WNOHANG);
}

}  // namespace assay::adapters
