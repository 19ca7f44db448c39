#include "harness/store/store_lock.h"

#include <algorithm>
#include <array>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/replaced_file.h"
#include "base/text.h"

// Locks are flock's: a read lock that is granted tells that no live process holds the file.

namespace assay::harness {

namespace {

constexpr mode_t kReadableByAll = 0644;
constexpr std::size_t kLongestAnnouncement = 4096;
constexpr mode_t kSharedFolder = 01777;

std::string lock_path(const std::string& store) {
    if (store.empty()) throw Error("the store has no name: --db FILE names it");
    // A store that has two names must have one lock.
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(store, error);
    return (error ? store : whole.string()) + ".lock";
}

/// "pid\nconcurrency\nstore\n"
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
    return OtherRun{*pid, *concurrency, printable_utf8(lines[2])};
}

std::optional<OtherRun> look_at(const std::string& path) {
    const UniqueFd file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (!file.is_open()) return std::nullopt;
    if (::flock(file.get(), LOCK_SH | LOCK_NB) == 0) {
        ::unlink(path.c_str());  // its run is dead; another user's file stays, harmlessly
        return std::nullopt;
    }
    const auto text = read_start(path, kLongestAnnouncement);
    return text ? read_announcement(*text) : std::nullopt;
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

std::vector<OtherRun> runs_in(const std::string& folder) {
    std::vector<OtherRun> runs;
    const std::unique_ptr<DIR, CloseFolder> entries(::opendir(folder.c_str()));
    if (!entries) return runs;
    // readdir is safe on a stream that one thread uses.
    while (const dirent* const entry = ::readdir(entries.get())) {  // NOLINT(concurrency-mt-unsafe)
        const std::string name = static_cast<const char*>(entry->d_name);
        if (name.front() < '0' || name.front() > '9') continue;  // none of ours: "PID-NUMBER"
        if (const auto run = look_at(fmt::format("{}/{}", folder, name))) runs.push_back(*run);
    }
    std::ranges::sort(runs, {}, &OtherRun::pid);
    return runs;
}

bool is_locked(const std::string& store) {
    const UniqueFd file(::open(lock_path(store).c_str(), O_RDONLY | O_CLOEXEC));
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

RunLock::RunLock(const std::string& store, int concurrency, const std::string& folder)
    : store_lock_(store) {
    for (const OtherRun& run : runs_in(folder)) {
        warnings_.push_back(fmt::format(
            "another run (process {}, {} {} at once, {}) is on this machine; both runs' clocks "
            "suffer where they share cores",
            run.pid, run.concurrency, run.concurrency == 1 ? "game" : "games", run.store));
    }
    announce(store, concurrency, folder);
}

void RunLock::announce(const std::string& store, int concurrency, const std::string& folder) {
    if (::mkdir(folder.c_str(), kSharedFolder) == 0) ::chmod(folder.c_str(), kSharedFolder);
    try {
        // Locked under a hidden name before it is shown, or a reader might take it for a dead
        // run's.
        TemporaryFile hidden(folder + "/.run");
        const int descriptor = hidden.file().descriptor();
        if (::fchmod(descriptor, kReadableByAll) != 0 ||
            ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            return;
        }
        hidden.file().write(fmt::format("{}\n{}\n{}\n", ::getpid(), concurrency,
                                        std::filesystem::absolute(store).string()));
        const std::string shown = fmt::format(
            "{}/{}-{}", folder, ::getpid(), hidden.name().substr(hidden.name().rfind(".tmp") + 4));
        file_ = hidden.replace(shown);
        announcement_ = shown;
    } catch (const Error&) {
        return;  // it plays unannounced
    }
}

RunLock::~RunLock() {
    if (file_) ::unlink(announcement_.c_str());
}

}  // namespace assay::harness
