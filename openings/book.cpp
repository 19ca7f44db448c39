// A game of the match asks for entry i; which one that is depends on the numbering alone. So steps
// over unplayable entries end at the next playable one, the same at every run, and no state is
// kept.
#include "openings/book.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace assay::openings {

namespace {

constexpr std::uint64_t kMostSteps = 1000;
constexpr std::size_t kLongestEntry = 262'144;
constexpr std::size_t kFirstRead = 4096;
constexpr std::size_t kFirstLine = 256;

/// Of a file that is read where it lies: no content of its own was kept.
bool is_overwritten(const FileStamp& then, const FileStamp& now) {
    return then.size != now.size || then.modified_ns != now.modified_ns;
}

std::string line_at(const File& content, std::uint64_t offset) {
    std::string text;
    std::size_t end = std::string::npos;
    for (std::size_t size = kFirstLine; size <= kLongestEntry; size *= 4) {
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
      file_name_(std::filesystem::path(path_).filename().string()),
      game_(&game),
      plies_(plies),
      content_(std::move(content)),
      index_(std::move(index)) {}

Diagnostic Book::to_diagnostic(const std::string& path, const Entry& entry, BookFormat format,
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

}  // namespace assay::openings
