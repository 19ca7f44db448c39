// Content of unknown length (an archive, a pipe) as a file that can be read at any offset. It grows
// in memory up to a limit and moves to the disk then: into the cache, if there is a folder for it,
// else into a temporary file without a name, which goes with the process however that ends. Both
// ways are bounded, because an archive of some kilobytes can unpack to more than any disk has.
#include "openings/read/spool.h"

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

namespace assay::openings {

namespace {

constexpr std::size_t kSpoolChunk = std::size_t{1} << 18U;
// An archive of some kilobytes may unpack to more than any disk holds, and a pipe may never end.
constexpr std::uint64_t kMostInCache = std::uint64_t{4} << 30U;
constexpr std::uint64_t kMostElsewhere = std::uint64_t{256} << 20U;

File memory_file(const std::string& name) {
    UniqueFd descriptor(::memfd_create("assay-book", MFD_CLOEXEC));
    if (!descriptor.is_open()) throw_file_error(name, "make a file in memory", errno);
    return {std::move(descriptor), name};
}

/// A file without a name on the disk for temporary files; closed where there can be none.
UniqueFd unnamed_file() {
    // Read before any thread starts, and nothing of ours sets the environment.
    const char* const chosen = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    for (const char* const folder : {chosen, "/tmp", "/var/tmp"}) {
        if (folder == nullptr || *folder != '/') continue;
        UniqueFd file(::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
        if (file.is_open()) return file;
    }
    return {};
}

void copy(const File& from, std::uint64_t bytes, const File& to) {
    std::vector<char> chunk(kSpoolChunk);
    for (std::uint64_t done = 0; done < bytes;) {
        const std::size_t got = from.read_at(done, chunk.data(), chunk.size());
        to.write_at(done, {chunk.data(), got});
        done += got;
    }
}

}  // namespace

Spool::Spool(std::string path, const std::string& name, std::uint64_t most_in_memory)
    : path_(std::move(path)),
      name_(name),
      most_in_memory_(most_in_memory),
      memory_(memory_file(name)) {}

void Spool::write(std::string_view bytes) {
    if (!disk_ && !is_homeless_ && size_ + bytes.size() > most_in_memory_) move_to_disk();
    if (size_ + bytes.size() > (disk_ ? kMostInCache : kMostElsewhere)) {
        throw about_file(
            name_,
            disk_ ? "it has more than 4 GiB, which is the most that is unpacked or read from a pipe"
                  : "it has more than 256 MiB, which is the most without a cache folder and "
                    "from a pipe; set XDG_CACHE_HOME, or give the book as a plain file");
    }
    file().write_at(size_, bytes);
    size_ += bytes.size();
}

void Spool::overwrite(std::uint64_t offset, std::string_view bytes) {
    file().write_at(offset, bytes);
}

File Spool::finish() {
    return disk_ ? disk_->replace(path_).named(name_) : std::move(memory_);
}

void Spool::move_to_disk() {
    is_homeless_ = path_.empty();
    try {
        if (!is_homeless_) disk_.emplace(path_);
    } catch (const Error&) {
        is_homeless_ = true;
    }
    if (disk_) {
        copy(memory_, size_, disk_->file());
        memory_ = File(UniqueFd(), name_);  // gives its memory back
    } else if (UniqueFd unnamed = unnamed_file(); unnamed.is_open()) {
        File file(std::move(unnamed), name_);
        copy(memory_, size_, file);
        memory_ = std::move(file);
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
