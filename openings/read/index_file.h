#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "openings/read/spool.h"

namespace assay::openings {

enum class BookFormat : std::uint8_t { Auto, Epd, Pgn, Fen, Polyglot };

/// The place of one opening in the book's unpacked content, which for a polyglot book is its lines
/// of moves. Line and number are for messages and saturate at their largest value.
struct Entry {
    std::uint64_t offset = 0;
    std::uint32_t line = 0;    // from 1
    std::uint32_t number = 0;  // of the position or game in the file, from 1

    friend bool operator==(const Entry&, const Entry&) = default;
};

/// A bit of IndexSummary::lines: castling is written as in chess960 (king takes rook).
inline constexpr std::uint64_t kChess960Lines = std::uint64_t{1} << 32U;

/// Another one: every line that is not empty is an entry, comments too (WhichLines::All).
inline constexpr std::uint64_t kEveryLine = std::uint64_t{1} << 33U;

/// What an index records about the whole book.
struct IndexSummary {
    FileStamp source;   // the file the user named
    FileStamp content;  // the same, or the unpacked file
    BookFormat format = BookFormat::Auto;
    // How a polyglot book's lines were made: the plies they were cut to (0: not cut), and the bit
    // kChess960Lines. Of a list of positions kEveryLine or 0; 0 for PGN.
    std::uint64_t lines = 0;
    std::uint64_t left_out = 0;  // entries of a polyglot book that no line has: not legal
    std::string hash;            // SHA-256 of the unpacked book, 64 hex digits
};

/// Writes the side file: a header, then the entries as they come. The file is a cache for this
/// machine alone (its byte order, its files' times), so any change of the layout is a new version
/// in the magic number and old files are made anew.
class IndexWriter {
public:
    /// `path` and `most_in_memory` as for Spool.
    IndexWriter(std::string path, std::string name, std::uint64_t most_in_memory);

    void add(const Entry& entry);

    [[nodiscard]] std::uint64_t count() const { return count_; }

    [[nodiscard]] bool is_homeless() const { return spool_.is_homeless(); }

    [[nodiscard]] File finish(const IndexSummary& summary);

private:
    void flush();

    Spool spool_;
    std::string buffer_;
    std::uint64_t count_ = 0;
    std::uint64_t sum_;
};

/// A complete side file of this version; entries are read when they are needed.
class BookIndex {
public:
    /// nullopt where the file is damaged, cut short, or of another version. Reads it whole once.
    [[nodiscard]] static std::optional<BookIndex> load(File file);

    [[nodiscard]] std::uint64_t size() const { return count_; }

    /// REQUIRES: i < size().
    [[nodiscard]] Entry entry(std::uint64_t i) const;

    [[nodiscard]] const IndexSummary& summary() const { return summary_; }

private:
    BookIndex(File file, std::uint64_t count, IndexSummary summary)
        : file_(std::move(file)), count_(count), summary_(std::move(summary)) {}

    File file_;
    std::uint64_t count_;
    IndexSummary summary_;
};

}  // namespace assay::openings
