#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gtql/lang/query_plan.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A number of each node of a tree, most of which are small: a byte each, and a list of the rest.
class SmallNumbers {
public:
    void resize(std::size_t nodes) { bytes_.resize(nodes); }

    void set(std::size_t node, std::int64_t value) {
        if (value < kLarge) {
            bytes_[node] = static_cast<std::uint8_t>(value);
        } else {
            bytes_[node] = kLarge;
            large_.emplace_back(node, value);
        }
    }

    /// To be called when all are set, before copy().
    void finish();
    /// Those of `size` nodes from `first` on.
    void copy(std::size_t first, std::size_t size, std::int64_t* out) const;

private:
    static constexpr std::uint8_t kLarge = 255;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::pair<std::uint64_t, std::int64_t>> large_;  // by node, once finished
};

/// Children and proper descendants of all nodes of a tree, for queries that name them of nodes
/// whose subtree is not at hand: the parent's, a child's, within a table.
struct Sizes {
    SmallNumbers children;
    SmallNumbers size;
};

/// One pass over the level column; takes 2 bytes a node, and 16 for each number above 254.
[[nodiscard]] Sizes sizes_of(const TreeSource& tree);

/// Puts counts of the children and of the subtree in the place of `children` and `size` where these
/// are the queried node's, outside functions: those are found as the tree goes by. What of the
/// part `node:` then waits for a count goes to the part `subtree:`. Changes uses_size accordingly.
void count_sizes(Plan& plan);

}  // namespace assay::gtql
