// Finds where the entries of a book begin, and hashes the whole content on the way, in one pass
// with a fixed window: books may be larger than memory. An entry that touches the window's end is
// cut and looked at again when the window has moved on; only a game longer than the window makes it
// grow, and a game beyond 16 MiB is refused, since a comment that is never closed would otherwise
// take the rest of the book into memory.
//
// The hash is of the content as it is read, unpacked, so that a book and its archive are the same
// book to a run.
#include "openings/read/book_scan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/sha256.h"
#include "openings/read/pgn_reader.h"

namespace assay::openings {

namespace {

constexpr std::size_t kWindow = std::size_t{256} << 10U;

/// A part of the content that moves forward; each byte is hashed as it comes in.
class Window {
public:
    explicit Window(const File& content) : content_(content), bytes_(kWindow) {}

    [[nodiscard]] std::string_view text() const { return {bytes_.data(), filled_}; }

    /// Of the window's first byte in the content.
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

    [[nodiscard]] bool is_last() const { return is_last_; }

    /// Drops `used` bytes at the front and fills up; where nothing was used, the window doubles.
    void advance(std::size_t used) {
        if (used == 0 && filled_ == bytes_.size()) bytes_.resize(bytes_.size() * 2);
        std::memmove(bytes_.data(), bytes_.data() + used, filled_ - used);
        filled_ -= used;
        offset_ += used;
        const std::size_t room = bytes_.size() - filled_;
        const std::size_t got = content_.read_at(offset_ + filled_, bytes_.data() + filled_, room);
        hash_.add({bytes_.data() + filled_, got});
        filled_ += got;
        is_last_ = got < room;
    }

    [[nodiscard]] std::string hash() { return hash_.hex(); }

private:
    const File& content_;
    std::vector<char> bytes_;
    std::size_t filled_ = 0;
    std::uint64_t offset_ = 0;
    bool is_last_ = false;
    Sha256 hash_;
};

/// Numbers the entries and knows the line of each.
class EntryCounter {
public:
    [[nodiscard]] Entry next(std::uint64_t offset, std::uint64_t line) {
        constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
        ++number_;
        return {offset, static_cast<std::uint32_t>(std::min(line, kMost)),
                static_cast<std::uint32_t>(std::min(number_, kMost))};
    }

private:
    std::uint64_t number_ = 0;
};

std::uint64_t newlines(std::string_view text) {
    return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

bool is_entry(std::string_view line, WhichLines which) {
    if (which == WhichLines::All) return !line.empty() && line != "\r";
    for (const char c : line) {
        if (c == ' ' || c == '\t' || c == '\r') continue;
        return c != '#' && c != '%' && c != ';';
    }
    return false;
}

}  // namespace

std::string scan_lines(const File& content, const OnEntry& on_entry, WhichLines which) {
    Window window(content);
    EntryCounter counter;
    std::uint64_t line = 1;
    window.advance(0);
    if (window.text().starts_with("\xef\xbb\xbf")) window.advance(3);
    bool in_long_line = false;  // its front is dealt with
    while (!window.text().empty()) {
        const std::string_view text = window.text();
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t newline = text.find('\n', at);
            const bool is_cut = newline == std::string_view::npos;
            // A line at the very front that does not fit is the exception: it is taken by its
            // front, and the rest of it is stepped over (in_long_line).
            if (is_cut && !window.is_last() && at > 0) break;
            const std::string_view each = text.substr(at, is_cut ? newline : newline - at);
            if (!in_long_line && is_entry(each, which)) {
                on_entry(counter.next(window.offset() + at, line), each);
            }
            in_long_line = is_cut;
            if (!is_cut) ++line;
            at = is_cut ? text.size() : newline + 1;
        }
        window.advance(at);
    }
    return window.hash();
}

std::string scan_games(const File& content, const OnEntry& on_entry) {
    Window window(content);
    EntryCounter counter;
    std::uint64_t line = 1;
    window.advance(0);
    while (!window.text().empty()) {
        const std::string_view text = window.text();
        PgnReader reader(text);
        PgnGame game;
        std::size_t used = 0;
        while (reader.skip(game)) {
            if (!game.is_complete && !window.is_last()) break;
            line += newlines(text.substr(used, game.begin - used));
            on_entry(counter.next(window.offset() + game.begin, line), text.substr(game.begin));
            line += newlines(text.substr(game.begin, game.end - game.begin));
            used = game.end;
        }
        if (window.is_last()) break;
        if (used == 0 && text.size() >= kLongestGame) {
            Diagnostic d;
            d.path = content.name();
            d.line = static_cast<std::size_t>(line + newlines(text.substr(0, game.begin)));
            d.column = 1;
            d.message = "a game of more than 16 MiB: is a comment never closed?";
            throw SyntaxError(d);
        }
        window.advance(used);
    }
    return window.hash();
}

}  // namespace assay::openings
