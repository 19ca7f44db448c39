#include "engines/uci_position.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::engines {

UciPosition::UciPosition() : game_(rules::make_game("chess")), position_(game_->start()) {}

void UciPosition::set_chess960(bool is_on) {
    game_ = rules::make_game(is_on ? "chess960" : "chess");
    position_ = game_->start();
    text_.clear();
}

void UciPosition::read(std::string_view text) {
    text = trim(text);
    const bool continues = !text_.empty() && text.starts_with(text_) &&
                           (text.size() == text_.size() || text[text_.size()] == ' ');
    if (!continues) restart(text);
    std::string_view rest = text.substr(std::min(text_.size(), text.size()));
    while (true) {
        const std::string_view word = take_word(rest);
        if (word.empty()) break;
        if (word == "moves") continue;
        const auto move = position_->move_of(word, rules::Notation::Protocol);
        if (!move) break;
        position_->make(*move);
    }
    text_.assign(text);
}

void UciPosition::restart(std::string_view text) {
    const std::string_view start = text.substr(0, text.find(" moves"));
    std::string_view fen = start;
    const std::string_view kind = take_word(fen);
    text_.assign(start);
    position_ = game_->start();
    if (kind != "fen") return;
    try {
        position_ = game_->parse(trim(fen));
    } catch (const Error&) {
        text_.clear();  // so that the next line starts anew
    }
}

}  // namespace assay::engines
