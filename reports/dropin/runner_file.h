#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"

namespace assay::reports::dropin {

/// A file to which games are appended one by one. Holds it open; throws Error where the system
/// refuses.
class RunnerFile {
public:
    enum class Kind : std::uint8_t { Pgn, Epd };

    /// Appends to what is there, or begins anew. `sums`: crc_text() will be asked, for which what
    /// is there is read. Throws Error.
    RunnerFile(const std::string& path, Kind kind, bool append, bool sums);

    /// The text is in the file when this returns, for whoever reads it and also after a kill. The
    /// disk is not waited for: clocks of other games run, and the store has the games. Before the
    /// first text, what is there is ended: a PGN by an empty line, an EPD by its line's end.
    void write(std::string_view text);

    /// 0 where it is no regular one.
    [[nodiscard]] std::uint64_t size() const;
    /// Fewer bytes only at the file's end. REQUIRES: a regular file.
    [[nodiscard]] std::string read_at(std::uint64_t offset, std::size_t size) const;

    /// Cuts the file to so many bytes.
    void cut(std::uint64_t size);

    /// Of all bytes in the file: "0x1c291ca3", without leading zeros. REQUIRES: it sums.
    [[nodiscard]] std::string crc_text() const;

private:
    [[nodiscard]] std::string_view missing_end() const;
    void sum();

    File file_;
    std::optional<File> reader_;  // none: it is not regular
    Kind kind_;
    bool is_ended_ = false;
    std::optional<std::uint32_t> crc_;  // none: it is not asked
};

/// The parts of a text that is read in pieces: each begins where a line begins with a mark, but the
/// first one. What is longer than a game can be comes in several parts.
class FileParts {
public:
    /// Gives bytes from a place on; fewer only at the end.
    using Read = std::function<std::string(std::uint64_t offset, std::size_t size)>;

    /// An empty mark: a part is a line.
    FileParts(Read read, std::uint64_t begin, std::string_view mark);

    /// Nullopt at the end. The view is valid until the next call.
    [[nodiscard]] std::optional<std::string_view> next();

    /// Where the part that came last begins in the text.
    [[nodiscard]] std::uint64_t at() const { return at_; }

    /// Whether nothing follows the part that came last.
    [[nodiscard]] bool is_last() const { return is_at_end_ && used_ == buffer_.size(); }

private:
    void read_more();

    Read read_;
    std::string mark_;      // with the end of the line before it
    std::uint64_t offset_;  // of the next bytes to read
    std::uint64_t at_ = 0;
    std::string buffer_;
    std::size_t used_ = 0;  // bytes of the buffer
    bool is_at_end_ = false;
};

}  // namespace assay::reports::dropin
