#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engines/chess_player/evaluation.h"
#include "engines/search/settings.h"

namespace assay::engines {

/// Everything that UCI can set on the player.
struct PlayerOptions {
    Settings search;
    EvaluationKind evaluation = EvaluationKind::Full;
    bool generic = false;  // reach the rules through the interface of all games
    std::size_t hash_mb = 16;
    int lines = 1;
    int overhead_ms = 10;
    bool chess960 = false;
    std::string tree_log;
};

/// The lines that answer `uci`, with the default of each option.
[[nodiscard]] std::string declare_options();

/// Sets one option; names and choices are compared without case. nullopt, or a sentence with the
/// mistake, and then nothing has changed.
[[nodiscard]] std::optional<std::string> set_option(PlayerOptions& options, std::string_view name,
                                                    std::string_view value);

/// nullopt, or a sentence that says which options are incompatible.
[[nodiscard]] std::optional<std::string> check_options(const PlayerOptions& options);

}  // namespace assay::engines
