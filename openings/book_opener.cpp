// Opening a book in four steps: get at its bytes (a file, an archive, a pipe), tell its format,
// find its entries, check them. A small book is checked as a whole when it is opened: every opening
// of it is played through once, so that all complaints come before the first game. A large one (of
// which a match plays a small part) is only scanned for the offsets of its entries; an entry is
// read when its turn comes, and one that cannot be played is stepped over.
//
// The scan of a large book is kept in a cache, 16 bytes an entry, and the unpacked content with it:
// a book of a gigabyte is scanned once and not before each run. The cache is trusted only while
// size and times of the book are those of the scan. It is never needed: without a folder for it, or
// with a damaged one, everything is made anew.
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/packing.h"
#include "base/text.h"
#include "openings/book.h"
#include "openings/book_cache.h"
#include "openings/read/book_format.h"
#include "openings/read/book_scan.h"
#include "openings/read/polyglot.h"
#include "openings/read/polyglot_lines.h"
#include "openings/shipped.h"

namespace assay::openings {

namespace {

constexpr std::size_t kMostWarnings = 20;
constexpr std::size_t kHead = 65'536;

/// A book of another game has one in each entry: only the first ones are kept.
struct FirstWarnings {
    std::vector<Diagnostic> kept;
    std::uint64_t unsaid = 0;

    template <class Make>
    void add(const Make& make) {
        if (kept.size() < kMostWarnings) {
            kept.push_back(make());
        } else {
            ++unsaid;
        }
    }
};

/// What was remarked of the entries of a small book.
struct Remarks {
    FirstWarnings others;
    std::uint64_t endings = 0;
    std::optional<Diagnostic> first_ending;

    template <class Make>
    void add(const Remark& remark, const Make& make) {
        if (!remark.is_ending) {
            others.add(make);
        } else if (++endings == 1) {
            first_ending = make();
        }
    }
};

/// By the name, else by the content; a game without PGN has no content that looks like it.
BookFormat format_of(std::string_view path, std::string_view head, bool has_pgn) {
    const BookFormat named = format_of_name(path);
    if (named != BookFormat::Auto) return named;
    if (looks_like_polyglot(head)) return BookFormat::Polyglot;
    if (!has_pgn) return BookFormat::Epd;
    if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
    // The first word of a FEN has slashes between its ranks; the first word of a PGN game has none.
    while (!head.empty()) {
        const std::string_view line = trim(take_line(head));
        if (line.empty() || line.front() == '#' || line.front() == '%' || line.front() == ';') {
            continue;
        }
        const std::string_view word = line.substr(0, line.find_first_of(" \t"));
        const bool is_game =
            line.front() == '[' || line.front() == '{' || word.find('/') == std::string_view::npos;
        return is_game ? BookFormat::Pgn : BookFormat::Epd;
    }
    return BookFormat::Epd;
}

}  // namespace

/// The steps of open_book(), which share the options and the names of the cache's files.
class BookOpener {
public:
    BookOpener(const BookOptions& options, const rules::Game& game)
        : options_(options), game_(game), file_(File::open(options.path)) {
        CachedBook cached = cached_book(options.path, options.cache_dir);
        if (file_.is_regular()) cached_ = std::move(cached);
    }

    [[nodiscard]] std::unique_ptr<Book> open() {
        try {
            return open_any();
        } catch (...) {
            // Nobody would look at what was unpacked for it again.
            if (is_content_cached_) ::unlink(cached_.content_path.c_str());
            throw;
        }
    }

private:
    [[nodiscard]] std::unique_ptr<Book> open_any() {
        if (options_.plies && *options_.plies < 1) {
            throw about_file(options_.path,
                             fmt::format("plies: expected at least 1, found {}", *options_.plies));
        }
        source_ = file_.stamp();
        if (auto book = from_cache()) return book;
        File content = load_content();
        const FileStamp stamp = content.stamp();
        if (stamp.size == 0) throw about_file(options_.path, "it is empty: no opening in it");
        if (is_pgn(format_in(content)) && !game_.info().formats.pgn) {
            throw about_file(options_.path, fmt::format("it is PGN, which {} does not have: "
                                                        "expected a position on each line",
                                                        game_.name()));
        }
        if (format_in(content) == BookFormat::Polyglot) content = play_out(std::move(content));
        const bool is_small = content.stamp().size <= options_.small_book;
        auto book = is_small ? check(std::move(content)) : index(std::move(content));
        const std::vector<Diagnostic> left_out = all_of(left_out_);
        book->warnings_.insert(book->warnings_.begin(), left_out.begin(), left_out.end());
        return book;
    }

    [[nodiscard]] std::unique_ptr<Book> make(File content, BookIndex index) const {
        std::unique_ptr<Book> book(
            new Book(options_.path, game_, options_.plies, std::move(content), std::move(index)));
        book->keeps_all_ = options_.keeps_all;
        return book;
    }

    /// The book as an earlier run left it, if nothing has changed since.
    [[nodiscard]] std::unique_ptr<Book> from_cache() {
        if (cached_.index_path.empty() || !std::filesystem::exists(cached_.index_path))
            return nullptr;
        try {
            auto index = BookIndex::load(File::open(cached_.index_path));
            if (!index || index->summary().source != source_) return nullptr;
            const BookFormat format = index->summary().format;
            if (options_.format != BookFormat::Auto &&
                (is_pgn(options_.format) != is_pgn(format) ||
                 is_polyglot(options_.format) != is_polyglot(format))) {
                return nullptr;
            }
            if (index->summary().lines != lines_in(format)) return nullptr;
            // Its time says when the book was last read, for prune_cache().
            (void)::utimensat(AT_FDCWD, cached_.index_path.c_str(), nullptr, 0);
            if (index->summary().content == source_) {
                return make(std::move(file_), std::move(*index));
            }
            File content = File::open(cached_.content_path);
            if (content.stamp() != index->summary().content) return nullptr;
            const std::uint64_t left_out = index->summary().left_out;
            auto book = make(std::move(content), std::move(*index));
            if (left_out > 0) {
                book->warnings_.push_back(about_book(
                    fmt::format("{} of its entries {} left out: their moves are not legal",
                                left_out, plural(left_out, "is", "are"))));
            }
            return book;
        } catch (const Error&) {
            // A cache that cannot be read is written again from the book.
            return nullptr;
        }
    }

    static bool is_pgn(BookFormat format) { return format == BookFormat::Pgn; }

    static bool is_polyglot(BookFormat format) { return format == BookFormat::Polyglot; }

    /// IndexSummary::lines of a book of this format.
    [[nodiscard]] std::uint64_t lines_in(BookFormat format) const {
        if (is_pgn(format)) return 0;
        if (!is_polyglot(format)) return options_.keeps_all ? kEveryLine : 0;
        return static_cast<std::uint64_t>(options_.plies.value_or(0)) |
               (game_.info().variant.empty() ? 0 : kChess960Lines);
    }

    [[nodiscard]] BookFormat format_in(const File& content) const {
        return options_.format == BookFormat::Auto
                   ? format_of(options_.path, content.read_at(0, kHead), game_.info().formats.pgn)
                   : options_.format;
    }

    /// A polyglot book's lines as a file of text.
    [[nodiscard]] File play_out(File content) {
        const PolyglotFile book(content);
        hash_ = book.hash();
        Spool spool(cached_.content_path, options_.path, options_.small_book);
        write_polyglot_lines(
            book, options_.path, options_.plies, game_, kMostPolyglotLines,
            [&](std::uint64_t entry, const std::string& message) {
                ++entries_left_out_;
                left_out_.add(
                    [&] { return about_book(fmt::format("entry {}: {}", entry, message)); });
            },
            [&](std::string_view line) {
                check_wanted();
                spool.write(line);
            });
        is_homeless_ = spool.is_homeless();
        // The lines stay in memory and nobody reads the unpacked book again: remove it from the
        // cache.
        if (is_unpacked_ && spool.size() <= options_.small_book)
            ::unlink(cached_.content_path.c_str());
        return finish(spool);
    }

    /// The content, in the cache if it went there.
    [[nodiscard]] File finish(Spool& spool) {
        is_content_cached_ = spool.size() > options_.small_book && !spool.is_homeless();
        return spool.finish();
    }

    /// The unpacked content as a file that can be read at any offset.
    [[nodiscard]] File load_content() {
        if (!file_.is_regular()) {
            Spool pipe("", options_.path, options_.small_book);
            std::string chunk(kHead, '\0');
            while (const std::size_t got = file_.read_next(chunk.data(), chunk.size())) {
                check_wanted();
                pipe.write(std::string_view(chunk).substr(0, got));
            }
            file_ = pipe.finish();
        }
        const Packing packing = packing_of(file_.read_at(0, 8));
        if (packing == Packing::None) {
            check_kind(file_);
            return std::move(file_);
        }
        Spool spool(cached_.content_path, options_.path, options_.small_book);
        unpack(file_, packing, [&](std::string_view bytes) {
            check_wanted();
            spool.write(bytes);
        });
        is_homeless_ = spool.is_homeless();
        is_unpacked_ = spool.size() > options_.small_book && !is_homeless_;
        File content = finish(spool);
        check_kind(content);
        return content;
    }

    /// A polyglot book has no head: its first bytes are a key, which may be any.
    void check_kind(const File& content) const {
        if (format_of_name(options_.path) == BookFormat::Polyglot) return;
        const std::string_view kind = foreign_kind(content.read_at(0, 262));
        if (!kind.empty()) throw about_file(options_.path, std::string(kind));
    }

    /// Calls `on_entry` for every entry and returns the content's hash.
    [[nodiscard]] std::string scan(const File& content, BookFormat format,
                                   const OnEntry& on_entry) const {
        const OnEntry while_wanted = [&](const Entry& entry, std::string_view text) {
            check_wanted();
            on_entry(entry, text);
        };
        return is_pgn(format)
                   ? scan_games(content, while_wanted)
                   : scan_lines(content, while_wanted,
                                options_.keeps_all ? WhichLines::All : WhichLines::Positions);
    }

    /// Throws after a stop was requested.
    void check_wanted() const {
        if (options_.stop.stop_requested())
            throw about_file(options_.path, "reading it was stopped");
    }

    [[nodiscard]] IndexSummary summary_of(const File& content) const {
        IndexSummary summary;
        summary.source = source_;
        summary.content = content.stamp();
        summary.format = hash_.empty() ? format_in(content) : BookFormat::Polyglot;
        summary.lines = lines_in(summary.format);
        summary.left_out = entries_left_out_;
        return summary;
    }

    /// True for a shipped book of this game: every line is known to be an opening.
    [[nodiscard]] bool is_known_good(const File& content, BookFormat format) const {
        return game_.name() == kShippedGame && format == BookFormat::Epd &&
               is_shipped_text(content);
    }

    /// All openings of a small book are played through.
    [[nodiscard]] std::unique_ptr<Book> check(File content) const {
        IndexSummary summary = summary_of(content);
        IndexWriter writer("", options_.path, ~std::uint64_t{0});
        Remarks remarks;
        std::uint64_t skipped = 0;
        PgnGame pgn;
        const bool is_known = is_known_good(content, summary.format);
        summary.hash =
            scan(content, summary.format, [&](const Entry& entry, std::string_view text) {
                if (is_known) {
                    writer.add(entry);
                    return;
                }
                const Reading reading = read(summary.format, text, pgn);
                for (const Remark& remark : reading.remarks) {
                    remarks.add(remark, [&] {
                        return Book::to_diagnostic(options_.path, entry, summary.format, text,
                                                   remark);
                    });
                }
                if (reading.opening || options_.keeps_all) {
                    writer.add(entry);
                } else {
                    ++skipped;
                }
            });
        if (!hash_.empty()) summary.hash = hash_;
        std::vector<Diagnostic> warnings = all_of(remarks);
        if (writer.count() == 0) throw no_opening(warnings);
        auto index = BookIndex::load(writer.finish(summary));
        ASSAY_CHECK(index.has_value());
        auto book = make(std::move(content), std::move(*index));
        book->is_checked_ = true;
        book->skipped_ = skipped;
        book->warnings_ = std::move(warnings);
        return book;
    }

    [[nodiscard]] std::vector<Diagnostic> all_of(const FirstWarnings& some) const {
        std::vector<Diagnostic> all = some.kept;
        if (some.unsaid > 0)
            all.push_back(about_book(fmt::format("{} more warnings", some.unsaid)));
        return all;
    }

    /// A game that goes on to its end is no fault: many of them have one warning together.
    [[nodiscard]] std::vector<Diagnostic> all_of(const Remarks& remarks) const {
        FirstWarnings all = remarks.others;
        if (remarks.endings == 1) all.kept.push_back(*remarks.first_ending);
        if (remarks.endings > 1) {
            all.kept.push_back(about_book(fmt::format(
                "{} games go on to their end: each line is cut before the move that ends its game",
                remarks.endings)));
        }
        return all_of(all);
    }

    [[nodiscard]] Reading read(BookFormat format, std::string_view text, PgnGame& pgn) const {
        if (is_polyglot(format)) return read_moves(text, game_);
        if (!is_pgn(format)) return read_position(text, game_);
        PgnReader reader(text);
        ASSAY_CHECK(reader.next(pgn));
        return read_game(pgn, options_.plies, game_);
    }

    [[nodiscard]] std::unique_ptr<Book> index(File content) const {
        if (!cached_.index_path.empty()) prune_cache(cached_.index_path);
        IndexSummary summary = summary_of(content);
        IndexWriter writer(cached_.index_path, options_.path, 0);
        summary.hash = scan(content, summary.format,
                            [&writer](const Entry& entry, std::string_view) { writer.add(entry); });
        if (!hash_.empty()) summary.hash = hash_;
        if (writer.count() == 0) throw no_opening({});
        const bool is_homeless = is_homeless_ || writer.is_homeless();
        auto index = BookIndex::load(writer.finish(summary));
        ASSAY_CHECK(index.has_value());
        auto book = make(std::move(content), std::move(*index));
        if (is_homeless) {
            book->warnings_.push_back(about_book(
                "no cache folder can be written to: the index is held in memory and made anew by "
                "each run (set XDG_CACHE_HOME)"));
        }
        return book;
    }

    [[nodiscard]] Diagnostic about_book(std::string message) const {
        Diagnostic d;
        d.path = options_.path;
        d.message = std::move(message);
        d.is_warning = true;
        return d;
    }

    /// An error with the given reasons, and that no opening is left.
    [[nodiscard]] SyntaxError no_opening(std::vector<Diagnostic> reasons) const {
        Diagnostic all = about_book("no opening in it can be played");
        reasons.push_back(std::move(all));
        for (Diagnostic& each : reasons) each.is_warning = false;
        return SyntaxError(std::move(reasons));
    }

    const BookOptions& options_;
    const rules::Game& game_;
    File file_;
    FileStamp source_;
    CachedBook cached_;
    bool is_homeless_ = false;
    bool is_unpacked_ = false;  // into the cache
    bool is_content_cached_ = false;
    std::uint64_t entries_left_out_ = 0;
    std::string hash_;        // of a polyglot book, whose content is made from it
    FirstWarnings left_out_;  // of its entries
};

std::unique_ptr<Book> open_book(const BookOptions& options, const rules::Game& game) {
    return BookOpener(options, game).open();
}

}  // namespace assay::openings
