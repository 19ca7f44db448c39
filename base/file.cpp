#include "base/file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/diagnostic.h"

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
    throw Error(path + ": cannot " + what + ": " + system_reason(errno));
}

/// 0, or errno's value.
int write_all(const std::string& path, std::string_view content, mode_t mode) {
    const Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, mode));
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

void write_file(const std::string& path, std::string_view content) {
    struct stat old {};

    const bool replaces = is_replaceable(path);
    const mode_t mode = ::stat(path.c_str(), &old) == 0 ? old.st_mode & 0777U : 0666U;
    const std::string target = replaces ? path + ".tmp" + std::to_string(::getpid()) : path;
    const int error = write_all(target, content, mode);
    if (error == 0 && (!replaces || ::rename(target.c_str(), path.c_str()) == 0)) return;
    const int reason = error != 0 ? error : errno;
    if (replaces) ::unlink(target.c_str());
    errno = reason;
    fail(path, "write");
}

}  // namespace assay
