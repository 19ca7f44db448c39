#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "cli/stats/game_list.h"

namespace assay::cli {

/// Where `assay stats` reads games from.
struct StatsInput {
    std::vector<std::string> pgn;
    bool leaves_out_duplicates = false;  // of the PGN's games
    std::optional<std::string> run;
    std::string match;  // of the run: its number or name; empty: the only one (or, for rate, all)
    std::string store = "assay.db";
    std::string table;
    std::vector<std::string> between;

    [[nodiscard]] bool has_games() const { return !pgn.empty() || run || !table.empty(); }
};

/// Adds --pgn, --run, --match, --db and --between. `input` outlives the app.
void add_games_options(Command& verb, StatsInput& input);

/// All games of the input. Throws Error where there is none, several kinds are mixed, or a file
/// cannot be read.
[[nodiscard]] stats::GameList read_games(const StatsInput& input);

/// The pairs of one match in schedule order, as the run's own verdict counts them.
[[nodiscard]] stats::PairList read_pairs(const StatsInput& input);

}  // namespace assay::cli
