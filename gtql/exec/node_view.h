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
    std::vector<Cell> values;  // empty unless ViewParts::values
};

/// A node with its surroundings.
struct NodeView {
    NodeValues node;
    std::vector<std::uint64_t> path;   // ids from the root to the node itself
    std::vector<std::string> moves;    // TreeSchema::move_attribute() of the nodes on the path,
                                       // without the root; empty where the tree has no moves
    std::uint64_t size = 0;            // proper descendants, if ViewParts::size
    std::vector<NodeValues> children;  // if ViewParts::children
};

/// What look_at reads beside paths and moves. Sizes and children need the whole subtree of a node.
struct ViewParts {
    bool values = false;
    bool size = false;
    bool children = false;
};

/// Looks nodes up in one pass over the tree, which ends once all that is wanted has been read. Ids
/// beyond the tree are left out. REQUIRES: `ids` ascend. Throws Error where the tree is damaged.
[[nodiscard]] std::vector<NodeView> look_at(const TreeSource& tree,
                                            std::span<const std::uint64_t> ids, ViewParts parts);

}  // namespace assay::gtql
