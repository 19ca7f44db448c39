// Files as a harness needs them: every open is safe against what a name may be (a pipe without a
// writer, a folder, a planted link), since a wait without end is the worst failure of a program
// that runs over night. So files are opened without blocking and then looked at; O_NOFOLLOW stands
// where others can guess the name. Errors say what was tried, on which file, and whose fault it is:
// the exit code 4 is for the machine (no space, no descriptors), 2 for the command line.
#include "base/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/diagnostic.h"
#include "base/machine_fault.h"

namespace assay {

namespace {

constexpr mode_t kNewFile = 0666;
constexpr int kToRead = O_RDONLY | O_CLOEXEC | O_NOCTTY;
constexpr std::size_t kChunk = std::size_t{1} << 16U;

/// Calls until no signal interrupts. Returns its result, or -1 with errno set.
template <class Call>
auto retried(const Call& call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

/// A pipe that nobody reads is refused, where a plain open would wait for a reader.
File open_to_write(const std::string& path, int flags) {
    UniqueFd descriptor(retried([&] {
        return ::open(path.c_str(), O_WRONLY | O_CREAT | flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                      kNewFile);
    }));
    if (!descriptor.is_open() && errno == ENXIO)
        throw Error(path + ": cannot write: it is a pipe that nobody reads");
    if (!descriptor.is_open()) throw_file_error(path, "write", errno);
    const int now = ::fcntl(descriptor.get(), F_GETFL);
    ::fcntl(descriptor.get(), F_SETFL, now & ~O_NONBLOCK);
    return {std::move(descriptor), path};
}

File open_as(const std::string& path, int flags, const char* what) {
    UniqueFd descriptor(
        retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, kNewFile); }));
    if (!descriptor.is_open()) {
        if (errno == ELOOP && (flags & O_NOFOLLOW) != 0)
            throw Error(path + ": cannot " + what + ": it is a symbolic link; remove it");
        throw_file_error(path, what, errno);
    }
    return {std::move(descriptor), path};
}

/// Throws Error.
struct stat status_of(const File& file) {
    struct stat status {};

    if (::fstat(file.descriptor(), &status) != 0) throw_file_error(file.name(), "read", errno);
    return status;
}

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

bool is_of_a_process(const std::string& path) {
    return path.starts_with("/dev/") || path.starts_with("/proc/");
}

std::string system_reason(int error_number) {
    return std::error_code(error_number, std::generic_category()).message();
}

Error about_file(const std::string& name, const std::string& message) {
    Diagnostic d;
    d.path = name;
    d.message = message;
    std::string text = format(d);
    text.pop_back();
    return Error(text);
}

void throw_file_error(const std::string& name, const char* what, int error_number) {
    throw Error(name + ": cannot " + what + ": " + system_reason(error_number),
                is_machine_fault(error_number) ? 4 : 2);
}

File File::open(const std::string& path) {
    // A plain open of a pipe waits for a writer, which may never come.
    const int wait = is_of_a_process(path) ? 0 : O_NONBLOCK;
    File file = open_as(path, O_RDONLY | wait, "open");
    const mode_t mode = status_of(file).st_mode;
    if (S_ISDIR(mode)) throw Error(path + ": cannot read: it is a folder");
    if (wait == 0) return file;
    if (S_ISFIFO(mode))
        throw Error(path + ": cannot read: it is a pipe; give a file, or /dev/stdin");
    const int now = ::fcntl(file.descriptor(), F_GETFL);
    ::fcntl(file.descriptor(), F_SETFL, now & ~O_NONBLOCK);
    return file;
}

File File::open_regular(const std::string& path) {
    File file = open_as(path, O_RDONLY | O_NONBLOCK, "open");
    if (!file.is_regular()) throw Error(path + ": cannot read: it is not a regular file");
    return file;
}

File File::create(const std::string& path) {
    return open_to_write(path, O_TRUNC);
}

File File::append(const std::string& path) {
    return open_to_write(path, O_APPEND);
}

std::optional<File> File::open_locked(const std::string& path, Lock lock) {
    while (true) {
        // The name is one that others can guess: a link there may lead to any file of the user.
        File file = open_as(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, "write");
        if (!file.is_regular()) throw Error(path + ": cannot lock: it is not a regular file");
        // flock and not fcntl: the lock belongs to the open file, so that closing another
        // descriptor of the same file does not drop it.
        const int how = lock == Lock::Try ? LOCK_EX | LOCK_NB : LOCK_EX;
        if (retried([&] { return ::flock(file.descriptor(), how); }) != 0) {
            if (errno == EWOULDBLOCK) return std::nullopt;
            throw_file_error(path, "lock", errno);
        }
        // The last holder may have removed the file between our open and our lock.
        if (is_same_file(file.descriptor(), path)) return file;
    }
}

std::size_t File::read_at(std::uint64_t offset, char* out, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const auto got = retried([&] {
            return ::pread(descriptor(), out + done, size - done,
                           static_cast<off_t>(offset + done));
        });
        if (got < 0) throw_file_error(name_, "read", errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::string File::read_at(std::uint64_t offset, std::size_t size) const {
    std::string out(size, '\0');
    out.resize(read_at(offset, out.data(), size));
    return out;
}

std::size_t File::read_next(char* out, std::size_t size) const {
    const auto got = retried([&] { return ::read(descriptor(), out, size); });
    if (got < 0) throw_file_error(name_, "read", errno);
    return static_cast<std::size_t>(got);
}

void File::write(std::string_view bytes) const {
    while (!bytes.empty()) {
        const auto written =
            retried([&] { return ::write(descriptor(), bytes.data(), bytes.size()); });
        if (written < 0) throw_file_error(name_, "write", errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void File::write_at(std::uint64_t offset, std::string_view bytes) const {
    while (!bytes.empty()) {
        const auto written = retried([&] {
            return ::pwrite(descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        });
        if (written < 0) throw_file_error(name_, "write", errno);
        offset += static_cast<std::uint64_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void File::truncate(std::uint64_t size) const {
    if (retried([&] { return ::ftruncate(descriptor(), static_cast<off_t>(size)); }) != 0) {
        throw_file_error(name_, "write", errno);
    }
}

bool File::is_regular() const {
    return S_ISREG(status_of(*this).st_mode);
}

FileStamp File::stamp() const {
    const struct stat status = status_of(*this);
    return {static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim)};
}

bool is_same_file(int descriptor, const std::string& path) {
    struct stat ours {};

    struct stat theirs {};

    return ::fstat(descriptor, &ours) == 0 && ::stat(path.c_str(), &theirs) == 0 &&
           ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

std::string read_file(const std::string& path, std::size_t most) {
    const File file = File::open(path);
    std::string content;
    std::size_t size = 0;
    while (true) {
        content.resize(size + kChunk);
        const std::size_t got = file.read_next(content.data() + size, kChunk);
        if (got == 0) break;
        size += got;
        if (size > most)
            throw Error(path + ": has more than " + std::to_string(most >> 20U) +
                        " MiB, which is too much for a file of this kind");
    }
    content.resize(size);
    return content;
}

std::string own_program() {
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? "" : program.string();
}

std::optional<std::string> read_start(const std::string& path, std::size_t most) {
    const UniqueFd file(retried([&] { return ::open(path.c_str(), kToRead | O_NONBLOCK); }));
    if (!file.is_open()) return std::nullopt;
    std::string content;
    // What is read is mostly short, so that room for the most would cost more than the reading.
    std::array<char, 4096> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
    while (content.size() < most) {
        const std::size_t wanted = std::min(piece.size(), most - content.size());
        const auto got = retried([&] { return ::read(file.get(), piece.data(), wanted); });
        if (got < 0) return std::nullopt;
        if (got == 0) break;
        content.append(piece.data(), static_cast<std::size_t>(got));
    }
    return content;
}

void check_writable(const std::string& path) {
    if (path.empty() || path == "-") return;

    struct stat status {};

    if (::stat(path.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) throw_file_error(path, "write", EISDIR);
        if (::access(path.c_str(), W_OK) != 0) throw_file_error(path, "write", errno);
        if (S_ISFIFO(status.st_mode)) static_cast<void>(open_to_write(path, 0));
        return;
    }
    if (errno != ENOENT) throw_file_error(path, "write", errno);
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (::stat(folder.c_str(), &status) != 0) throw_file_error(path, "write", errno);
    if (!S_ISDIR(status.st_mode)) throw_file_error(path, "write", ENOTDIR);
    if (::access(folder.c_str(), W_OK | X_OK) != 0) throw_file_error(path, "write", errno);
}

}  // namespace assay
