#include "openings/read/book_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/file.h"

namespace assay::openings {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;

[[noreturn]] void fail(const std::string& name, const char* what) {
    throw Error(name + ": cannot " + what + ": " + system_reason(errno));
}

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

File memory_file(const std::string& name) {
    const int descriptor = ::memfd_create("assay-book", MFD_CLOEXEC);
    if (descriptor < 0) fail(name, "make a file in memory");
    return {descriptor, name};
}

}  // namespace

Error about_file(const std::string& path, const std::string& message) {
    Diagnostic d;
    d.path = path;
    d.message = message;
    std::string text = format(d);
    text.pop_back();
    return Error(text);
}

File File::open(const std::string& path) {
    File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path);
    if (file.descriptor_ < 0) fail(path, "open");

    struct stat status {};

    if (::fstat(file.descriptor_, &status) != 0) fail(path, "read");
    if (S_ISDIR(status.st_mode)) throw Error(path + ": cannot read: it is a folder");
    return file;
}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {}

File& File::operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(name_, other.name_);
    return *this;
}

File::~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t File::read_at(std::uint64_t offset, char* out, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got =
            ::pread(descriptor_, out + done, size - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(name_, "read");
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

bool File::is_regular() const {
    struct stat status {};

    return ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

std::size_t File::read_next(char* out, std::size_t size) const {
    while (true) {
        const ssize_t got = ::read(descriptor_, out, size);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) fail(name_, "read");
    }
}

FileStamp File::stamp() const {
    struct stat status {};

    if (::fstat(descriptor_, &status) != 0) fail(name_, "read");
    return {static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim)};
}

Spool::Spool(std::string path, std::string name, std::uint64_t most_in_memory)
    : path_(std::move(path)),
      name_(std::move(name)),
      most_in_memory_(most_in_memory),
      file_(memory_file(name_)) {}

Spool::~Spool() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Spool::write(std::string_view bytes) {
    if (temporary_.empty() && !is_homeless_ && size_ + bytes.size() > most_in_memory_) {
        move_to_disk();
    }
    write_all(bytes, size_);
    size_ += bytes.size();
}

void Spool::overwrite(std::uint64_t offset, std::string_view bytes) {
    write_all(bytes, offset);
}

File Spool::finish() {
    if (!temporary_.empty()) {
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "write");
        temporary_.clear();
    }
    return std::move(file_);
}

void Spool::move_to_disk() {
    std::string temporary = path_ + ".XXXXXX";
    const int descriptor = path_.empty() ? -1 : ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) {
        is_homeless_ = true;
        return;
    }
    File disk(descriptor, name_);
    std::swap(file_, disk);
    temporary_ = std::move(temporary);
    std::vector<char> chunk(kChunk);
    for (std::uint64_t done = 0; done < size_;) {
        const std::size_t got = disk.read_at(done, chunk.data(), chunk.size());
        write_all({chunk.data(), got}, done);
        done += got;
    }
}

void Spool::write_all(std::string_view bytes, std::uint64_t offset) {
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(file_.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(temporary_.empty() ? name_ : path_, "write");
        offset += static_cast<std::uint64_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string cache_folder(const std::string& chosen) {
    namespace fs = std::filesystem;
    const auto from_environment = [](const char* name) -> fs::path {
        // Read before any thread starts, and nothing of ours sets the environment.
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
        return value == nullptr ? "" : value;
    };
    fs::path folder = chosen;
    if (folder.empty()) {
        const fs::path cache = from_environment("XDG_CACHE_HOME");
        const fs::path home = from_environment("HOME");
        if (cache.is_absolute()) {
            folder = cache / "assay";
        } else if (home.is_absolute()) {
            folder = home / ".cache" / "assay";
        } else {
            return "";
        }
    }
    std::error_code error;
    fs::create_directories(folder, error);
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? folder.string() : "";
}

}  // namespace assay::openings
