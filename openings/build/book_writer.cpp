// One opening as text, in a form that every other tester reads. EPD has four fields and no
// counters, so that counters other than those of a start position go into the operations of the
// standard (hmvc, fmvn) and are not lost. PGN is its export format as far as readers insist on it:
// the seven tags in their order, lines below 80 columns, a result at the end.
#include "openings/build/book_writer.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "openings/read/book_format.h"

namespace assay::openings {

namespace {

constexpr std::size_t kLineWidth = 79;
constexpr std::size_t kFenFields = 6;

std::string write_epd(const std::string& text) {
    const std::vector<std::string_view> fields = split_words(text);
    ASSAY_CHECK(fields.size() == kFenFields);
    std::string out = fmt::format("{} {} {} {}", fields[0], fields[1], fields[2], fields[3]);
    if (fields[4] != "0" || fields[5] != "1") {
        out += fmt::format(" hmvc {}; fmvn {};", fields[4], fields[5]);
    }
    return out + "\n";
}

std::string escape_tag(std::string_view value) {
    std::string out;
    for (const char c : value) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

/// Words, broken into lines.
class Paragraph {
public:
    void add(std::string_view word) {
        if (!text_.empty()) {
            const bool fits = column_ + 1 + word.size() <= kLineWidth;
            text_ += fits ? ' ' : '\n';
            column_ = fits ? column_ + 1 : 0;
        }
        text_ += word;
        column_ += word.size();
    }

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
    std::size_t column_ = 0;
};

std::string write_pgn(const Opening& opening, const rules::Game& game) {
    std::string out = fmt::format(
        "[Event \"{}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{}\"]\n[White \"?\"]\n"
        "[Black \"?\"]\n[Result \"*\"]\n",
        escape_tag(opening.label), opening.index + 1);
    const std::string& variant = game.info().pgn_variant;
    if (!variant.empty()) out += fmt::format("[Variant \"{}\"]\n", variant);
    auto position = opening.start.empty() ? game.start() : game.parse(opening.start);
    if (!opening.start.empty()) {
        out += fmt::format("[SetUp \"1\"]\n[FEN \"{}\"]\n", opening.start);
    }
    Paragraph moves;
    for (std::size_t i = 0; i < opening.moves.size(); ++i) {
        const auto move = position->move_of(opening.moves[i], rules::Notation::Canonical);
        ASSAY_CHECK(move.has_value());
        if (position->to_move() == 0) {
            moves.add(fmt::format("{}.", position->move_number()));
        } else if (i == 0) {
            moves.add(fmt::format("{}...", position->move_number()));
        }
        moves.add(position->name_of(*move, rules::Notation::Text));
        position->make(*move);
    }
    moves.add("*");
    return out + "\n" + moves.text() + "\n\n";
}

}  // namespace

BookFormat format_to_write(const std::string& name) {
    const BookFormat format = format_of_name(name);
    if (format == BookFormat::Auto || format == BookFormat::Polyglot) {
        throw Error(
            "'" + name +
            "': expected a name that ends in .epd, .fen or .pgn, and then maybe .gz or .zst");
    }
    return format;
}

std::string write_opening(const Opening& opening, BookFormat format, const rules::Game& game) {
    ASSAY_CHECK(format != BookFormat::Auto && format != BookFormat::Polyglot);
    const rules::OpeningFormats& formats = game.info().formats;
    if (format == BookFormat::Pgn) {
        if (!formats.pgn) throw Error(fmt::format("there is no PGN of {}", game.name()));
        return write_pgn(opening, game);
    }
    const std::string text = position_after(opening, game)->text();
    return format == BookFormat::Epd && formats.epd ? write_epd(text) : text + "\n";
}

}  // namespace assay::openings
