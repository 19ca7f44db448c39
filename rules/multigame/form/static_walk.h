#pragma once
#include <set>
#include <utility>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

// Walks that lead to the same fields whatever stands on the board, so that they can be taken before
// a position is known: `orthogonal, step, either rotate 45 or rotate -45, step`.

/// Fields with the direction in which the finger looks there.
using Places = std::set<std::pair<int, int>>;

/// The statement moves nothing but finger and direction, and asks about zones alone.
[[nodiscard]] bool is_static(const Form& form, const Statement& s);

/// It sets the direction before it uses it.
[[nodiscard]] bool sets_direction(const Form& form, const Statement& s);

/// The statement moves nothing but finger and direction, and where it may lead on any board is
/// known.
[[nodiscard]] bool only_walks(const Form& form, const Statement& s);

/// Where a static statement leads from these places; where any other that only walks may lead, if
/// it does not ask what stands on the board, so that on every board it leads nowhere else.
/// REQUIRES: only_walks(), or is_static(), which says more.
[[nodiscard]] Places walked(const Form& form, const Statement& s, int own, const Places& from);

/// The contents that `points at`, or an `either` of such, looks for; empty: it is something else.
[[nodiscard]] std::set<Content> looked_for(const Form& form, const Statement& s, int own);

}  // namespace assay::rules::multigame
