#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/arrival.h"
#include "base/clock.h"

namespace assay::adapters {

/// A program's opinion of a position, from the mover's point of view.
struct Score {
    enum class Bound : std::uint8_t { Exact, Lower, Upper };

    bool is_mate = false;  // then `value` counts moves to mate; negative: the mover is mated
    int value = 0;         // centipawns unless is_mate
    Bound bound = Bound::Exact;

    friend bool operator==(const Score&, const Score&) = default;
};

/// What a program last said of its best line (multipv 1) in one search. A field that it did not
/// say, or that could not be read, is unset. Numbers that overflow are the type's largest.
struct SearchInfo {
    std::optional<int> depth;
    std::optional<int> seldepth;
    std::optional<Score> score;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> nps;
    std::optional<std::uint64_t> tbhits;
    std::optional<int> hashfull;  // permille
    std::optional<Micros> time;   // the program's own measure, protocol's milliseconds
    std::string pv;               // protocol names, blank-separated
};

/// What one player has on its clock when a search begins.
struct ClockSide {
    Micros left{0};
    Micros increment{0};
};

/// One search. Views must live until go() returns.
struct SearchRequest {
    std::string_view start;  // the position's text; empty: the game's start position
    std::string_view moves;  // protocol names from there, blank-separated; may be empty
    int player = 0;          // who moves
    std::optional<std::array<ClockSide, 2>> clocks;  // by player
    std::optional<int> moves_to_go;
    std::optional<Micros> move_time;
    std::optional<Micros> byoyomi;  // protocols without it fold it into the clock
    std::optional<std::uint64_t> nodes;
    std::optional<int> depth;
    std::optional<int> mate;
    bool infinite = false;
    bool ponder = false;
    std::vector<std::string> search_moves;
};

/// A program's answer to go(). Views live during the callback only.
struct BestMove {
    std::string_view move;    // as written, blanks trimmed; empty where the line named none
    std::string_view ponder;  // empty: none
    const SearchInfo* info = nullptr;  // never null
};

}  // namespace assay::adapters
