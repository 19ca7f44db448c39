#include "engines/game_player/game_knowledge.h"

#include <algorithm>

namespace assay::engines {

bool has_quiet_moves(const rules::Game& game) {
    const auto start = game.start();
    std::vector<Move> moves;
    start->moves(moves);
    return std::ranges::any_of(moves, [&](Move move) { return !start->is_loud(move); });
}

GameKnowledge::GameKnowledge(const rules::Game& game, const rules::Position& position,
                             const GameOptions& options, const PieceWorths& worths, bool has_quiet)
    : RulesOnly(position), options_(options), worths_(worths), has_quiet_(has_quiet) {
    for (const rules::PictureField& content : game.contents()) {
        const int worth = content.owner < 0 ? 0 : worths_.of(content.piece);
        values_.push_back(content.owner == 0 ? worth : -worth);
    }
}

int GameKnowledge::promise(Move move) const {
    // Where the mover is attacked every move counts as loud, so that none stands out.
    return has_quiet_ && position().is_loud(move) && !in_check() ? 1 : 0;
}

int GameKnowledge::worth_of_pieces(int player) const {
    const auto contents = position().contents();
    if (!contents.empty()) {
        int sum = 0;
        for (const std::uint8_t content : contents) sum += values_[content];
        return player == 0 ? sum : -sum;
    }
    const auto picture = position().picture();
    if (!picture) return 0;
    int sum = 0;
    for (const rules::PictureField& field : picture->fields) {
        if (field.owner < 0) continue;
        const int worth = worths_.of(field.piece);
        sum += field.owner == player ? worth : -worth;
    }
    return sum;
}

int GameKnowledge::evaluate() const {
    int value = options_.has_worths ? worth_of_pieces(side()) : 0;
    if (options_.mobility > 0) {
        std::vector<Move> moves;
        position().moves(moves);
        value += options_.mobility * static_cast<int>(moves.size());
    }
    return std::clamp(value, 1 - kSureWin, kSureWin - 1);
}

}  // namespace assay::engines
