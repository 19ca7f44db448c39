#pragma once
#include <memory>

#include "rules/game.h"

namespace assay::tests {

/// A race with a die of three sides: before each turn chance rolls, then the player walks so many
/// fields or stays, and who is first on field 8 has won. The text is both players' fields, whose
/// turn it is (a or b) and the roll ("?" before it): "0 3 b 2". Moves are "walk" and "stay", events
/// "1" to "3".
[[nodiscard]] std::unique_ptr<rules::Game> make_dice_race();

}  // namespace assay::tests
