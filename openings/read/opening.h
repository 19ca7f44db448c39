#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace assay::openings {

/// Where a game begins: a position, and moves from it that are made before the programs think.
/// The position after the moves is never one where the rules have ended the game.
struct Opening {
    std::string start;               // what Game::parse reads; empty: the game's own start
    std::vector<std::string> moves;  // in the canonical notation
    std::uint64_t index = 0;         // in the book, from 0
    std::string label;               // what a report calls it: "file:line", or the PGN's event

    friend bool operator==(const Opening&, const Opening&) = default;
};

}  // namespace assay::openings
