#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gtql/exec/execute.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A node and the values of all its tree's attributes, in the schema's order; moves as text.
struct NodeValues {
    std::uint64_t id = 0;
    std::vector<Cell> values;
};

/// Where a node stands.
struct NodeView {
    NodeValues node;
    std::vector<std::uint64_t> path;  // ids from the root to the node itself
    std::vector<std::string> moves;   // of the nodes on the path, without the root's; empty where
                                      // the tree has no moves
    std::vector<NodeValues> children;
};

/// Looks nodes up in one pass over the tree. `ids` ascend; ids beyond the tree are left out.
[[nodiscard]] std::vector<NodeView> look_at(const TreeSource& tree,
                                            std::span<const std::uint64_t> ids, bool with_children);

}  // namespace assay::gtql
