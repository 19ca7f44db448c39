// Replaces a file as a whole: the new content is written beside it and renamed over it, so that a
// reader, or whoever looks after a kill, sees the old or the new content and never half of it. What
// a rename would change is kept: permissions, the file behind a link. Where there are several names
// (hard links) a rename would split them, and the content is copied into the old file instead; that
// can fail halfway, so that the temporary file is kept then and named.
//
// Pipes, devices and standard output cannot be replaced and are written directly.
#include "base/replaced_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = std::size_t{1} << 18U;
constexpr mode_t kDefaultMode = 0666;
constexpr mode_t kPermissions = 0777;
constexpr int kTries = 100;

File open_temporary(const std::string& path, std::string& name) {
    struct stat old {};

    const mode_t mode = ::stat(path.c_str(), &old) == 0 ? old.st_mode & kPermissions : kDefaultMode;
    for (int i = 0; i < kTries; ++i) {
        name = path + ".tmp" + std::to_string(std::random_device()());
        UniqueFd descriptor(
            ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode));
        if (descriptor.is_open()) return {std::move(descriptor), path};
        if (errno != EEXIST) break;
    }
    const int reason = errno;
    name.clear();
    throw_file_error(path, "write", reason);
}

/// The file that a link leads to; the name itself where it is no link.
std::string without_links(const std::string& path) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
    std::string target = fs::canonical(path, error).string();
    if (error) throw_file_error(path, "write", error.value());
    return target;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& path) : file_(open_temporary(path, name_)) {}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : name_(std::exchange(other.name_, {})), file_(std::move(other.file_)) {}

TemporaryFile::~TemporaryFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
}

File TemporaryFile::replace(const std::string& path) {
    if (::rename(name_.c_str(), path.c_str()) != 0) throw_file_error(path, "write", errno);
    name_.clear();
    return std::move(file_);
}

ReplacedFile::ReplacedFile(std::string path) : path_(std::move(path)) {
    if (path_.empty() || path_ == "-") return;
    std::error_code error;
    const bool is_regular = fs::is_regular_file(path_, error);
    const bool is_there = fs::exists(fs::symlink_status(path_, error));
    if (is_there && !is_regular) {
        direct_ = File::create(path_);
        return;
    }
    target_ = is_there ? without_links(path_) : path_;
    is_copied_ = is_there && fs::hard_link_count(target_, error) > 1;
    temporary_.emplace(target_);
}

void ReplacedFile::write(std::string_view bytes) {
    bytes_ += bytes.size();
    if (buffer_.size() + bytes.size() < kBuffer) {
        buffer_ += bytes;
        return;
    }
    flush();
    buffer_ = bytes;
    if (buffer_.size() >= kBuffer) flush();
}

void ReplacedFile::flush() {
    if (temporary_ || direct_) {
        (temporary_ ? temporary_->file() : *direct_).write(buffer_);
    } else if (std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) != buffer_.size()) {
        throw_file_error("standard output", "write", errno);
    }
    buffer_.clear();
}

void ReplacedFile::commit() {
    flush();
    if (is_copied_) {
        copy_to_target();
    } else if (temporary_) {
        temporary_->replace(target_);
    } else if (!direct_ && std::fflush(stdout) != 0) {
        throw_file_error("standard output", "write", errno);
    }
    temporary_.reset();
    direct_.reset();
}

void ReplacedFile::copy_to_target() {
    try {
        const File target = File::create(target_);
        std::vector<char> chunk(kBuffer);
        for (std::uint64_t at = 0; at < bytes_;) {
            const std::size_t got = temporary_->file().read_at(at, chunk.data(), chunk.size());
            target.write({chunk.data(), got});
            at += got;
        }
    } catch (const Error& error) {
        const std::string kept = temporary_->name();
        temporary_->keep();
        throw Error(std::string(error.what()) + "; its new content is in " + kept, 4);
    }
}

void write_file(const std::string& path, std::string_view content) {
    ReplacedFile file(path);
    file.write(content);
    file.commit();
}

}  // namespace assay
