#include "engines/chess_player/chess_backend.h"

#include <algorithm>

#include "engines/chess_player/chess_search.h"
#include "rules/chess/notation.h"

namespace assay::engines {

namespace {

void write_move_name(Move move, char* text, const void* context) {
    const bool chess960 = static_cast<const PlayerOptions*>(context)->chess960;
    const auto variant =
        chess960 ? rules::chess::Variant::Chess960 : rules::chess::Variant::Standard;
    const std::string name = move == kNoMove ? "0000" : rules::chess::write_uci(move, variant);
    std::copy_n(name.c_str(), name.size() + 1, text);
}

}  // namespace

ChessBackend::ChessBackend()
    : SearchBackend("player", PlayerOptions{}),
      standard_(rules::make_game("chess")),
      chess960_(rules::make_game("chess960")) {}

const rules::Game& ChessBackend::game() const {
    return options().chess960 ? *chess960_ : *standard_;
}

std::optional<std::string> ChessBackend::check(const PlayerOptions& options) const {
    return check_options(options);
}

std::optional<std::string> ChessBackend::open_log() {
    return stores().open_log(options().tree_log, "chess", write_move_name, &options());
}

int ChessBackend::player_of(const rules::Position& position) const {
    return root_of(position).board.side() == rules::chess::Color::White ? 0 : 1;
}

std::vector<Line> ChessBackend::search(const rules::Position& position, const Limits& limits,
                                       Control& control) {
    return engines::search(position, options(), stores().memory(), limits, control, stores().log());
}

}  // namespace assay::engines
