#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/game.h"

namespace assay::engines {

/// The worth of each kind of piece, in hundredths of the least kind. Kinds are named as in
/// rules::PictureField::piece; where a game has one kind, its name is empty.
class PieceWorths {
public:
    /// Estimates the worths from games played at random, the same ones each time: a piece is worth
    /// what it can do. All are worth the same in a game without a board.
    [[nodiscard]] static PieceWorths learn(const rules::Game& game);

    /// Replaces worths by those in a text: "queen 900 rook 500". Returns a sentence if the text is
    /// not understood; nothing has changed then.
    [[nodiscard]] std::optional<std::string> set(std::string_view text);

    /// 100 for an unknown kind.
    [[nodiscard]] int of(std::string_view kind) const;

private:
    void put(std::string_view kind, int worth);

    std::vector<std::pair<std::string, int>> worths_;  // of the few kinds that a game has
};

}  // namespace assay::engines
