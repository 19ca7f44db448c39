// Lines of a text, plain or compressed, with little of it in memory. Text is read in chunks; a line
// that ends within the buffer is returned as a view, and the buffer moves only when it has no
// complete line left. A last line without its end means that the file was cut, which is an error
// here and not a shorter answer.
#include "gtql/log/import/line_source.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace assay::gtql {

namespace {

constexpr std::size_t kChunk = 1U << 18;
constexpr std::size_t kMostLine = 1U << 24;

Packing packing_in(const RandomAccess& file) {
    std::string first(std::min<std::uint64_t>(file.size(), 262), '\0');
    file.read(0, std::as_writable_bytes(std::span(first)));
    const std::string_view foreign = foreign_kind(first);
    if (!foreign.empty()) throw Error(file.name() + ": error: " + std::string(foreign));
    return packing_of(first);
}

}  // namespace

LineSource::LineSource(const RandomAccess& file)
    : file_(file), unpacker_(packing_in(file), file.name()) {}

void LineSource::fail(const std::string& what) const {
    throw Error(file_.name() + ":" + std::to_string(number_ + 1) + ": error: " + what);
}

bool LineSource::next(std::string_view& line) {
    std::size_t searched = begin_;
    while (true) {
        const std::size_t end = text_.find('\n', searched);
        if (end != std::string::npos) {
            line = std::string_view(text_).substr(begin_, end - begin_);
            if (line.ends_with('\r')) line.remove_suffix(1);
            // The byte order mark that some programs write before UTF-8.
            if (number_ == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
            begin_ = end + 1;
            ++number_;
            return true;
        }
        if (text_.size() - begin_ > kMostLine) fail("the line is longer than 16 MiB");
        searched = text_.size() - begin_;
        text_.erase(0, begin_);
        begin_ = 0;
        if (!fill()) break;
    }
    if (!text_.empty()) fail("the last line has no end: the file is cut");
    return false;
}

bool LineSource::fill() {
    while (true) {
        const std::string_view piece = unpacker_.next(unused_);
        text_ += piece;
        if (!piece.empty()) return true;
        if (!unused_.empty()) continue;
        input_.resize(std::min<std::uint64_t>(kChunk, file_.size() - at_));
        if (input_.empty()) break;
        file_.read(at_, std::as_writable_bytes(std::span(input_)));
        at_ += input_.size();
        unused_ = input_;
    }
    unpacker_.finish();
    return false;
}

}  // namespace assay::gtql
