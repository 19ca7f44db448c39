#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gtql/log/tree.h"

namespace assay::gtql {

/// The parts of a tree's shape that the queries of a pass need; others are not computed.
struct ShapeNeeds {
    bool parents = false;        // has to be set where any other is
    bool previous = false;       // previous(), has_no_previous()
    bool ends = false;           // end()
    bool closing = false;        // closes(), parent_closes()
    bool children = false;       // first_child(), next()
    bool child_index = false;    // child_index()
    bool keep_siblings = false;  // children of open nodes are carried too
};

/// The shape of one batch of a preorder, from its levels alone.
///
/// A batch has local indices: first what is carried over from the batches before, then its new
/// nodes. Carried are the nodes that were open (the path from the root to the last node), so that
/// the parent and the child before of each new node have a local index too, and on request all
/// children of open nodes. A node closes in the batch in which the first node behind its subtree
/// comes, or at the end of the tree. Memory: the batch and the deepest path, whatever the tree.
class Shape {
public:
    explicit Shape(ShapeNeeds needs) : needs_(needs) {}

    /// Takes the next nodes of the tree, the first of which has preorder index `first`; at its end
    /// is called once more with none and `is_end`. The levels follow from those before
    /// (TreeSource's promise).
    void begin(const ColumnView& levels, std::uint64_t first, bool is_end);

    [[nodiscard]] std::size_t carried() const { return carried_; }

    [[nodiscard]] std::size_t total() const { return total_; }

    /// Preorder index in the whole tree.
    [[nodiscard]] std::uint64_t node(std::size_t local) const {
        return local < carried_ ? carried_nodes_[local] : first_ + (local - carried_);
    }

    [[nodiscard]] std::size_t path_length() const { return path_.size(); }

    /// Of the root its own index; has_no_parent() tells.
    [[nodiscard]] const std::int32_t* parent() const { return parent_.data(); }

    [[nodiscard]] const std::uint8_t* has_no_parent() const { return has_no_parent_.data(); }

    /// Of a first child its own index; has_no_previous() tells. Not for carried nodes.
    [[nodiscard]] const std::int32_t* previous() const { return previous_.data(); }

    [[nodiscard]] const std::uint8_t* has_no_previous() const { return has_no_previous_.data(); }

    /// Local index behind the node's subtree; total() where it is still open. For a carried node
    /// that was closed before, carried().
    [[nodiscard]] const std::int32_t* end() const { return end_.data(); }

    /// 0: none. Of carried nodes only with keep_siblings.
    [[nodiscard]] const std::int32_t* next() const { return next_.data(); }

    [[nodiscard]] const std::int32_t* first_child() const { return first_child_.data(); }

    [[nodiscard]] const std::int32_t* child_index() const { return child_index_.data(); }

    /// Masks: the node, or its parent, closes in this batch. The root's "parent" closes at the end.
    [[nodiscard]] const std::uint8_t* closes() const { return closes_.data(); }

    [[nodiscard]] const std::uint8_t* parent_closes() const { return parent_closes_.data(); }

    /// Ends the batch. Gives the local indices of what is carried over, ascending; they become
    /// 0, 1, 2 and so on in the next batch.
    const std::vector<std::int32_t>& carry();

private:
    template <class T>
    void link(const T* levels, std::size_t size);
    template <class T>
    void link_siblings(const T* levels, std::size_t size);
    template <class T, bool kPrevious, bool kChildren, bool kIndex>
    void link_siblings(const T* levels, std::size_t size);
    void resize(std::size_t size);
    void find_path();
    void find_ends();
    void find_closing();
    void keep_path();
    void carry_nodes();
    void keep_children();

    ShapeNeeds needs_;
    std::size_t carried_ = 0;
    std::size_t total_ = 0;
    std::uint64_t first_ = 0;
    std::vector<std::uint64_t> carried_nodes_;
    bool is_end_ = false;
    std::vector<std::int32_t> path_;    // of the batch before while it begins, then of this one
    std::vector<std::int32_t> open_;    // by level + 1: the last node there; [0] is a guard
    std::vector<std::uint8_t> frozen_;  // of carried nodes: closed before
    std::vector<std::int32_t> parent_;
    std::vector<std::uint8_t> has_no_parent_;
    std::vector<std::int32_t> previous_;
    std::vector<std::uint8_t> has_no_previous_;
    std::vector<std::int32_t> end_;
    std::vector<std::int32_t> next_;
    std::vector<std::int32_t> first_child_;
    std::vector<std::int32_t> child_index_;
    std::vector<std::uint8_t> closes_;
    std::vector<std::uint8_t> parent_closes_;
    std::vector<std::int32_t> kept_;
    std::vector<std::int32_t> place_;  // of a kept node in the next batch
};

/// values[k] = values[kept[k]]; the rest stays as it is.
template <class T>
void keep_values(std::vector<T>& values, const std::vector<std::int32_t>& kept) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
        values[k] = values[static_cast<std::size_t>(kept[k])];
    }
}

}  // namespace assay::gtql
