#include "openings/read/spool.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace assay::openings {

namespace {

constexpr std::size_t kSpoolChunk = std::size_t{1} << 18U;

File memory_file(const std::string& name) {
    UniqueFd descriptor(::memfd_create("assay-book", MFD_CLOEXEC));
    if (!descriptor.is_open()) throw_file_error(name, "make a file in memory", errno);
    return {std::move(descriptor), name};
}

}  // namespace

Spool::Spool(std::string path, const std::string& name, std::uint64_t most_in_memory)
    : path_(std::move(path)), most_in_memory_(most_in_memory), memory_(memory_file(name)) {}

void Spool::write(std::string_view bytes) {
    if (!disk_ && !is_homeless_ && size_ + bytes.size() > most_in_memory_) move_to_disk();
    file().write_at(size_, bytes);
    size_ += bytes.size();
}

void Spool::overwrite(std::uint64_t offset, std::string_view bytes) {
    file().write_at(offset, bytes);
}

File Spool::finish() {
    return disk_ ? disk_->replace(path_) : std::move(memory_);
}

void Spool::move_to_disk() {
    is_homeless_ = path_.empty();
    if (is_homeless_) return;
    try {
        disk_.emplace(path_);
    } catch (const Error&) {
        is_homeless_ = true;
        return;
    }
    std::vector<char> chunk(kSpoolChunk);
    for (std::uint64_t done = 0; done < size_;) {
        const std::size_t got = memory_.read_at(done, chunk.data(), chunk.size());
        disk_->file().write_at(done, {chunk.data(), got});
        done += got;
    }
    memory_ = File(UniqueFd(), "");  // gives its memory back
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
