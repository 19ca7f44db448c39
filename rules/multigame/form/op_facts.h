#pragma once
#include <string_view>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// What can be said of all statements of one kind, whatever their operands are. Statements with
/// children do nothing by themselves: the facts of the children hold.
struct OpFacts {
    std::string_view word;       // with which it begins in the text
    bool needs_finger = false;   // fails without one
    bool moves_finger = false;   // by a step or a jump from where it was
    bool changes_state = false;  // the board, the hand or a variable
    bool says = false;           // a verdict, a name, who moves next, or chance
    bool never_fails = false;    // where it has the finger that it needs
};

[[nodiscard]] const OpFacts& facts_of(Op op);

/// The word with which a statement begins in the text: "points at", "win", "northeast", "alldir".
[[nodiscard]] std::string_view word_of(const Statement& statement);

}  // namespace assay::rules::multigame
