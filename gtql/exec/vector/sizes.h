#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gtql/lang/query_plan.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A number for each node of a tree, for numbers that are mostly small: a byte each, and a list of
/// the larger ones.
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

    /// Call it after the last set() and before copy().
    void finish();
    /// Copies the numbers of `size` nodes from `first` on.
    void copy(std::size_t first, std::size_t size, std::int64_t* out) const;

private:
    static constexpr std::uint8_t kLarge = 255;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::pair<std::uint64_t, std::int64_t>> large_;  // by node, once finished
};

/// Numbers of children and proper descendants of all nodes of a tree, for queries that name those
/// of a node that may still be open: a parent's, a child's, within a table.
struct Sizes {
    SmallNumbers children;
    SmallNumbers size;
};

/// One pass over the level column; takes 2 bytes a node, and 16 for each number above 254.
[[nodiscard]] Sizes sizes_of(const TreeSource& tree);

/// Replaces `children` and `size` of the queried node, outside functions, by counts of its children
/// and its subtree, which need no pass of their own. Conditions of the part `node:` that then
/// depend on a count move to the part `subtree:`. Updates uses_size.
void count_sizes(Plan& plan);

}  // namespace assay::gtql
