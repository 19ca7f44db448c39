#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/packing.h"
#include "gtql/log/bytes.h"

namespace assay::gtql {

/// The lines of a text, plain or packed by gzip or zstd, with little of it in memory.
class LineSource {
public:
    /// REQUIRES: `file` outlives this.
    explicit LineSource(const RandomAccess& file);

    /// The next line without its end (LF or CRLF); false at the end of the text. The view lives
    /// until the next call. Throws Error where the text is cut (a last line without its end, an
    /// archive that is not whole) or damaged, or a line is longer than 16 MiB.
    bool next(std::string_view& line);

    /// Of the line that next() gave last, from 1.
    [[nodiscard]] std::size_t number() const { return number_; }

private:
    /// Appends a piece to text_; false at the end of the file.
    bool fill();
    [[noreturn]] void fail(const std::string& what) const;

    const RandomAccess& file_;
    Unpacker unpacker_;
    std::uint64_t at_ = 0;  // in the file
    std::string input_;
    std::string_view unused_;  // of input_
    std::string text_;
    std::size_t begin_ = 0;  // of what was not given yet in text_
    std::size_t number_ = 0;
};

}  // namespace assay::gtql
