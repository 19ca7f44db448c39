#pragma once
#include <memory>
#include <string>
#include <vector>

#include "rules/game.h"

namespace assay::tests {

/// Noughts and crosses, a game small enough to be searched to its end. A move is a square from 1
/// (upper left) to 9; the text is nine of x, o and -, then a blank and who moves.
[[nodiscard]] std::unique_ptr<rules::Game> make_tic_tac_toe(const std::string& name = "tic-tac-toe",
                                                            std::vector<std::string> players = {
                                                                "X", "O"});

}  // namespace assay::tests
