#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/unique_fd.h"

namespace assay::harness {

/// Where all users' runs on this machine announce themselves.
inline constexpr const char* kRunsFolder = "/tmp/assay-runs";

/// Another run on this machine, as it announced itself.
struct OtherRun {
    long pid = 0;
    int concurrency = 0;
    std::string store;
    std::vector<int> cpus{};  // that its programs may run on; empty: any, or it does not say
};

/// A file of ours beside the store: its path without links, and `ending`. A store that is reached
/// by two names has one such file. Throws Error where the store has no name.
[[nodiscard]] std::string path_beside(const std::string& store, std::string_view ending);

/// The runs that have announced themselves in `folder` and are alive, by pid. What dead ones left
/// is removed. Never throws: an unreadable folder holds no runs, nor does a symbolic link, nor one
/// in which others could move what is not theirs.
[[nodiscard]] std::vector<OtherRun> runs_in(const std::string& folder = kRunsFolder);

/// Whether a process holds the store's lock, and so may be playing into it.
[[nodiscard]] bool is_locked(const std::string& store);

/// Keeps a second writer off a store: an exclusive lock on FILE.lock beside it. The kernel drops
/// the lock with the process, however it ends; the file goes with the object.
class StoreLock {
public:
    /// Throws Error (exit code 2) naming the pid of the one that has the store, or the reason why
    /// the lock file cannot be made. So too where the store has several names (hard links): each
    /// would have a lock and a journal of its own.
    explicit StoreLock(const std::string& store);
    StoreLock(const StoreLock&) = delete;
    StoreLock& operator=(const StoreLock&) = delete;
    ~StoreLock();

private:
    std::string path_;
    std::optional<File> file_;
};

/// What a run holds while it plays: its store's lock, and a place in the list of this machine's
/// runs, because two runs that share cores spoil each other's clocks. Where the list cannot be
/// written, the run plays unannounced.
class RunLock {
public:
    /// Throws as StoreLock does, also where an announced run writes to the same file under another
    /// name. `concurrency` is games at once, `cpus` as in OtherRun, for others to read.
    RunLock(const std::string& store, int concurrency, const std::vector<int>& cpus = {},
            const std::string& folder = kRunsFolder);
    RunLock(const RunLock&) = delete;
    RunLock& operator=(const RunLock&) = delete;
    ~RunLock();

    /// A sentence for each other run that was there when this one began, and that may run on a core
    /// of this one's.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

private:
    void announce(const std::string& store, int concurrency, const std::vector<int>& cpus);
    void withdraw();

    StoreLock store_lock_;
    std::vector<std::string> warnings_;
    UniqueFd folder_;           // of announcements; closed: not announced
    std::string announcement_;  // name of file_ in it
    std::optional<File> file_;  // unset: not announced
};

}  // namespace assay::harness
