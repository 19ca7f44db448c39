#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/replaced_file.h"

namespace assay::openings {

/// Takes bytes without knowing how many will come: in memory while they are few, in a file beside
/// `path` from then on. Nothing is left behind where finish() is not reached.
class Spool {
public:
    /// `path` empty, or its folder not writable: everything stays in memory. `name` is what
    /// messages call the content, wherever it lies.
    Spool(std::string path, const std::string& name, std::uint64_t most_in_memory);

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

    [[nodiscard]] const File& file() const { return disk_ ? disk_->file() : memory_; }

    std::string path_;
    std::string name_;
    std::uint64_t most_in_memory_;
    std::uint64_t size_ = 0;
    bool is_homeless_ = false;
    File memory_;
    std::optional<TemporaryFile> disk_;  // unset: in memory
};

/// `chosen` if not empty, else $XDG_CACHE_HOME/assay, else $HOME/.cache/assay; made if it is not
/// there. Empty where none can be written to.
[[nodiscard]] std::string cache_folder(const std::string& chosen);

}  // namespace assay::openings
