#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"

namespace assay {

/// A file of a new name beside `path`, which takes the place of `path` when it is whole. Until then
/// it goes with the object.
class TemporaryFile {
public:
    /// Throws Error naming `path` where none can be made.
    explicit TemporaryFile(const std::string& path);
    TemporaryFile(TemporaryFile&& other) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    /// For reading and writing; its errors name `path`.
    [[nodiscard]] const File& file() const { return file_; }

    [[nodiscard]] const std::string& name() const { return name_; }

    /// Gives the file the name `path`; its descriptor stays open in what is returned.
    File replace(const std::string& path);

    /// Leaves the file under its own name.
    void keep() { name_.clear(); }

private:
    std::string name_;  // empty: it is not ours to remove
    File file_;
};

/// A file that is written over some time, while what it replaces may still be read. A regular file
/// gets the new content as a whole in commit(), also where it is reached by a link: readers see the
/// old content or the new one, never a part. A file of several names is overwritten in commit(),
/// since a rename would leave its other names with the old content; where that fails, the message
/// names the temporary file that has the new content. Devices and pipes are written as it comes.
/// The empty name and "-" are standard output.
///
/// Nothing is forced to the disk: a power cut soon after commit() may lose the new content. What
/// must survive that is kept in the store.
class ReplacedFile {
public:
    /// Throws Error where it cannot be written.
    explicit ReplacedFile(std::string path);
    ReplacedFile(const ReplacedFile&) = delete;
    ReplacedFile& operator=(const ReplacedFile&) = delete;
    /// Without commit() a regular file has its old content, and nothing else is left behind.
    ~ReplacedFile() = default;

    /// Throws Error.
    void write(std::string_view bytes);
    /// Call it once, after all else. Throws Error.
    void commit();

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    void flush();
    void copy_to_target();

    std::string path_;    // as the user wrote it
    std::string target_;  // the same without links
    bool is_copied_ = false;
    std::optional<TemporaryFile> temporary_;  // unset: written directly
    std::optional<File> direct_;
    std::string buffer_;
    std::uint64_t bytes_ = 0;
};

}  // namespace assay
