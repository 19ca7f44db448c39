#include "openings/read/book_format.h"

#include <string>

#include "base/check.h"
#include "base/enum_names.h"
#include "base/text.h"

namespace assay::openings {

std::unique_ptr<rules::Position> position_after(const Opening& opening, const rules::Game& game) {
    auto position = opening.start.empty() ? game.start() : game.parse(opening.start);
    for (const std::string& name : opening.moves) {
        const auto move = position->move_of(name, rules::Notation::Canonical);
        ASSAY_CHECK(move.has_value());
        position->make(*move);
    }
    return position;
}

BookFormat format_of_name(std::string_view path) {
    std::string name = lower(path);
    for (const std::string_view suffix : {".gz", ".zst"}) {
        if (name.ends_with(suffix)) name.erase(name.size() - suffix.size());
    }
    if (name.ends_with(".pgn")) return BookFormat::Pgn;
    if (name.ends_with(".epd")) return BookFormat::Epd;
    if (name.ends_with(".fen")) return BookFormat::Fen;
    if (name.ends_with(".bin")) return BookFormat::Polyglot;
    return BookFormat::Auto;
}

std::string_view name_of(BookFormat format) {
    return enum_names<BookFormat>("auto", "epd", "pgn", "fen", "polyglot").of(format);
}

}  // namespace assay::openings
