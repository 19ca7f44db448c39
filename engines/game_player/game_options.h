#pragma once
#include <optional>
#include <string>

#include "engines/uci/search_options.h"

namespace assay::engines {

/// Everything that UCI can set on the player of any game.
struct GameOptions : SearchOptions {
    /// Passing and its null moves need a game's own code.
    GameOptions() { search.null_move = false; }

    bool has_worths = true;  // pieces have a worth; else only the result of a game counts
    std::string worths;      // of kinds whose estimate is to be replaced: "queen 900 rook 500"
    int mobility = 0;        // hundredths that each legal move is worth
};

/// REQUIRES: `options` outlives the table.
[[nodiscard]] OptionTable table_of(GameOptions& options);

/// nullopt, or a sentence that says what is wrong with the options together.
[[nodiscard]] std::optional<std::string> check_options(const GameOptions& options);

}  // namespace assay::engines
