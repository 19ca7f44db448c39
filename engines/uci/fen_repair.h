#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rules/game.h"

namespace assay::engines {

/// A position that was read after its text had been repaired, and a sentence about it.
struct RepairedPosition {
    std::unique_ptr<rules::Position> position;
    std::string sentence;
};

/// Adds the counters that a FEN of chess may lack, 0 and 1, as many programs do; the text of
/// another game is left as it is.
[[nodiscard]] std::string with_counters(const rules::Game& game, std::string_view text);

/// If only castling rights are wrong, because king or rook are not in place, reads the position
/// without the wrong ones, as many programs do. nullopt where that does not help.
[[nodiscard]] std::optional<RepairedPosition> repair_rights(const rules::Game& game,
                                                            std::string_view text);

}  // namespace assay::engines
