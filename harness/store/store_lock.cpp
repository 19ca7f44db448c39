// Two files serve two purposes. `STORE.lock` keeps two runs from writing to one store. An
// announcement in a folder that all users of the machine share tells other runs that this one
// measures time on some processors, so that they can warn each other. Either is held by a lock and
// never by a file's existence: a process that was killed leaves its file behind, but no lock, so
// that there is nothing to clean up and no process number that another process may have by now.
//
// The shared folder is writable for everybody, hence hostile: it is opened without following links,
// trusted only where nobody can move another's file, and names in it are taken only in the form in
// which runs announce themselves.
#include "harness/store/store_lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/replaced_file.h"
#include "base/text.h"

// Locks are flock's: a read lock that is granted tells that no live process holds the file.

namespace assay::harness {

namespace {

constexpr mode_t kReadableByAll = 0644;
constexpr std::size_t kLongestAnnouncement = 32'768;
constexpr mode_t kSharedFolder = 01777;

std::string lock_path(const std::string& store) {
    return path_beside(store, ".lock");
}

/// "pid\nconcurrency\nstore\n", and of runs since with the numbers of its processors in a line.
std::optional<OtherRun> read_announcement(std::string_view text) {
    std::array<std::string_view, 3> lines{};
    for (std::string_view& line : lines) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return std::nullopt;
        line = text.substr(0, end);
        text.remove_prefix(end + 1);
    }
    const auto pid = to_number<long>(lines[0]);
    const auto concurrency = to_number<int>(lines[1]);
    if (!pid || !concurrency) return std::nullopt;
    OtherRun run{*pid, *concurrency, printable_utf8(lines[2]), {}};
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return run;
    for (const std::string_view word : split_words(text.substr(0, end))) {
        const auto cpu = to_number<int>(word);
        if (!cpu) {
            run.cpus.clear();
            break;
        }
        run.cpus.push_back(*cpu);
    }
    return run;
}

bool may_share(const std::vector<int>& ours, const std::vector<int>& theirs) {
    if (ours.empty() || theirs.empty()) return true;
    return std::ranges::any_of(
        ours, [&](int cpu) { return std::ranges::find(theirs, cpu) != theirs.end(); });
}

/// "PID-NUMBER", as a run announces itself.
bool is_announcement(std::string_view name) {
    const std::size_t dash = name.find('-');
    return dash != std::string_view::npos && to_number<std::uint32_t>(name.substr(0, dash)) &&
           to_number<std::uint32_t>(name.substr(dash + 1));
}

/// The folder of announcements, where names in it may be trusted to stay what they are: it is no
/// link, and only the owner of a file can move it (the sticky bit), or nobody but us writes there.
UniqueFd open_folder(const std::string& folder) {
    UniqueFd open(
        ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY));

    struct stat status {};

    if (!open.is_open() || ::fstat(open.get(), &status) != 0) return {};
    const bool is_sticky = (status.st_mode & S_ISVTX) != 0;
    const bool is_private =
        status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    return is_sticky || is_private ? std::move(open) : UniqueFd();
}

std::optional<OtherRun> look_at(int folder, const char* name) {
    constexpr int kLook = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const UniqueFd descriptor(::openat(folder, name, kLook));

    struct stat status {};

    if (!descriptor.is_open() || ::fstat(descriptor.get(), &status) != 0) return std::nullopt;
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    if (::flock(descriptor.get(), LOCK_SH | LOCK_NB) == 0) {
        ::unlinkat(folder, name, 0);  // its run is dead; another user's file stays, harmlessly
        return std::nullopt;
    }
    std::string text(kLongestAnnouncement, '\0');
    const ssize_t got = ::pread(descriptor.get(), text.data(), text.size(), 0);
    if (got < 0) return std::nullopt;
    return read_announcement(std::string_view(text).substr(0, static_cast<std::size_t>(got)));
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

std::vector<OtherRun> runs_in_open(int folder) {
    std::vector<OtherRun> runs;
    const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (again < 0) return runs;
    const std::unique_ptr<DIR, CloseFolder> entries(::fdopendir(again));
    if (!entries) {
        ::close(again);
        return runs;
    }
    // readdir is safe on a stream that one thread uses.
    while (const dirent* const entry = ::readdir(entries.get())) {  // NOLINT(concurrency-mt-unsafe)
        const char* const name = static_cast<const char*>(entry->d_name);
        if (!is_announcement(name)) continue;
        if (const auto run = look_at(folder, name)) runs.push_back(*run);
    }
    std::ranges::sort(runs, {}, &OtherRun::pid);
    return runs;
}

/// Throws Error where the file has names that would have locks of their own.
void check_names(const std::string& store) {
    struct stat status {};

    if (::stat(store.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink == 1)
        return;
    throw Error(fmt::format(
        "{}: the store has {} names (hard links); two runs, each by another name, would destroy "
        "it. Keep one of them; symbolic links do no harm",
        store, status.st_nlink));
}

/// Throws Error where a run writes to the file by another path, as through a bind mount.
void check_not_played(const std::string& store, const std::vector<OtherRun>& runs) {
    struct stat ours {};

    if (::stat(store.c_str(), &ours) != 0) return;
    for (const OtherRun& run : runs) {
        struct stat theirs {};

        if (run.pid == ::getpid() || ::stat(run.store.c_str(), &theirs) != 0) continue;
        if (ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino) continue;
        throw Error(fmt::format(
            "{}: process {} is already writing to this store, by the name {}; wait until it ends, "
            "or name another store with --db",
            store, run.pid, run.store));
    }
}

}  // namespace

std::string path_beside(const std::string& store, std::string_view ending) {
    if (store.empty()) throw Error("the store has no name: --db FILE names it");
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(store, error);
    return (error ? store : whole.string()) + std::string(ending);
}

std::vector<OtherRun> runs_in(const std::string& folder) {
    const UniqueFd open = open_folder(folder);
    return open.is_open() ? runs_in_open(open.get()) : std::vector<OtherRun>();
}

bool is_locked(const std::string& store) {
    const UniqueFd file(
        ::open(lock_path(store).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    return file.is_open() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}

StoreLock::StoreLock(const std::string& store)
    : path_(lock_path(store)), file_(File::open_locked(path_, File::Lock::Try)) {
    if (!file_) {
        const std::string text = read_start(path_, kLongestAnnouncement).value_or("");
        const std::string pid = printable_utf8(trim(text));
        throw Error(
            fmt::format("{}: process {} is already writing to this store; wait until it ends, or "
                        "name another store with --db",
                        store, pid.empty() ? "of unknown number" : pid));
    }
    try {
        check_names(store);
        file_->truncate(0);
        file_->write(fmt::format("{}\n", ::getpid()));
    } catch (const Error&) {
        ::unlink(path_.c_str());
        throw;
    }
}

StoreLock::~StoreLock() {
    ::unlink(path_.c_str());
}

RunLock::RunLock(const std::string& store, int concurrency, const std::vector<int>& cpus,
                 const std::string& folder)
    : store_lock_(store) {
    if (::mkdir(folder.c_str(), kSharedFolder) == 0) ::chmod(folder.c_str(), kSharedFolder);
    folder_ = open_folder(folder);
    if (!folder_.is_open()) return;  // it plays unannounced
    // Announced first: of two runs that begin at once, one at least sees the other.
    announce(store, concurrency, cpus);
    try {
        const std::vector<OtherRun> runs = runs_in_open(folder_.get());
        check_not_played(store, runs);
        constexpr std::size_t kMostNamed = 3;
        std::int64_t unnamed = 0;
        for (const OtherRun& run : runs) {
            if (run.pid == ::getpid() || !may_share(cpus, run.cpus)) continue;
            if (warnings_.size() == kMostNamed) {
                ++unnamed;
                continue;
            }
            warnings_.push_back(fmt::format(
                "another run (process {}, {} at once, {}) is on this machine; both runs' clocks "
                "suffer where they share cores",
                run.pid, counted(run.concurrency, "game"), run.store));
        }
        if (unnamed > 0)
            warnings_.push_back(counted(unnamed, "more run") + " may share cores with this one");
    } catch (const Error&) {
        withdraw();
        throw;
    }
}

void RunLock::announce(const std::string& store, int concurrency, const std::vector<int>& cpus) {
    // By the open folder: its path may lead elsewhere by now.
    const std::string folder = fmt::format("/proc/self/fd/{}", folder_.get());
    try {
        // Locked under a hidden name before it is shown, or a reader might take it for a dead
        // run's.
        TemporaryFile hidden(folder + "/.run");
        const int descriptor = hidden.file().descriptor();
        if (::fchmod(descriptor, kReadableByAll) != 0 ||
            ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            return;
        }
        hidden.file().write(fmt::format("{}\n{}\n{}\n{}\n", ::getpid(), concurrency,
                                        std::filesystem::absolute(store).string(),
                                        fmt::join(cpus, " ")));
        const std::string shown =
            fmt::format("{}-{}", ::getpid(), hidden.name().substr(hidden.name().rfind(".tmp") + 4));
        file_ = hidden.replace(folder + "/" + shown);
        announcement_ = shown;
    } catch (const Error&) {
        return;  // it plays unannounced
    }
}

void RunLock::withdraw() {
    if (file_) ::unlinkat(folder_.get(), announcement_.c_str(), 0);
    file_.reset();
}

RunLock::~RunLock() {
    withdraw();
}

}  // namespace assay::harness
