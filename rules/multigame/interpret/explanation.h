#pragma once
#include <memory>
#include <string>
#include <vector>

#include "rules/multigame/interpret/machine.h"

namespace assay::rules::multigame {

/// Derivations that stopped at one statement.
struct Stop {
    int statement = 0;
    int ways = 0;
};

/// Why a move is one, or is none.
struct Explanation {
    std::string move;
    bool is_move = false;
    /// Of a move: the statements that lead to it. Else those of the derivation that came farthest
    /// towards it, among those whose name is the longest beginning of the move's; the last one
    /// stopped it. Empty: no derivation's name begins so.
    std::vector<TracedStep> steps;
    std::string begun;        // what that derivation is called so far
    std::vector<Stop> stops;  // of all derivations with that name, in the order of the text
};

/// Throws RuleError.
[[nodiscard]] Explanation explained(const std::shared_ptr<const Tables>& tables,
                                    const State& position, const std::string& move);

/// For people: a line for each statement, with its line in the text and the finger behind it.
[[nodiscard]] std::string text_of(const Form& form, const Explanation& explanation);

}  // namespace assay::rules::multigame
