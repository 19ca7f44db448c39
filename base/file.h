#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/unique_fd.h"

namespace assay {

// Errors here name the file and the system's reason. Their exit code is 4 where the machine is at
// fault (machine_fault.h), else 2.

/// Tells one content of a file from another without reading it.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;  // of the inode: changes also when a write sets the time back

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// An open file and the name that messages give it. It is read, not mapped: a mapping of a file
/// that another process cuts short would kill this one. Every function throws Error on failure.
class File {
public:
    /// For reading. Throws Error for a folder, and for a pipe unless it is below /dev or /proc.
    [[nodiscard]] static File open(const std::string& path);
    /// For reading at any place. Throws Error for all but a regular file, and never waits.
    [[nodiscard]] static File open_regular(const std::string& path);
    /// For writing from the start; an old content goes.
    [[nodiscard]] static File create(const std::string& path);
    /// For writing behind what is there.
    [[nodiscard]] static File append(const std::string& path);

    enum class Lock : std::uint8_t { Try, Wait };

    /// For reading, and writing behind what is there, with an exclusive lock (flock) for as long as
    /// the file is open. Nullopt where another holds it, under Lock::Try.
    [[nodiscard]] static std::optional<File> open_locked(const std::string& path, Lock lock);

    File(UniqueFd descriptor, std::string name)
        : descriptor_(std::move(descriptor)), name_(std::move(name)) {}

    /// Fills `out` from `offset` on; fewer bytes only at the file's end. Any thread may call.
    [[nodiscard]] std::size_t read_at(std::uint64_t offset, char* out, std::size_t size) const;
    [[nodiscard]] std::string read_at(std::uint64_t offset, std::size_t size) const;
    /// The next bytes, as many as there are now; 0 at the end.
    [[nodiscard]] std::size_t read_next(char* out, std::size_t size) const;

    void write(std::string_view bytes) const;
    void write_at(std::uint64_t offset, std::string_view bytes) const;
    /// Cuts the file to `size` bytes.
    void truncate(std::uint64_t size) const;

    /// False for pipes and devices, which cannot be read by place.
    [[nodiscard]] bool is_regular() const;
    [[nodiscard]] FileStamp stamp() const;

    [[nodiscard]] const std::string& name() const { return name_; }

    /// The same file under another name in messages.
    [[nodiscard]] File named(std::string name) && {
        return {std::move(descriptor_), std::move(name)};
    }

    [[nodiscard]] int descriptor() const { return descriptor_.get(); }

private:
    UniqueFd descriptor_;
    std::string name_;
};

/// Whether the open file is the one that `path` names now.
[[nodiscard]] bool is_same_file(int descriptor, const std::string& path);

/// Whether it names a descriptor's file that only lives as long as a process holds it, as
/// /dev/stdin: a pipe there has its writer already.
[[nodiscard]] bool is_of_a_process(const std::string& path);

/// What is read into memory at once at most, unless a caller says less.
inline constexpr std::size_t kMostFileBytes = std::size_t{2} << 30U;

/// The whole file, or all of a pipe or device. Throws Error where it has more than `most` bytes.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t most = kMostFileBytes);

/// The first bytes of a file, `most` at most; nullopt where it cannot be read. Never waits. For
/// small files of the system (/proc, /sys) and for what other processes have left.
[[nodiscard]] std::optional<std::string> read_start(const std::string& path, std::size_t most);

/// The path of the program that runs; empty where the system does not tell it.
[[nodiscard]] std::string own_program();

/// Writes the whole content as a ReplacedFile (replaced_file.h).
void write_file(const std::string& path, std::string_view content);

/// Throws Error where `path` could not be written now: it is a folder, its folder is missing, or
/// the system does not allow it. Only looks, makes nothing. Accepts "-" and the empty name.
void check_writable(const std::string& path);

/// "NAME: error: MESSAGE", for what is wrong with a file as a whole. Exit code 2.
[[nodiscard]] Error about_file(const std::string& name, const std::string& message);

/// The system's words for errno's value. Thread-safe.
[[nodiscard]] std::string system_reason(int error_number);

/// Throws Error "NAME: cannot WHAT: REASON" for errno's value.
[[noreturn]] void throw_file_error(const std::string& name, const char* what, int error_number);

}  // namespace assay
