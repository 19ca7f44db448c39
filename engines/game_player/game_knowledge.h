#pragma once
#include <vector>

#include "engines/game_player/game_options.h"
#include "engines/game_player/piece_worths.h"
#include "engines/search/game_state.h"

namespace assay::engines {

/// Whether some move of the game's start leaves the other side's pieces alone. In a game that has
/// none (othello, clobber) a move that changes the material says nothing, and no position is quiet.
[[nodiscard]] bool has_quiet_moves(const rules::Game& game);

/// Knows of a game what its interface tells: the pieces on the board, the number of moves, and
/// which moves change the material.
class GameKnowledge final : public RulesOnly {
public:
    static constexpr Abilities kAbilities{false, true, false, false};

    /// `has_quiet`: of has_quiet_moves(). REQUIRES: all references outlive this.
    GameKnowledge(const rules::Game& game, const rules::Position& position,
                  const GameOptions& options, const PieceWorths& worths, bool has_quiet);

    [[nodiscard]] Abilities abilities() const override { return kAbilities; }

    /// Own worth less that of all others, and the moves that there are.
    [[nodiscard]] int evaluate() const override;

    [[nodiscard]] bool in_check() const override { return position().is_loud(kNoMove); }

    /// 1 for a move that changes the material, where the game has others.
    [[nodiscard]] int promise(Move move) const override;

private:
    [[nodiscard]] int worth_of_pieces(int player) const;

    const GameOptions& options_;
    const PieceWorths& worths_;
    bool has_quiet_;
    std::vector<int> values_;  // by number in rules::Position::contents(), for the first player
};

}  // namespace assay::engines
