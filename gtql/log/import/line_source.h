#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtql/log/bytes.h"

namespace assay::gtql {

/// The lines of a text, plain or in zstd (one frame or several), with little of it in memory.
class LineSource {
public:
    /// REQUIRES: `file` outlives this.
    explicit LineSource(const RandomAccess& file);
    LineSource(const LineSource&) = delete;
    LineSource& operator=(const LineSource&) = delete;
    ~LineSource();

    /// The next line without its end (LF or CRLF); false at the end of the text. The view lives
    /// until the next call. Throws Error, with the line's number, where the text is cut: a last
    /// line without its end, a compressed frame that is not whole; also where a line is longer than
    /// 16 MiB.
    bool next(std::string_view& line);

    /// Of the line that next() gave last, from 1.
    [[nodiscard]] std::size_t number() const { return number_; }

private:
    struct Zstd;

    void fill();
    void fill_plain();
    void fill_compressed();
    [[noreturn]] void fail(const std::string& what) const;

    const RandomAccess& file_;
    std::unique_ptr<Zstd> zstd_;  // null: plain
    std::uint64_t at_ = 0;        // in the file
    std::string text_;
    std::size_t begin_ = 0;  // of what was not given yet in text_
    std::size_t number_ = 0;
    bool is_at_end_ = false;
};

}  // namespace assay::gtql
