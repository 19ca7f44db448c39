#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gtql/log/tree.h"
#include "harness/record/suite.h"

namespace assay::harness {

/// Nodes of a tree with their sizes, the moves that lead to them and the positions reached, read in
/// one pass; those after the last one are not read beyond its subtree. Ids that the tree does not
/// have are left out. The move of a call is the attribute "last_move", else the first that is a
/// move; without one, paths are empty. Throws Error where the tree is damaged.
[[nodiscard]] std::vector<FoundNode> look_up_nodes(const gtql::TreeSource& tree,
                                                   std::span<const std::uint64_t> ids);

/// The position after a path of moves as logs spell them: a call without a move ("none", "--")
/// stays where it is, a null move ("0000") gives the move to the other side. Empty where the game
/// or the position is not known, or a move cannot be made.
[[nodiscard]] std::string position_after(const std::string& game, const std::string& root,
                                         std::span<const std::string> moves);

}  // namespace assay::harness
