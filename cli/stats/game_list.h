#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stats/data/counts.h"
#include "stats/estimate/davidson.h"

namespace assay::cli {

/// One finished game between two programs of a list.
struct ListedGame {
    std::size_t first = 0;  // had the first move
    std::size_t second = 0;
    int half_points = 0;        // of the first
    std::int64_t pair = -1;     // games of a pair share it; -1: no partner was found
    std::int64_t opening = -1;  // equal openings share it; -1: not known
};

/// Results of games as a PGN, a run or a table has them: what `assay stats` can work on.
struct GameList {
    std::vector<std::string> programs;      // in the order they appear
    std::vector<ListedGame> games;          // in order; pairs are numbered by their second game
    std::vector<stats::RatedGames> counts;  // of a table: games counted, no order known
    std::int64_t unfinished = 0;            // games without a result, left out
    std::int64_t faults = 0;                // places that could not be read, stepped over
    std::string note;  // one sentence on what was read and how games became pairs

    [[nodiscard]] std::int64_t pairs() const;
};

/// Reads games from PGN. Two games are a pair if the same two programs played them with sides
/// changed, from the same opening (FEN and moves marked as book) where it is told, in the same
/// round where rounds are written as 12.1 and 12.2; where neither is told, one after the other.
/// Never fails: what is no game is counted in `faults`.
[[nodiscard]] GameList games_of_pgn(std::string_view text);

/// Reads lines `A,B,wins,draws,losses` (or with tabs, semicolons or blanks), from the view of A;
/// a sixth column names the cluster (pair, opening) of dependent games. A first line
/// `first,second,wins,draws,losses` says that the first-named had the first move. Lines that begin
/// with # are skipped. Throws SyntaxError with all that is wrong.
[[nodiscard]] GameList games_of_table(const std::string& path, std::string_view text);

/// A match of two programs out of a list, in order.
struct PairList {
    std::string first;
    std::string second;
    std::vector<std::uint8_t> cells;  // 3 * (first's result as first player) + the other; 0 1 2
    stats::Pentanomial pentanomial;
    stats::Wdl wdl;  // of the games in pairs
    std::int64_t first_player_wins = 0;
    std::int64_t single = 0;  // games without a partner, not counted
    std::string input;        // the list's note

    [[nodiscard]] std::int64_t pairs() const { return pentanomial.pairs(); }

    void add(int as_first, int as_second);

    /// "new against old: 200 pairs; 3 games without a partner are not counted".
    [[nodiscard]] std::string note() const;
};

/// Throws Error unless the list has exactly two programs or `between` names two of them.
[[nodiscard]] PairList pairs_of(const GameList& list, const std::vector<std::string>& between);

/// What the ratings are made from: one row a game, clustered by "pair", "opening" or "game".
[[nodiscard]] std::vector<stats::RatedGames> rated_games(const GameList& list,
                                                         std::string_view cluster);

}  // namespace assay::cli
