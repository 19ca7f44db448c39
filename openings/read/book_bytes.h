#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace assay::openings {

/// "path: error: message", for what is wrong with a file as a whole.
[[nodiscard]] Error about_file(const std::string& path, const std::string& message);

/// What tells one content of a file from another without reading it.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;  // of the inode: also catches writes that set the time back

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// An open file that is read by place. Read, not mapped: a file that somebody cuts short under a
/// mapping would kill the process, and mapped pages would count as ours. Any thread may read.
class File {
public:
    /// Throws Error naming the path: it cannot be opened, or is a folder.
    [[nodiscard]] static File open(const std::string& path);

    /// Takes over the descriptor; `name` is for messages.
    File(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();

    /// Fills `out` from `offset` on; less only at the file's end. Throws Error.
    [[nodiscard]] std::size_t read_at(std::uint64_t offset, char* out, std::size_t size) const;
    [[nodiscard]] std::string read_at(std::uint64_t offset, std::size_t size) const;

    /// False for pipes and the like, which have no places.
    [[nodiscard]] bool is_regular() const;
    /// The next bytes of a pipe; 0 at its end. Throws Error.
    [[nodiscard]] std::size_t read_next(char* out, std::size_t size) const;

    [[nodiscard]] FileStamp stamp() const;

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    int descriptor_;
    std::string name_;
};

/// Takes bytes without knowing how many will come: in memory while they are few, in a file beside
/// `path` from then on. Nothing is left behind where finish() is not reached.
class Spool {
public:
    /// `path` empty, or its folder not writable: everything stays in memory. `name` is for
    /// messages.
    Spool(std::string path, std::string name, std::uint64_t most_in_memory);
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    /// Throws Error where the disk is full.
    void write(std::string_view bytes);
    /// Over bytes that are written already.
    void overwrite(std::uint64_t offset, std::string_view bytes);

    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// True once the bytes are too many for memory but have to stay there.
    [[nodiscard]] bool is_homeless() const { return is_homeless_; }

    /// The content, readable; from now on under `path` if it went to a file.
    [[nodiscard]] File finish();

private:
    void move_to_disk();
    void write_all(std::string_view bytes, std::uint64_t offset);

    std::string path_;
    std::string temporary_;  // empty: in memory
    std::string name_;
    std::uint64_t most_in_memory_;
    std::uint64_t size_ = 0;
    bool is_homeless_ = false;
    File file_;
};

/// `chosen` if not empty, else $XDG_CACHE_HOME/assay, else $HOME/.cache/assay; made if it is not
/// there. Empty where none can be written to.
[[nodiscard]] std::string cache_folder(const std::string& chosen);

}  // namespace assay::openings
