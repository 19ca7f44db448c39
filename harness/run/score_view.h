#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "harness/record/game.h"

namespace assay::harness {

/// Finds programs whose scores are not from the mover's point of view. What one player calls good
/// for itself the other calls bad; a program that reports every score from the first player's view
/// agrees in sign with its opponent whenever it plays second. Only clear opinions (half a pawn or
/// more, or a mate; no bounds) of consecutive moves are compared, over all games of a first and a
/// second player. Pure.
class ScoreViewCheck {
public:
    /// A sentence fragment about `second`, the second player of the game, once a program: 40
    /// comparisons, of which four in five agree, are needed.
    [[nodiscard]] std::optional<std::string> add(const GameRecord& game, std::size_t second);

private:
    struct Counts {
        int same = 0;
        int all = 0;
        bool was_told = false;
    };

    std::map<std::size_t, Counts> counts_;  // by the program that plays second
};

}  // namespace assay::harness
