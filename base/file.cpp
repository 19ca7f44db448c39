#include "base/file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/diagnostic.h"
#include "base/machine_fault.h"

namespace assay {

namespace {

/// Owns one descriptor.
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }

    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

[[noreturn]] void fail(const std::string& path, const char* what) {
    const int reason = errno;
    throw Error(path + ": cannot " + what + ": " + system_reason(reason),
                is_machine_fault(reason) ? 4 : 2);
}

mode_t mode_for(const std::string& path) {
    struct stat old {};

    return ::stat(path.c_str(), &old) == 0 ? old.st_mode & 0777U : 0666U;
}

/// 0, or errno's value.
int write_all(const std::string& path, std::string_view content) {
    const Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666));
    if (file.get() < 0) return errno;
    while (!content.empty()) {
        const ssize_t written = ::write(file.get(), content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace

std::string system_reason(int error_number) {
    return std::error_code(error_number, std::generic_category()).message();
}

std::string read_file(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) fail(path, "open");

    struct stat status {};

    if (::fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode)) {
        throw Error(path + ": cannot read: it is a folder");
    }
    std::string content;
    std::size_t size = 0;
    while (true) {
        constexpr std::size_t kChunk = 1U << 16U;
        content.resize(size + kChunk);
        const ssize_t got = ::read(file.get(), content.data() + size, kChunk);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path, "read");
        size += static_cast<std::size_t>(got);
        if (got == 0) break;
    }
    content.resize(size);
    return content;
}

bool is_replaceable(const std::string& path) {
    struct stat status {};

    if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT;
    return S_ISREG(status.st_mode) && status.st_nlink == 1;
}

void check_writable(const std::string& path) {
    if (path.empty() || path == "-") return;

    struct stat status {};

    if (::stat(path.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) errno = EISDIR;
        if (S_ISDIR(status.st_mode) || ::access(path.c_str(), W_OK) != 0) fail(path, "write");
        return;
    }
    if (errno != ENOENT) fail(path, "write");
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (::stat(folder.c_str(), &status) != 0) fail(path, "write");
    if (!S_ISDIR(status.st_mode)) errno = ENOTDIR;
    if (!S_ISDIR(status.st_mode) || ::access(folder.c_str(), W_OK | X_OK) != 0) fail(path, "write");
}

std::string create_beside(const std::string& path) {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
        std::string name = path + ".tmp" + std::to_string(std::random_device()());
        const Descriptor file(::open(
            name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode_for(path)));
        if (file.get() >= 0) return name;
        if (errno != EEXIST) break;
    }
    fail(path, "write");
}

void write_file(const std::string& path, std::string_view content) {
    const bool replaces = is_replaceable(path);
    const std::string target = replaces ? create_beside(path) : path;
    const int error = write_all(target, content);
    if (error == 0 && (!replaces || ::rename(target.c_str(), path.c_str()) == 0)) return;
    const int reason = error != 0 ? error : errno;
    if (replaces) ::unlink(target.c_str());
    errno = reason;
    fail(path, "write");
}

}  // namespace assay
