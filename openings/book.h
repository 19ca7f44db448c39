#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/file.h"
#include "openings/read/index_file.h"
#include "openings/read/opening.h"
#include "openings/read/opening_reader.h"
#include "rules/game.h"

namespace assay::openings {

/// A book of up to this many unpacked bytes is held in memory, and all of it is checked when it is
/// opened (the shipped ones have been checked before). For a larger one an index and, if it is
/// packed, the unpacked content are kept on disk, and each opening is checked when it is read.
inline constexpr std::uint64_t kSmallBook = std::uint64_t{4} << 20U;

struct BookOptions {
    std::string path;
    BookFormat format = BookFormat::Auto;  // by the suffix under .gz and .zst, else by the content
    std::optional<int> plies;  // of the moves of a PGN or polyglot book, at least 1; unset: all
    std::string cache_dir;     // empty: see cache_folder()
    std::uint64_t small_book = kSmallBook;
    bool keeps_all = false;     // entries that cannot be played keep their numbers, and Book::at()
                                // throws for them; also every line that is not empty is an entry
    std::stop_token stop = {};  // open_book() throws soon after a stop was requested
};

/// Any thread may call its const functions. Its memory does not grow with the book.
class Book {
public:
    /// At least 1. Counts the openings that can be played, by `plies` and the rules, of a small
    /// book; all entries of a larger one, and with BookOptions::keeps_all.
    [[nodiscard]] std::uint64_t size() const { return index_.size(); }

    /// A pure function of the file and the index. An entry that cannot be played is replaced by the
    /// next one that can be (the first one follows the last); Opening::index is that one's.
    /// `remarks`, if not null, receives warnings about the entries that were read; those of a small
    /// book are in warnings(). Throws Error where a thousand entries in a row cannot be played
    /// (with keeps_all: where this one cannot), or the file has changed meanwhile. REQUIRES: index
    /// < size().
    [[nodiscard]] Opening at(std::uint64_t index, std::vector<Diagnostic>* remarks = nullptr) const;

    /// As the user wrote it.
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Never Auto.
    [[nodiscard]] BookFormat format() const { return index_.summary().format; }

    /// SHA-256 of the unpacked book, 64 hex digits.
    [[nodiscard]] const std::string& hash() const { return index_.summary().hash; }

    /// Entries of a checked book that cannot be played and are left out.
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

    /// Warnings from opening the book: about at most 20 entries, and how many more there were.
    [[nodiscard]] const std::vector<Diagnostic>& warnings() const { return warnings_; }

private:
    friend class BookOpener;

    Book(std::string path, const rules::Game& game, std::optional<int> plies, File content,
         BookIndex index);

    /// A remark about text that stands at `entry`, as a warning.
    [[nodiscard]] static Diagnostic to_diagnostic(const std::string& path, const Entry& entry,
                                                  BookFormat format, std::string_view text,
                                                  const Remark& remark);
    /// The entry's text, or as much of it as an opening needs.
    [[nodiscard]] Reading read(const Entry& entry, std::vector<Diagnostic>* remarks) const;

    std::string path_;
    std::string file_name_;  // of path_, for labels
    const rules::Game* game_;
    std::optional<int> plies_;
    File content_;
    BookIndex index_;
    bool is_checked_ = false;
    bool keeps_all_ = false;
    std::uint64_t skipped_ = 0;
    std::vector<Diagnostic> warnings_;
};

/// `game` must outlive the book. gzip and zstd are recognised by the content. Throws Error naming
/// the file where it cannot be read, is damaged or holds no opening that can be played, and after a
/// stop was requested.
[[nodiscard]] std::unique_ptr<Book> open_book(const BookOptions& options, const rules::Game& game);

}  // namespace assay::openings
