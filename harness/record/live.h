#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/search.h"
#include "base/clock.h"
#include "rules/game.h"

namespace assay::harness {

/// A player of a game that is being played.
struct LivePlayer {
    int program = 0;                       // of `between` in the plan of the match
    std::optional<Micros> clock;           // left when the open turn began; unset: no clock decides
    std::optional<adapters::Score> score;  // said with its last move, seen from its side
    std::optional<int> depth;              // of that move
};

/// A game that is being played, for whoever watches. Holds the moves, and no position: a watcher
/// plays them, so that the run spends no time on names and pictures.
struct LiveGame {
    std::size_t match = 0;    // of the plan, from 0
    std::int64_t number = 0;  // in its match, from 1
    std::int64_t pair = 0;    // from 0
    int attempt = 0;
    int slot = 0;
    std::string start;            // position text; empty: the game's start
    std::string moves;            // with the opening's and chance events, a blank between
    bool has_text_moves = false;  // they are in Notation::Text, else in Notation::Canonical
    int mover = 0;                // the player to move
    Micros turn{0};               // when its turn began, on the harness's clock
    bool is_open = false;         // its clock runs: programs are ready, and it was asked to move
    std::vector<LivePlayer> players;
};

/// The games in play of a run at one moment.
struct LiveState {
    std::int64_t run = 0;
    std::size_t match = 0;   // of the plan, from 0; of a tournament the first
    int at_once = 0;         // games that are in play; `games` may have fewer
    long long epoch_us = 0;  // what the wall clock said, in microseconds since 1970, when the
                             // harness's clock was 0
    std::vector<LiveGame> games;
};

/// One line of JSON, and back. Reading throws Error where the text is not what this writes, or
/// holds what no run can have: a player who is none, a mover out of range.
[[nodiscard]] std::string live_json(const LiveState& state);
[[nodiscard]] LiveState read_live_json(std::string_view text);

}  // namespace assay::harness
