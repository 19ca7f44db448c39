#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "openings/book.h"
#include "rules/game.h"

namespace assay::openings {

/// What a whole book holds.
struct Survey {
    std::uint64_t openings = 0;    // that can be played
    std::uint64_t skipped = 0;     // entries that cannot
    std::uint64_t duplicates = 0;  // openings whose position an earlier one has, counters apart
    std::uint64_t fewest_plies = 0;
    std::uint64_t most_plies = 0;
    std::array<std::uint64_t, rules::kMostPlayers> to_move{};  // by player
    /// Openings by the name of the last of their positions that has one ("B90 Sicilian Defense:
    /// Najdorf"); those without are in none.
    std::map<std::string, std::uint64_t> names;
    std::vector<Diagnostic>
        remarks;  // the book's warnings, then at most 20 of a large book's entries
};

/// Looks at every opening; 8 bytes of memory for each.
[[nodiscard]] Survey survey(const Book& book, const rules::Game& game);

}  // namespace assay::openings
