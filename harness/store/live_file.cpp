// A file that always holds the latest state, for readers who come and go.
//
// It is written in place, and not as a new file that is renamed: a file system that sees a rename
// over a file forces the new content to the disk, twice a second for as long as a run lasts. In
// place, the content stays in memory for as long as the system likes, which is what a state that is
// old after half a second deserves. The price is that a reader may see half of an old and half of a
// new content. So a line in front tells the length and a hash of what follows, and a reader takes
// nothing that does not fit them.
//
// The file is locked (flock) as long as its run lives, so that what a kill leaves behind is known
// to be dead. Readers try this lock, and not the store's: for the moment for which a reader has a
// lock, no run could take it.
//
// The thread is not joined: a write to a broken disk or a network that is gone cannot be taken
// back. It shares its state with the object and is left behind (as in base/output_queue.h).
#include "harness/store/live_file.h"

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/replaced_file.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "harness/record/text_hash.h"
#include "harness/store/store_lock.h"

namespace assay::harness {

namespace {

constexpr std::string_view kMark = "assay-live 1";
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
constexpr mode_t kAllBits = 0666;

std::uint64_t hash_of(std::string_view text) {
    TextHash hash;
    hash.add(text);
    return hash.value();
}

std::string with_head(std::string_view body) {
    return fmt::format("{} {} {:016x}\n{}", kMark, body.size(), hash_of(body), body);
}

/// The text behind the head, where it is whole.
std::optional<std::string_view> body_of(std::string_view content) {
    const std::size_t end = content.find('\n');
    if (end == std::string_view::npos || !content.starts_with(kMark)) return std::nullopt;
    const auto words = split_words(content.substr(kMark.size(), end - kMark.size()));
    if (words.size() != 2) return std::nullopt;
    const auto size = to_number<std::size_t>(words[0]);
    content.remove_prefix(end + 1);
    if (!size || *size > content.size()) return std::nullopt;
    content = content.substr(0, *size);
    if (fmt::format("{:016x}", hash_of(content)) != words[1]) return std::nullopt;
    return content;
}

/// Readable for whoever may read the store, and nobody else.
void share_as(int file, const std::string& store) {
    struct stat status {};

    if (::stat(store.c_str(), &status) == 0)
        static_cast<void>(::fchmod(file, status.st_mode & kAllBits));
}

/// Whether a process holds the file's lock.
bool is_alive(const std::string& path) {
    constexpr int kLook = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const UniqueFd file(::open(path.c_str(), kLook));
    return file.is_open() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

struct LiveFile::Shared {
    std::mutex mutex;
    std::condition_variable has_changed;
    std::optional<LiveState> waiting;
    bool is_writing = false;
    bool is_over = false;
    std::optional<File> file;  // unset: nobody can watch
    std::string store;

    void write(const LiveState& state, std::string& last) const {
        std::string text = with_head(live_json(state));
        if (text == last || text.size() > kMostBytes) return;
        if (last.empty()) share_as(file->descriptor(), store);
        file->write_at(0, text);
        last = std::move(text);
    }

    void work() {
        std::string last;
        std::unique_lock lock(mutex);
        while (true) {
            has_changed.wait(lock, [this] { return is_over || waiting; });
            if (is_over) return;
            const LiveState state = *std::exchange(waiting, std::nullopt);
            is_writing = true;
            lock.unlock();
            try {
                write(state, last);
            } catch (const std::exception&) {
                last.clear();  // no memory, or no room on the disk: this state is not shown
            }
            lock.lock();
            is_writing = false;
            has_changed.notify_all();
        }
    }
};

LiveFile::LiveFile(const std::string& store)
    : path_(live_path(store)), shared_(std::make_shared<Shared>()) {
    shared_->store = store;
    try {
        // A new file, locked before it has its name: what others may have put there is replaced,
        // and never written to.
        TemporaryFile made(path_);
        if (::flock(made.file().descriptor(), LOCK_EX | LOCK_NB) == 0)
            shared_->file.emplace(made.replace(path_));
    } catch (const Error&) {
        return;
    }
    if (!shared_->file) return;
    // Signals are for the threads that know what to do with them.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread([shared = shared_] { shared->work(); }).detach();
    } catch (const std::system_error&) {
        shared_->is_over = true;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LiveFile::~LiveFile() {
    if (!shared_->file) return;
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->is_over = true;
    }
    shared_->has_changed.notify_all();
    if (is_same_file(shared_->file->descriptor(), path_))
        static_cast<void>(::unlink(path_.c_str()));
}

void LiveFile::put(LiveState state) {
    if (!shared_->file) return;
    {
        const std::lock_guard lock(shared_->mutex);
        if (shared_->is_over) return;
        shared_->waiting = std::move(state);
    }
    shared_->has_changed.notify_all();
}

void LiveFile::flush() {
    std::unique_lock lock(shared_->mutex);
    shared_->has_changed.wait(
        lock, [this] { return shared_->is_over || (!shared_->waiting && !shared_->is_writing); });
}

std::string live_path(const std::string& store) {
    return path_beside(store, ".live");
}

std::optional<LiveState> read_live(const std::string& store) {
    const std::string path = live_path(store);
    if (!is_alive(path)) return std::nullopt;
    const auto content = read_start(path, kMostBytes);
    if (!content) return std::nullopt;
    const auto body = body_of(*content);
    if (!body) return std::nullopt;
    try {
        return read_live_json(*body);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace assay::harness
