// Reads `position` commands. A GUI repeats the whole game before each move, so that a naive reader
// replays n moves at move n. Here the text of the last command is kept: where the new one continues
// it, only the new moves are made. Positions that GUIs send are not always valid, and a player that
// refuses them is useless to its user; missing counters and impossible castling rights are
// repaired, and the repair is reported.
#include "engines/uci/uci_position.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/make_game.h"

namespace assay::engines {

namespace {

std::string joined(const std::vector<std::string>& fields) {
    std::string fen;
    for (const std::string& field : fields) fen += (fen.empty() ? "" : " ") + field;
    return fen;
}

}  // namespace

UciPosition::UciPosition() : game_(rules::make_game("chess")), position_(game_->start()) {}

void UciPosition::set_chess960(bool is_on) {
    game_ = rules::make_game(is_on ? "chess960" : "chess");
    position_ = game_->start();
    is_known_ = true;
    text_.clear();
}

std::optional<std::string> UciPosition::read(std::string_view text) {
    text = trim(text);
    const bool continues = !text_.empty() && text.starts_with(text_) &&
                           (text.size() == text_.size() || text[text_.size()] == ' ');
    std::optional<std::string> wrong;
    if (!continues) wrong = restart(text);
    if (!is_known_) return wrong;
    std::string_view rest = text.substr(std::min(text_.size(), text.size()));
    while (true) {
        const std::string_view word = take_word(rest);
        if (word.empty()) break;
        if (word == "moves") continue;
        const auto move = position_->move_of(word, rules::Notation::Canonical);
        if (!move) {
            text_.clear();  // the next command is read from its start
            return "'" + printable_utf8(word) + "' is not a legal move after " +
                   std::to_string(position_->ply()) + " plies: it and all later moves are ignored";
        }
        position_->make(*move);
    }
    text_.assign(text);
    return wrong;
}

std::optional<std::string> UciPosition::restart(std::string_view text) {
    const std::string_view start = text.substr(0, text.find(" moves"));
    std::string_view rest = start;
    const std::string_view kind = take_word(rest);
    text_.assign(start);
    position_ = game_->start();
    is_known_ = true;
    if (kind == "startpos") return std::nullopt;
    if (kind != "fen") {
        is_known_ = false;
        text_.clear();
        return "expected 'startpos' or 'fen' with a position, found '" + printable_utf8(kind) + "'";
    }
    std::vector<std::string> fields;
    for (const std::string_view word : split_words(rest)) fields.emplace_back(word);
    while (fields.size() >= 4 && fields.size() < 6)
        fields.emplace_back(fields.size() == 4 ? "0" : "1");
    try {
        position_ = game_->parse(joined(fields));
        return std::nullopt;
    } catch (const Error& error) {
        if (auto said = repair_rights(fields)) return said;
        is_known_ = false;
        text_.clear();
        return std::string(error.what());
    }
}

std::optional<std::string> UciPosition::repair_rights(std::vector<std::string> fields) {
    if (fields.size() != 6) return std::nullopt;
    const std::string rights = std::exchange(fields[2], "-");
    std::string kept;
    for (const char right : rights) {
        fields[2] = right;
        if (parse(joined(fields))) kept += right;
    }
    fields[2] = kept.empty() ? "-" : kept;
    auto repaired = parse(joined(fields));
    if (!repaired) return std::nullopt;
    position_ = std::move(repaired);
    return "castling '" + printable_utf8(rights) + "' is read as '" + fields[2] +
           "': there is no king or rook for the others";
}

/// Null if the text is not a position.
std::unique_ptr<rules::Position> UciPosition::parse(const std::string& fen) const {
    try {
        return game_->parse(fen);
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace assay::engines
