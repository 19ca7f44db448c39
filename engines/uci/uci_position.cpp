// Reads `position` commands. A GUI repeats the whole game before each move, so that a naive reader
// replays n moves at move n. Here the text of the last command is kept: where the new one continues
// it, only the new moves are made. Positions that GUIs send are not always valid, and a player that
// refuses them is useless to its user; missing counters and impossible castling rights are
// repaired, and the repair is reported.
#include "engines/uci/uci_position.h"

#include <algorithm>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "engines/uci/fen_repair.h"
#include "rules/make_game.h"

namespace assay::engines {

UciPosition::UciPosition(const rules::Game& game) : game_(&game), position_(game.start()) {}

void UciPosition::set_game(const rules::Game& game) {
    game_ = &game;
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
    const std::string position = with_counters(*game_, trim(rest));
    try {
        position_ = game_->parse(position);
        return std::nullopt;
    } catch (const Error& error) {
        if (auto repaired = repair_rights(*game_, position)) {
            position_ = std::move(repaired->position);
            return repaired->sentence;
        }
        is_known_ = false;
        text_.clear();
        return std::string(error.what());
    }
}

}  // namespace assay::engines
