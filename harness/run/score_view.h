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
/// second player. A program that judges positions wrongly agrees with its opponent too, and so does
/// its opponent with it: these are told apart by the games that end by the rules, which show who
/// was right. Pure.
class ScoreViewCheck {
public:
    /// A sentence fragment about `second`, the second player of the game, once a program: 40
    /// comparisons, of which four in five agree, are needed.
    [[nodiscard]] std::optional<std::string> add(const GameRecord& game, std::size_t first,
                                                 std::size_t second);

private:
    /// Clear opinions in games that ended by the rules: of how many their end was the same.
    struct Foresight {
        int right = 0;
        int all = 0;

        [[nodiscard]] bool is_known() const;

        [[nodiscard]] bool is_wrong() const { return 2 * right < all; }
    };

    struct Counts {
        int same = 0;
        int all = 0;
        Foresight as_first;
        Foresight as_second;
        bool was_told = false;
    };

    void count_foresight(const GameRecord& game, std::size_t first, std::size_t second);

    std::map<std::size_t, Counts> counts_;  // by program
};

}  // namespace assay::harness
