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
//
// A game of the match asks for entry i; which one that is depends on the numbering alone. So steps
// over unplayable entries end at the next playable one, the same at every run, and no state is
// kept.
#include "openings/book.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/packing.h"
#include "base/random.h"
#include "base/text.h"
#include "openings/read/book_format.h"
#include "openings/read/book_scan.h"
#include "openings/read/polyglot.h"
#include "openings/read/polyglot_lines.h"
#include "openings/shipped.h"

namespace assay::openings {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCachePrefix = "book-";
constexpr std::size_t kMostWarnings = 20;
constexpr std::uint64_t kMostSteps = 1000;
constexpr std::size_t kHead = 65'536;
constexpr std::size_t kFirstRead = 4096;
constexpr std::size_t kFirstLine = 256;

/// A remark about text that stands at `entry`, as a warning.
Diagnostic to_diagnostic(const std::string& path, const Entry& entry, BookFormat format,
                         std::string_view text, const Remark& remark) {
    Diagnostic d =
        Source(path, text).at({remark.offset, remark.offset + remark.width}, remark.message);
    d.line += entry.line - 1U;
    d.is_warning = true;
    if (format == BookFormat::Pgn) {
        d.message = fmt::format("game {}: {}", entry.number, d.message);
    }
    return d;
}

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

std::string hex16(std::uint64_t word) {
    return fmt::format("{:016x}", word);
}

/// A file name for the book's path, the same through every link to it.
std::string cache_name(const std::string& path) {
    std::error_code error;
    std::filesystem::path place = std::filesystem::canonical(path, error);
    if (error) place = path;
    std::uint64_t a = 1;
    std::uint64_t b = 2;
    for (const char c : place.string()) {
        a = mix64(a, static_cast<unsigned char>(c));
        b = mix64(b, static_cast<unsigned char>(c));
    }
    return hex16(a) + hex16(b);
}

/// Removes from the cache what no run has read for two months, and what a killed run has left.
void prune_cache(const fs::path& folder) {
    constexpr auto kUnused = std::chrono::hours(60 * 24);
    constexpr auto kLeft = std::chrono::hours(24);
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    std::vector<fs::path> old;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(kCachePrefix) || it->is_symlink(error)) continue;
        const bool is_left = name.find(".tmp") != std::string::npos;
        // The content of a book goes with its index.
        const bool has_index = fs::exists(fs::path(it->path()).replace_extension(".idx"), error);
        if (!is_left && name.ends_with(".txt") && has_index) continue;
        const auto time = fs::last_write_time(it->path(), error);
        if (!error && now - time > (is_left ? kLeft : kUnused)) old.push_back(it->path());
    }
    for (const fs::path& path : old) {
        fs::remove(path, error);
        if (path.extension() == ".idx") fs::remove(fs::path(path).replace_extension(".txt"), error);
    }
}

/// Of a file that is read where it lies: no content of its own was kept.
bool is_overwritten(const FileStamp& then, const FileStamp& now) {
    return then.size != now.size || then.modified_ns != now.modified_ns;
}

std::string line_at(const File& content, std::uint64_t offset) {
    std::string text;
    std::size_t end = std::string::npos;
    for (std::size_t size = kFirstLine; size <= 4 * kHead; size *= 4) {
        text = content.read_at(offset, size);
        end = text.find('\n');
        if (end != std::string::npos || text.size() < size) break;
    }
    text.resize(std::min(end, text.size()));
    return text;
}

}  // namespace

Book::Book(std::string path, const rules::Game& game, std::optional<int> plies, File content,
           BookIndex index)
    : path_(std::move(path)),
      file_name_(fs::path(path_).filename().string()),
      game_(&game),
      plies_(plies),
      content_(std::move(content)),
      index_(std::move(index)) {}

Reading Book::read(const Entry& entry, std::vector<Diagnostic>* remarks) const {
    Reading reading;
    std::string text;
    if (format() == BookFormat::Pgn) {
        PgnGame pgn;
        // The length of an entry is not in the index: most games fit in the first read, and
        // doubling reads at the most twice the rest.
        for (std::size_t size = kFirstRead; size <= 2 * kLongestGame; size *= 2) {
            text = content_.read_at(entry.offset, size);
            PgnReader reader(text);
            if (!reader.next(pgn)) break;
            if (pgn.is_complete || text.size() < size) {
                reading = read_game(pgn, plies_, *game_);
                break;
            }
        }
    } else {
        text = line_at(content_, entry.offset);
        reading = format() == BookFormat::Polyglot ? read_moves(text, *game_)
                                                   : read_position(text, *game_);
    }
    // Looked at when the text has been read: a write before that has changed the time.
    if (is_overwritten(index_.summary().content, content_.stamp())) {
        throw Error(path_ +
                        ": the book was written over while it was read; put it back and "
                        "resume, or start anew",
                    4);
    }
    if (!reading.opening && reading.remarks.empty()) {
        reading.remarks.push_back({0, 1, "there is no opening here; did the file change?"});
    }
    if (remarks != nullptr) {
        for (const Remark& remark : reading.remarks) {
            if (remark.is_ending && reading.opening) continue;
            remarks->push_back(to_diagnostic(path_, entry, format(), text, remark));
        }
    }
    return reading;
}

Opening Book::at(std::uint64_t index, std::vector<Diagnostic>* remarks) const {
    ASSAY_CHECK(index < size());
    std::vector<Diagnostic> refused;
    // A book of a wrong variant may have no playable entry at all.
    const std::uint64_t most = keeps_all_ ? 1 : std::min(kMostSteps, size());
    for (std::uint64_t step = 0; step < most; ++step) {
        const std::uint64_t here = (index + step) % size();
        const Entry entry = index_.entry(here);
        Reading reading = read(entry, &refused);
        if (!reading.opening) continue;
        Opening opening = std::move(*reading.opening);
        opening.index = here;
        opening.label = fmt::format("{}:{}", file_name_, entry.line);
        if (!reading.name.empty()) opening.label += " (" + reading.name + ")";
        if (remarks != nullptr && !is_checked_) {
            remarks->insert(remarks->end(), std::make_move_iterator(refused.begin()),
                            std::make_move_iterator(refused.end()));
        }
        return opening;
    }
    Diagnostic first = refused.front();
    first.is_warning = false;
    if (!keeps_all_) {
        first.message = fmt::format("none of {} openings from here on can be played; the first: {}",
                                    most, first.message);
    }
    throw SyntaxError(first);
}

/// The steps of open_book(), which share the options and the names of the cache's files.
class BookOpener {
public:
    BookOpener(const BookOptions& options, const rules::Game& game)
        : options_(options), game_(game), file_(File::open(options.path)) {
        const std::string folder = cache_folder(options.cache_dir);
        if (folder.empty() || !file_.is_regular()) return;
        const std::string stem =
            folder + "/" + std::string(kCachePrefix) + cache_name(options.path);
        index_path_ = stem + ".idx";
        content_path_ = stem + ".txt";
    }

    [[nodiscard]] std::unique_ptr<Book> open() {
        try {
            return open_any();
        } catch (...) {
            // Nobody would look at what was unpacked for it again.
            if (is_content_cached_) ::unlink(content_path_.c_str());
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
        book->warnings_.insert(book->warnings_.begin(), left_out_.begin(), left_out_.end());
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
        if (index_path_.empty() || !std::filesystem::exists(index_path_)) return nullptr;
        try {
            auto index = BookIndex::load(File::open(index_path_));
            if (!index || index->summary().source != source_) return nullptr;
            const BookFormat format = index->summary().format;
            if (options_.format != BookFormat::Auto &&
                (is_pgn(options_.format) != is_pgn(format) ||
                 is_polyglot(options_.format) != is_polyglot(format))) {
                return nullptr;
            }
            if (index->summary().lines != lines_in(format)) return nullptr;
            // Its time says when the book was last read, for prune_cache().
            (void)::utimensat(AT_FDCWD, index_path_.c_str(), nullptr, 0);
            if (index->summary().content == source_) {
                return make(std::move(file_), std::move(*index));
            }
            File content = File::open(content_path_);
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
        Spool spool(content_path_, options_.path, options_.small_book);
        std::uint64_t unsaid = 0;
        write_polyglot_lines(
            book, options_.path, options_.plies, game_, kMostPolyglotLines,
            [&](std::uint64_t entry, const std::string& message) {
                ++entries_left_out_;
                if (left_out_.size() < kMostWarnings) {
                    left_out_.push_back(about_book(fmt::format("entry {}: {}", entry, message)));
                } else {
                    ++unsaid;
                }
            },
            [&](std::string_view line) {
                check_wanted();
                spool.write(line);
            });
        if (unsaid > 0) left_out_.push_back(about_book(fmt::format("{} more warnings", unsaid)));
        is_homeless_ = spool.is_homeless();
        // The lines stay in memory and nobody reads the unpacked book again: remove it from the
        // cache.
        if (is_unpacked_ && spool.size() <= options_.small_book) ::unlink(content_path_.c_str());
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
        Spool spool(content_path_, options_.path, options_.small_book);
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

    [[nodiscard]] std::unique_ptr<Book> check(File content) const {
        IndexSummary summary = summary_of(content);
        IndexWriter writer("", options_.path, ~std::uint64_t{0});
        std::vector<Diagnostic> warnings;
        std::uint64_t skipped = 0;
        std::uint64_t unsaid = 0;
        std::uint64_t endings = 0;
        std::optional<Diagnostic> first_ending;
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
                    if (remark.is_ending) {
                        if (++endings > 1) continue;
                        first_ending =
                            to_diagnostic(options_.path, entry, summary.format, text, remark);
                    } else if (warnings.size() < kMostWarnings) {
                        warnings.push_back(
                            to_diagnostic(options_.path, entry, summary.format, text, remark));
                    } else {
                        ++unsaid;
                    }
                }
                if (reading.opening || options_.keeps_all) {
                    writer.add(entry);
                } else {
                    ++skipped;
                }
            });
        if (!hash_.empty()) summary.hash = hash_;
        if (endings > 1) {
            first_ending = about_book(fmt::format(
                "{} games go on to their end: each line is cut before the move that ends its game",
                endings));
        }
        if (first_ending) warnings.push_back(std::move(*first_ending));
        if (unsaid > 0) warnings.push_back(about_book(fmt::format("{} more warnings", unsaid)));
        if (writer.count() == 0) throw no_opening(warnings);
        auto index = BookIndex::load(writer.finish(summary));
        ASSAY_CHECK(index.has_value());
        auto book = make(std::move(content), std::move(*index));
        book->is_checked_ = true;
        book->skipped_ = skipped;
        book->warnings_ = std::move(warnings);
        return book;
    }

    [[nodiscard]] Reading read(BookFormat format, std::string_view text, PgnGame& pgn) const {
        if (is_polyglot(format)) return read_moves(text, game_);
        if (!is_pgn(format)) return read_position(text, game_);
        PgnReader reader(text);
        ASSAY_CHECK(reader.next(pgn));
        return read_game(pgn, options_.plies, game_);
    }

    [[nodiscard]] std::unique_ptr<Book> index(File content) const {
        if (!index_path_.empty()) prune_cache(fs::path(index_path_).parent_path());
        IndexSummary summary = summary_of(content);
        IndexWriter writer(index_path_, options_.path, 0);
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
    std::string index_path_;
    std::string content_path_;
    bool is_homeless_ = false;
    bool is_unpacked_ = false;  // content_path_ is the unpacked book
    bool is_content_cached_ = false;
    std::uint64_t entries_left_out_ = 0;
    std::string hash_;                  // of a polyglot book, whose content is made from it
    std::vector<Diagnostic> left_out_;  // of its entries
};

std::unique_ptr<Book> open_book(const BookOptions& options, const rules::Game& game) {
    return BookOpener(options, game).open();
}

}  // namespace assay::openings
