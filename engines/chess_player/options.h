#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "engines/chess_player/evaluation.h"
#include "engines/uci/search_options.h"

namespace assay::engines {

/// Everything that UCI can set on the player.
struct PlayerOptions : SearchOptions {
    EvaluationKind evaluation = EvaluationKind::Full;
    bool generic = false;  // reach the rules through the interface of all games
    bool chess960 = false;
};

/// REQUIRES: `options` outlives the table.
[[nodiscard]] OptionTable table_of(PlayerOptions& options);

/// Sets one option. nullopt, or a sentence with the mistake, and then nothing has changed.
[[nodiscard]] std::optional<std::string> set_option(PlayerOptions& options, std::string_view name,
                                                    std::string_view value);

/// nullopt, or a sentence that says which options are incompatible.
[[nodiscard]] std::optional<std::string> check_options(const PlayerOptions& options);

}  // namespace assay::engines
