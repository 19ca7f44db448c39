#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "stats/data/counts.h"
#include "stats/estimate/davidson.h"

namespace assay::stats {

/// One finished game between two programs of a list.
struct ListedGame {
    std::size_t first = 0;  // had the first move
    std::size_t second = 0;
    int half_points = 0;        // of the first
    std::int64_t pair = -1;     // games of a pair share it; -1: no partner was found
    std::int64_t opening = -1;  // equal openings share it; -1: not known
};

/// Results of games from a PGN, a run or a table: the input of `assay stats`.
struct GameList {
    std::vector<std::string> programs;  // in the order they appear
    std::vector<ListedGame> games;      // in order; pairs are numbered by their second game
    std::vector<RatedGames> counts;     // of a table: games counted, no order known
    std::int64_t unfinished = 0;        // games without a result, left out
    std::int64_t faults = 0;            // places that could not be read, stepped over
    std::int64_t duplicates = 0;        // games that repeat an earlier one, counted or left out
    std::vector<Diagnostic> warnings;   // where a game contradicts itself; 20 at most
    std::string note;                   // one sentence on what was read and how games became pairs

    [[nodiscard]] std::int64_t pairs() const;
};

/// Finds the pairs among games that come one after another. Two games are a pair if the same two
/// programs played them with sides swapped, from the same opening and in the same round where these
/// are known; if neither is known, one right after the other.
class GamePairing {
public:
    /// Appends a game to the list. `opening` and `round` are empty where they are not known.
    void add(GameList& list, ListedGame game, const std::string& opening, const std::string& round);

    /// "12 pairs, by opening and round".
    [[nodiscard]] std::string how() const;

    [[nodiscard]] std::int64_t pairs() const { return pairs_; }

private:
    struct Key {
        std::size_t low = 0;
        std::size_t high = 0;
        std::string opening;
        std::string round;

        auto operator<=>(const Key&) const = default;
    };

    std::map<Key, std::deque<std::size_t>> waiting_;
    std::int64_t pairs_ = 0;
    std::int64_t by_order_ = 0;
    std::int64_t by_round_ = 0;
    std::int64_t by_opening_ = 0;
};

/// Numbers names in the order in which they appear.
class Numbering {
public:
    std::size_t operator()(const std::string& name);

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
    std::map<std::string, std::size_t> numbers_;
    std::vector<std::string> names_;
};

/// Reads lines `A,B,wins,draws,losses` (or with tabs, semicolons or spaces), from A's view;
/// a sixth column names the cluster (pair, opening) of dependent games. A first line
/// `first,second,wins,draws,losses` says that the program named first had the first move. Lines
/// that begin with # are skipped. Throws SyntaxError with all errors.
[[nodiscard]] GameList games_of_table(const std::string& path, std::string_view text);

/// The pairs of two programs of a list, in order.
struct PairList {
    std::string first;
    std::string second;
    std::vector<std::uint8_t> cells;  // 3 * (first's result as first player) + the other; 0 1 2
    Pentanomial pentanomial;
    Wdl wdl;  // of the games in pairs
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

/// Counts pairs of games, and games without a partner, by their programs, for ratings. Of games
/// only `first`, `second` and `half_points` are read.
class PairRows {
public:
    /// The two games of a pair, of the same two programs.
    void add(const ListedGame& one, const ListedGame& other);
    /// A game that belongs to no pair.
    void add(const ListedGame& single);

    [[nodiscard]] std::vector<RatedPairs> rows() const;
    /// Of the games that belong to no pair: each is a unit of its own.
    [[nodiscard]] std::vector<RatedGames> single_rows() const;

private:
    std::map<std::tuple<std::size_t, std::size_t, bool>, RatedPairs> rows_;
    std::map<std::pair<std::size_t, std::size_t>, RatedGames> singles_;
};

/// The input of the ratings: one row for each game, clustered by "pair", "opening" or "game".
[[nodiscard]] std::vector<RatedGames> rated_games(const GameList& list, std::string_view cluster);

/// The same where games are clustered by "pair", counted: as many rows as there are two programs
/// that met, however many games they played. Games without a partner are units of their own.
struct RatedCounts {
    std::vector<RatedGames> games;
    std::vector<RatedPairs> pairs;
};

[[nodiscard]] RatedCounts rated_counts(const GameList& list);

}  // namespace assay::stats
