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

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/machine_fault.h"
#include "base/text.h"

// Locks are flock's, not fcntl's: they belong to the open file, so that closing some other
// descriptor of the same file does not drop them, and a read lock tells a live holder from none.

namespace assay::harness {

namespace {

constexpr mode_t kReadableByAll = 0644;
constexpr mode_t kSharedFolder = 01777;

class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }

    [[nodiscard]] int value() const { return value_; }

    [[nodiscard]] int release() { return std::exchange(value_, -1); }

private:
    int value_;
};

/// Whether the open file is still the one under that name.
bool is_same_file(int descriptor, const std::string& path) {
    struct stat ours {};

    struct stat theirs {};

    return ::fstat(descriptor, &ours) == 0 && ::stat(path.c_str(), &theirs) == 0 &&
           ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

/// At most one piece: what we write is short, and others may have put anything there.
std::string first_bytes(int descriptor) {
    std::array<char, 4096> buffer{};
    const ssize_t got = ::pread(descriptor, buffer.data(), buffer.size(), 0);
    return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

bool write_all(int descriptor, const std::string& text) {
    return ::ftruncate(descriptor, 0) == 0 &&
           ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

std::string lock_path(const std::string& store) {
    if (store.empty()) throw Error("the store has no name: --db FILE names it");
    // One store under two names is one store.
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(store, error);
    return (error ? store : whole.string()) + ".lock";
}

[[noreturn]] void fail(const std::string& lock, int reason) {
    throw Error(lock + ": cannot write: " + system_reason(reason),
                is_machine_fault(reason) ? 4 : 2);
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
    const Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (file.value() < 0) return std::nullopt;
    if (::flock(file.value(), LOCK_SH | LOCK_NB) == 0) {
        ::unlink(path.c_str());  // its run is dead; another user's file stays, harmlessly
        return std::nullopt;
    }
    return read_announcement(first_bytes(file.value()));
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
        if (name.front() < '0' || name.front() > '9') continue;  // none of ours: "PID-XXXXXX"
        if (const auto run = look_at(fmt::format("{}/{}", folder, name))) runs.push_back(*run);
    }
    std::ranges::sort(runs, {}, &OtherRun::pid);
    return runs;
}

bool is_locked(const std::string& store) {
    const Descriptor file(::open(lock_path(store).c_str(), O_RDONLY | O_CLOEXEC));
    return file.value() >= 0 && ::flock(file.value(), LOCK_SH | LOCK_NB) != 0;
}

StoreLock::StoreLock(const std::string& store) : path_(lock_path(store)) {
    while (true) {
        Descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kReadableByAll));
        if (file.value() < 0) fail(path_, errno);
        if (::flock(file.value(), LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK) fail(path_, errno);
            const std::string text = first_bytes(file.value());
            const std::string pid = printable_utf8(trim(text));
            throw Error(
                fmt::format("{}: process {} is already writing to this store; wait until "
                            "it ends, or name another store with --db",
                            store, pid.empty() ? "of unknown number" : pid));
        }
        // Its last holder may have removed the file between our open and our lock.
        if (!is_same_file(file.value(), path_)) continue;
        if (!write_all(file.value(), fmt::format("{}\n", ::getpid()))) {
            const int reason = errno;
            ::unlink(path_.c_str());
            fail(path_, reason);
        }
        descriptor_ = file.release();
        return;
    }
}

StoreLock::~StoreLock() {
    ::unlink(path_.c_str());
    ::close(descriptor_);
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
    // Locked under a hidden name before it is shown, or a reader might take it for a dead run's.
    std::string hidden = folder + "/.XXXXXX";
    Descriptor file(::mkostemp(hidden.data(), O_CLOEXEC));
    if (file.value() < 0) return;
    const std::string text = fmt::format("{}\n{}\n{}\n", ::getpid(), concurrency,
                                         std::filesystem::absolute(store).string());
    const std::string shown =
        fmt::format("{}/{}-{}", folder, ::getpid(), hidden.substr(hidden.size() - 6));
    if (::fchmod(file.value(), kReadableByAll) != 0 ||
        ::flock(file.value(), LOCK_EX | LOCK_NB) != 0 || !write_all(file.value(), text) ||
        ::rename(hidden.c_str(), shown.c_str()) != 0) {
        ::unlink(hidden.c_str());
        return;
    }
    announcement_ = shown;
    descriptor_ = file.release();
}

RunLock::~RunLock() {
    if (descriptor_ < 0) return;
    ::unlink(announcement_.c_str());
    ::close(descriptor_);
}

}  // namespace assay::harness
