// The columns of a batch, under numbers ("slots") that the steps of expressions use in place of
// names. A column that several queries of a pass name has one slot and is read once. Where a query
// looks beyond single nodes, a batch begins with the nodes that are carried over from the batch
// before, and values must lie in one row with theirs: they are copied into a buffer behind the
// carried ones. Where no query of the pass looks further, the log's own bytes are read in place.
//
// Built-ins (ids, numbers of children, sizes) are computed into a slot like a column, so that the
// evaluator does not know the difference.
//
// Buffers are vectors of 8-byte integers whatever the lane: their storage is then aligned for all
// lanes.
#include "gtql/exec/vector/columns.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace assay::gtql {

namespace {

std::size_t words_for(std::size_t bytes) {
    return (bytes + 7) / 8;
}

}  // namespace

Width LocalColumns::width_of_column(ColumnId id) const {
    const TreeSchema& schema = tree_.schema();
    if (id == kLevelColumn) return schema.level_width;
    if (id >= 0) return schema.attributes[static_cast<std::size_t>(id)].width;
    return Width::I64;  // threads and marks tell their own; see begin()
}

std::size_t LocalColumns::slot_of(bool is_builtin, std::int64_t which) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].is_builtin == is_builtin && slots_[i].which == which) return i;
    }
    Slot slot;
    slot.is_builtin = is_builtin;
    slot.which = which;
    if (is_builtin) {
        const auto builtin = static_cast<Builtin>(which);
        needs_child_index_ = needs_child_index_ || builtin == Builtin::ChildIndex;
        needs_parents_ = needs_parents_ || builtin == Builtin::ParentId;
    } else {
        slot.lane = lane_of(width_of_column(static_cast<ColumnId>(which)));
        slot.view = wanted_.size();
        wanted_.push_back(static_cast<ColumnId>(which));
    }
    slots_.push_back(std::move(slot));
    return slots_.size() - 1;
}

void LocalColumns::add(Expression& expression) {
    for (Step& step : expression.steps) {
        if (step.op != Op::Column && step.op != Op::Builtin) continue;
        step.value = static_cast<std::int64_t>(slot_of(step.op == Op::Builtin, step.value));
        step.op = Op::Column;
    }
}

void LocalColumns::add(Plan& plan) {
    for (Expression& each : plan.query.parts) add(each);
    for (Expression& each : plan.query.keys) add(each);
    for (Call& call : plan.query.calls) {
        add(call.value);
        add(call.condition);
    }
}

void LocalColumns::begin(const std::vector<ColumnView>& views, std::uint64_t first,
                         std::size_t size, const Shape* shape) {
    const std::size_t carried = shape != nullptr ? shape->carried() : 0;
    for (Slot& slot : slots_) {
        if (slot.is_builtin) {
            compute(slot, first, carried, size, shape);
            continue;
        }
        // At the end there are no views, and what is carried stays.
        if (size == 0) continue;
        const ColumnView& view = views[slot.view];
        slot.lane = lane_of(view.width);
        if (shape == nullptr) {
            slot.data = view.data;
            continue;
        }
        const std::size_t width = bytes_of(slot.lane);
        const std::size_t words = words_for((carried + size) * width);
        if (slot.buffer.size() < words) slot.buffer.resize(words);
        auto* const bytes = reinterpret_cast<std::byte*>(slot.buffer.data());
        std::memcpy(bytes + carried * width, view.data, size * width);
        slot.data = bytes;
    }
}

void LocalColumns::compute(Slot& slot, std::uint64_t first, std::size_t carried, std::size_t size,
                           const Shape* shape) {
    if (slot.buffer.size() < carried + size) slot.buffer.resize(carried + size);
    std::int64_t* const out = slot.buffer.data();
    slot.data = out;
    switch (static_cast<Builtin>(slot.which)) {
        case Builtin::Children:
            return sizes_->children.copy(first, size, out + carried);
        case Builtin::Size:
            return sizes_->size.copy(first, size, out + carried);
        case Builtin::ChildIndex:
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a query that asks has a shape
            std::copy_n(shape->child_index() + carried, size, out + carried);
            return;
        case Builtin::ParentId:
            for (std::size_t local = carried; local < carried + size; ++local) {
                // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): as above
                const auto parent = static_cast<std::size_t>(shape->parent()[local]);
                // Ids count from 1; 0 is the root's parent, which is no node.
                out[local] = local == 0 ? 0 : static_cast<std::int64_t>(shape->node(parent)) + 1;
            }
            return;
        case Builtin::Level:
        case Builtin::Thread:
        case Builtin::Unfinished:
            std::fill_n(out + carried, size, 0);  // what the tree has no column of
            return;
        case Builtin::NodeId:
            std::iota(out + carried, out + carried + size, static_cast<std::int64_t>(first) + 1);
            return;
    }
}

void LocalColumns::carry(const std::vector<std::int32_t>& kept) {
    for (Slot& slot : slots_) {
        const std::size_t width = bytes_of(slot.lane);
        auto* const bytes = reinterpret_cast<std::byte*>(slot.buffer.data());
        for (std::size_t k = 0; k < kept.size(); ++k) {
            // Forward and in place: kept nodes are in order, so that kept[k] >= k and nothing is
            // overwritten that is still to be moved.
            std::memmove(bytes + k * width, bytes + static_cast<std::size_t>(kept[k]) * width,
                         width);
        }
    }
}

}  // namespace assay::gtql
