// One form for all messages about a text, the one that compilers have and editors understand: file,
// line, column, message, the line and a caret. Offsets travel through parsers; lines and columns
// are counted only here, when a message is made. Columns count bytes, as editors jump by them; the
// caret is moved by what is escaped before it.
#include "base/diagnostic.h"

#include <algorithm>
#include <numeric>

#include "base/credentials.h"
#include "base/text.h"

namespace assay {

namespace {

constexpr std::size_t kLongestShownLine = 200;
// Of a message, which may quote a word of the text that has megabytes: what it begins and ends
// with.
constexpr std::size_t kLongestMessage = 2000;
constexpr std::size_t kMessageHead = 1200;
constexpr std::size_t kMessageTail = 400;
constexpr std::size_t kFarthestName = 2;

/// A part of a source line: a control character is one column, and nothing is left that a terminal
/// or a CI system would obey.
std::string printable(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == '\t')
            c = ' ';
        else if (byte < 0x20 || byte == 0x7f)
            c = '?';
    }
    return printable_utf8(out);
}

/// The message, cut in its middle if it is too long to be read.
std::string readable(std::string_view message) {
    if (message.size() <= kLongestMessage) return std::string(message);
    const auto is_inside = [&](std::size_t at) {  // a character of UTF-8
        return (static_cast<unsigned char>(message[at]) & 0xc0U) == 0x80U;
    };
    std::size_t head = kMessageHead;
    while (head > 0 && is_inside(head)) --head;
    std::size_t tail = message.size() - kMessageTail;
    while (tail < message.size() && is_inside(tail)) ++tail;
    return std::string(message.substr(0, head)).append(" ... ").append(message.substr(tail));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t change =
                diagonal + (to_lower(a[i - 1]) == to_lower(b[j - 1]) ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, change});
            diagonal = above;
        }
    }
    return row.back();
}

std::string join_formatted(const std::vector<Diagnostic>& diagnostics) {
    std::string out;
    for (const Diagnostic& d : diagnostics) out += format(d);
    if (!out.empty()) out.pop_back();
    return out;
}

/// A config may hold an address with a token, and its messages go to logs.
std::vector<Diagnostic> hidden(std::vector<Diagnostic> diagnostics) {
    for (Diagnostic& d : diagnostics) {
        d.message = without_credentials(d.message);
        d.source_line = with_hidden_credentials(d.source_line);
    }
    return diagnostics;
}

}  // namespace

std::string format(const Diagnostic& d) {
    std::string out = printable_utf8(d.path);
    if (d.line > 0) out += ":" + std::to_string(d.line) + ":" + std::to_string(d.column);
    out += d.is_warning ? ": warning: " : ": error: ";
    out += readable(d.message) + "\n";
    if (d.line == 0 || d.source_line.empty()) return out;

    std::size_t column = std::min(d.column - 1, d.source_line.size());
    std::string_view shown = d.source_line;
    if (shown.size() > kLongestShownLine) {
        const std::size_t from =
            column > kLongestShownLine / 2 ? column - kLongestShownLine / 2 : 0;
        shown = shown.substr(from, kLongestShownLine);
        column -= from;
    }
    const std::size_t most =
        std::max<std::size_t>(1, shown.size() - std::min(column, shown.size()));
    const std::size_t width = std::clamp<std::size_t>(d.width, 1, most);
    // What is escaped before the mark moves it.
    const std::size_t moved = printable(shown.substr(0, column)).size();
    out += "  " + printable(shown) + "\n";
    out += "  " + std::string(moved, ' ') + "^" + std::string(width - 1, '~') + "\n";
    return out;
}

Diagnostic Source::at(Span where, std::string message) const {
    const std::size_t begin = std::min(where.begin, text_.size());
    const std::string_view before = text_.substr(0, begin);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t last_newline = before.rfind('\n');
    const std::size_t line_begin = last_newline == std::string_view::npos ? 0 : last_newline + 1;
    const std::size_t width = where.end > where.begin ? where.end - where.begin : 1;
    return at_line(line, begin - line_begin + 1, width, std::move(message));
}

Diagnostic Source::at_line(std::size_t line, std::size_t column, std::size_t width,
                           std::string message) const {
    std::string_view rest = text_;
    for (std::size_t i = 1; i < line; ++i) {
        const std::size_t newline = rest.find('\n');
        if (newline == std::string_view::npos) break;
        rest.remove_prefix(newline + 1);
    }
    std::string_view shown = rest.substr(0, rest.find('\n'));
    if (!shown.empty() && shown.back() == '\r') shown.remove_suffix(1);

    Diagnostic d;
    d.path = path_;
    d.line = line;
    d.column = std::max<std::size_t>(column, 1);
    d.width = width;
    d.message = std::move(message);
    d.source_line = std::string(shown);
    return d;
}

SyntaxError::SyntaxError(std::vector<Diagnostic> diagnostics)
    : SyntaxError(Hidden{}, hidden(std::move(diagnostics))) {}

SyntaxError::SyntaxError(Hidden /*tag*/, std::vector<Diagnostic> diagnostics)
    : Error(join_formatted(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::string nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
    std::string_view best;
    std::size_t best_distance = kFarthestName + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance && distance < word.size()) {
            best = candidate;
            best_distance = distance;
        }
    }
    return std::string(best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    const std::string name = nearest_name(word, candidates);
    return name.empty() ? "" : "; did you mean '" + name + "'?";
}

}  // namespace assay
