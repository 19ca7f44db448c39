#include "engines/search/game_state.h"

#include <algorithm>

namespace assay::engines {

void MoveNames::learn(const rules::Position& position, Move move) {
    const auto [at, is_new] = names_.try_emplace(move);
    if (is_new) at->second = position.name_of(move, rules::Notation::Canonical);
}

void MoveNames::write(Move move, char* text, const void* names) {
    const auto& all = static_cast<const MoveNames*>(names)->names_;
    const auto at = all.find(move);
    const std::string name = at == all.end() ? "0000" : at->second.substr(0, 31);
    std::copy_n(name.c_str(), name.size() + 1, text);
}

int value_of_outcome(const rules::Outcome& outcome, int player, int ply) {
    const float own = outcome.scores[static_cast<std::size_t>(player)];
    // A lone player has nobody to share with: half a point is a draw there too.
    const float other = outcome.scores.players == 1
                            ? 1 - own
                            : outcome.scores[static_cast<std::size_t>(1 - player)];
    if (own == other) return 0;
    return own > other ? won_at(ply) : lost_at(ply);
}

int RulesOnly::side() const {
    const int player = position_.to_move();
    return player < 0 ? 0 : player;
}

std::optional<Judgement> RulesOnly::judge(const Path& path, std::uint64_t key, int ply) const {
    const auto outcome = position_.verdict();
    if (!outcome) return std::nullopt;
    Judgement judgement;
    judgement.value = value_of_outcome(*outcome, side(), ply);
    if (outcome->basis == rules::OutcomeBasis::Repetition) {
        judgement.reach = path.last_equal(key, ply).value_or(-1);
    }
    if (outcome->basis == rules::OutcomeBasis::Counter) judgement.reach = -1;
    return judgement;
}

void GameState::make(Move move) {
    if (names_ != nullptr) names_->learn(position_, move);
    path_.push(position_.hash());
    position_.make(move);
}

void GameState::undo() {
    position_.undo();
    path_.pop();
}

std::uint64_t GameState::signature(Move move) {
    return position_.signature(move);
}

}  // namespace assay::engines
