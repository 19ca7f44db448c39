#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace assay::gtql {

/// A file that is written over some time, while what it replaces may still be read. A regular file
/// gets the new content as a whole in finish(), also where it is reached by a link: it has the old
/// content or all of the new one. A file of several names is overwritten in finish(); where that
/// fails, the message names the temporary file that has the new content. Devices and pipes are
/// written as it comes. The empty name is standard output.
class OutputFile {
public:
    /// Throws Error where it cannot be written.
    explicit OutputFile(std::string path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Without finish() a regular file has its old content, and nothing else is left behind.
    ~OutputFile();

    /// Throws Error, exit code 4, where the disk is full.
    void write(std::string_view bytes);
    /// Call it once, after all else. Throws as write() does.
    void finish();

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    [[noreturn]] void fail(int reason) const;
    void copy_to_target();
    void close() noexcept;

    std::string path_;       // as the user says it
    std::string target_;     // the same without links
    std::string temporary_;  // empty: written directly
    bool is_copied_ = false;
    std::FILE* file_ = nullptr;
    std::uint64_t bytes_ = 0;
};

}  // namespace assay::gtql
