// The shape of a batch of nodes, from their levels alone. In preorder the parent of a node is the
// last node seen one level above, so that an array of the last node by level replaces a stack, and
// linking is a loop of loads and stores without a branch. What a query does not need is not
// computed (ShapeNeeds).
//
// Nodes are named by local indices, first the carried ones (the open path of the batch before),
// then the new ones, so that a parent in an earlier batch needs no special case. When a batch is
// done, the open nodes move to the front and everything else is forgotten: memory depends on the
// depth and the batch, not on the size of the tree.
#include "gtql/exec/vector/shape.h"

#include <algorithm>

namespace assay::gtql {

namespace {

std::size_t at_index(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

std::int32_t local(std::size_t i) {
    return static_cast<std::int32_t>(i);
}

}  // namespace

void Shape::resize(std::size_t size) {
    const auto fit = [size](auto& values) {
        if (values.size() < size) values.resize(size);
    };
    fit(parent_);
    fit(has_no_parent_);
    if (needs_.previous) {
        fit(previous_);
        fit(has_no_previous_);
    }
    if (needs_.ends || needs_.previous || needs_.children || needs_.child_index) fit(next_);
    if (needs_.children) fit(first_child_);
    if (needs_.child_index) fit(child_index_);
    if (needs_.ends) fit(end_);
    if (needs_.closing) {
        fit(closes_);
        fit(parent_closes_);
    }
}

void Shape::begin(const ColumnView& levels, std::uint64_t first, bool is_end) {
    first_ = first;
    carried_ = kept_.size();
    total_ = carried_ + levels.size;
    is_end_ = is_end;
    resize(total_ + 1);
    const std::size_t deepest = path_.size() + levels.size + 2;
    if (open_.size() < deepest) open_.resize(deepest);
    open_[0] = 0;
    for (std::size_t i = 0; i < path_.size(); ++i) open_[i + 1] = path_[i];
    // Levels below were used without gaps; what they hold belongs to the batch before.
    for (std::size_t i = path_.size() + 1; i < open_.size() && open_[i] != 0; ++i) open_[i] = 0;
    const bool needs_siblings =
        needs_.previous || needs_.ends || needs_.children || needs_.child_index;
    const auto link_as = [this, &levels, needs_siblings](auto kind) {
        using T = decltype(kind);
        const T* const data = static_cast<const T*>(levels.data);
        if (needs_siblings) return link_siblings(data, levels.size);
        link(data, levels.size);
    };
    switch (levels.width) {
        case Width::I8:
            link_as(std::int8_t{});
            break;
        case Width::I16:
            link_as(std::int16_t{});
            break;
        case Width::I32:
            link_as(std::int32_t{});
            break;
        case Width::I64:
            link_as(std::int64_t{});
            break;
    }
    if (total_ > 0) has_no_parent_[0] = 1;
    if (levels.size > 0) find_path();
    if (needs_.ends) find_ends();
    if (needs_.closing) find_closing();
}

template <class T>
void Shape::link(const T* levels, std::size_t size) {
    std::int32_t* const open = open_.data();
    std::int32_t* const parent = parent_.data() + carried_;
    for (std::size_t i = 0; i < size; ++i) {
        const auto level = static_cast<std::size_t>(levels[i]);
        parent[i] = open[level];
        open[level + 1] = local(carried_ + i);
    }
}

template <class T, bool kPrevious, bool kChildren, bool kIndex>
void Shape::link_siblings(const T* levels, std::size_t size) {
    if (size == 0) return;
    std::int32_t* const open = open_.data();
    std::int32_t* const parent = parent_.data();
    std::int32_t* const next = next_.data();
    std::int32_t* const previous = previous_.data();
    std::uint8_t* const has_no_previous = has_no_previous_.data();
    std::int32_t* const first_child = first_child_.data();
    std::int32_t* const child_index = child_index_.data();
    // No node has the root's parent while linking, so that the root is nobody's sibling even where
    // `open` still names it at a level that no node has reached.
    std::size_t self = carried_;
    const std::size_t end = carried_ + size;
    std::fill(next + self, next + end + 1, 0);
    parent[0] = -1;
    if (self == 0) {
        open[1] = 0;
        if (kPrevious) previous[0] = 0;
        if (kPrevious) has_no_previous[0] = 1;
        if (kChildren) first_child[0] = 0;
        if (kIndex) child_index[0] = 0;
        self = 1;
        ++levels;
    }
    for (; self < end; ++self, ++levels) {
        const auto level = static_cast<std::size_t>(*levels);
        const std::int32_t node = local(self);
        const std::int32_t above = open[level];
        const std::int32_t before = open[level + 1];
        // Arithmetic instead of a branch: whether a node has a previous sibling is close to random,
        // and a mispredicted branch would cost more than the rest of the loop.
        const std::int32_t is_sibling = -static_cast<std::int32_t>(parent[before] == above);
        const std::int32_t neighbour = node ^ ((node ^ before) & is_sibling);
        parent[self] = above;
        open[level + 1] = node;
        next[neighbour] = node & is_sibling;
        if (kPrevious) {
            previous[self] = neighbour;
            has_no_previous[self] = static_cast<std::uint8_t>(1 + is_sibling);
        }
        if (kChildren) {
            first_child[self] = 0;
            if (is_sibling == 0) first_child[above] = node;
        }
        if (kIndex) child_index[self] = (child_index[before] & is_sibling) + 1;
    }
    parent[0] = 0;
}

template <class T>
void Shape::link_siblings(const T* levels, std::size_t size) {
    const bool has_more = needs_.children || needs_.child_index;
    if (!has_more && !needs_.previous) return link_siblings<T, false, false, false>(levels, size);
    if (!has_more) return link_siblings<T, true, false, false>(levels, size);
    if (!needs_.previous) {
        if (!needs_.children) return link_siblings<T, false, false, true>(levels, size);
        if (!needs_.child_index) return link_siblings<T, false, true, false>(levels, size);
        return link_siblings<T, false, true, true>(levels, size);
    }
    if (!needs_.children) return link_siblings<T, true, false, true>(levels, size);
    if (!needs_.child_index) return link_siblings<T, true, true, false>(levels, size);
    link_siblings<T, true, true, true>(levels, size);
}

void Shape::find_path() {
    path_.clear();
    for (std::int32_t at = local(total_) - 1; at != 0; at = parent_[at_index(at)]) {
        path_.push_back(at);
    }
    path_.push_back(0);
    std::reverse(path_.begin(), path_.end());
}

void Shape::find_ends() {
    if (total_ == 0) return;
    std::int32_t* const end = end_.data();
    const std::int32_t* const parent = parent_.data();
    const std::int32_t* const next = next_.data();
    end[0] = local(total_);
    for (std::size_t i = 1; i < total_; ++i) {
        const std::int32_t behind = end[parent[i]];
        const std::int32_t is_last = -static_cast<std::int32_t>(next[i] == 0);
        end[i] = next[i] | (behind & is_last);
    }
    for (std::size_t i = 0; i < frozen_.size(); ++i) {
        if (frozen_[i] != 0) end[i] = local(carried_);
    }
}

void Shape::find_closing() {
    std::fill_n(closes_.begin(), total_, 1);
    std::fill_n(parent_closes_.begin(), total_, 1);
    for (std::size_t i = 0; i < frozen_.size(); ++i) {
        if (frozen_[i] != 0) closes_[i] = 0;
    }
    if (is_end_) return;
    for (const std::int32_t each : path_) closes_[at_index(each)] = 0;
    if (!needs_.keep_siblings) return;
    std::vector<std::uint8_t>& is_open = has_no_parent_;  // borrowed as a mark below
    for (const std::int32_t each : path_) is_open[at_index(each)] |= 2U;
    for (std::size_t i = 0; i < total_; ++i) {
        if ((is_open[at_index(parent_[i])] & 2U) != 0) parent_closes_[i] = 0;
    }
    for (const std::int32_t each : path_) is_open[at_index(each)] &= 1U;
}

const std::vector<std::int32_t>& Shape::carry() {
    kept_.clear();
    if (is_end_) {
        path_.clear();
        frozen_.clear();
        return kept_;
    }
    if (needs_.keep_siblings) {
        keep_children();
    } else {
        keep_path();
    }
    carry_nodes();
    return kept_;
}

void Shape::carry_nodes() {
    std::vector<std::uint64_t> nodes(kept_.size());
    for (std::size_t k = 0; k < kept_.size(); ++k) nodes[k] = node(at_index(kept_[k]));
    carried_nodes_ = std::move(nodes);
}

void Shape::keep_path() {
    kept_ = path_;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
        parent_[k] = k == 0 ? 0 : local(k - 1);
        if (k > 0) has_no_parent_[k] = 0;
        if (needs_.child_index) child_index_[k] = child_index_[at_index(kept_[k])];
        if (!next_.empty()) next_[k] = 0;
        path_[k] = local(k);
    }
    frozen_.assign(kept_.size(), 0);
}

void Shape::keep_children() {
    // Nodes on the path stay open. Nodes with an open parent are kept as siblings.
    for (std::size_t i = 0; i < total_; ++i) {
        if (parent_closes_[i] == 0) kept_.push_back(local(i));
    }
    place_.assign(total_, 0);
    frozen_.assign(kept_.size(), 1);
    for (std::size_t k = 0; k < kept_.size(); ++k) place_[at_index(kept_[k])] = local(k);
    for (std::size_t k = 0; k < kept_.size(); ++k) {
        const std::size_t old = at_index(kept_[k]);
        parent_[k] = place_[at_index(parent_[old])];
        if (k > 0) has_no_parent_[k] = 0;
        if (!next_.empty()) next_[k] = place_[at_index(next_[old])];
        if (needs_.children) first_child_[k] = 0;
        if (needs_.child_index) child_index_[k] = child_index_[old];
    }
    for (std::int32_t& open : path_) {
        const std::int32_t at = place_[at_index(open)];
        // The first child of an open node is open or has an open parent, so it has a place.
        frozen_[at_index(at)] = 0;
        open = at;
    }
    if (!needs_.children) return;
    for (std::size_t k = kept_.size(); k-- > 1;) first_child_[at_index(parent_[k])] = local(k);
}

}  // namespace assay::gtql
