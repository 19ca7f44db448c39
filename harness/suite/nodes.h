#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gtql/log/tree.h"
#include "harness/record/suite.h"
#include "rules/game.h"

namespace assay::harness {

/// Nodes of a tree with their sizes, the moves that lead to them and the positions reached, in one
/// pass over the tree. Ids that the tree does not have are left out; others are in ascending order.
/// A position is empty where the game or the root position is not known, or a move cannot be made.
/// `game` is that of the suite, and asked where the log names it; others are made by name.
/// Throws Error where the tree is damaged.
[[nodiscard]] std::vector<FoundNode> look_up_nodes(const gtql::TreeSource& tree,
                                                   std::span<const std::uint64_t> ids,
                                                   const rules::Game& game);

}  // namespace assay::harness
