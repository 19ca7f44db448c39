// Functions over related nodes, for all nodes of a tree in one pass. A function such as "how many
// descendants have value > 0" is asked at every node; answering it node by node would visit each
// subtree once for every ancestor, which is n times the depth. The tree arrives in preorder, in
// batches of some thousand nodes, and only the open path is kept from one batch to the next
// (shape.h). Every function is therefore turned into a running value that a new node can update in
// constant time:
//
//   children       a new node adds its own value at its parent
//   parent         a new node reads its parent's values
//   ancestors      value(node) = value(parent) + own value of the parent
//   siblings       the parent adds up its children; the answer is that sum less the node itself
//   descendants    prefix sums over preorder: a subtree is an interval, so that its sum is the
//                  difference of the prefix at both ends (count, sum, average)
//
// Least and greatest values have no difference, since a value once merged cannot be taken out
// again. They are handed up instead from child to parent, in reverse preorder within a batch. Of
// siblings the parent keeps its best two: the best of all but one node is the second best where
// that node is the best. A greatest value is the least of the complements (`~v`), so that one code
// serves both and no value overflows.
//
// A condition that mentions the queried node [*] has no running value: its answer differs for each
// pair of nodes. Such pairs are compared one by one (call_pairs.cpp), in loops over columns where
// the condition is a plain comparison.
//
// Each step is a loop over arrays (kernels.h) and not a call for each node: conditions are
// evaluated as masks of a batch, and masks are summed. Where a filter before leaves few nodes to be
// answered, only their children are looked at (kSparse). Cost: constant time a node, and a step a
// pair for [*].
//
// Batches in columns and selections are from MonetDB/X100 (Boncz, Zukowski and Nes 2005); intervals
// of preorder numbers for subtrees are from XPath accelerators (Grust 2002).
#include "gtql/exec/call_run.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

namespace {

/// With fewer than one candidate in this many nodes it is faster to look only at their children.
constexpr std::size_t kSparse = 4;

}  // namespace

void fold(Function function, Tally& into, std::int64_t value) {
    if (into.count == 0) {
        into.value = value;
    } else if (function == Function::Min) {
        into.value = std::min(into.value, value);
    } else if (function == Function::Max) {
        into.value = std::max(into.value, value);
    } else {
        into.value = wrapping_sum(into.value, value);
    }
    ++into.count;
}

bool is_missing(Function function, const Tally& tally) {
    return tally.count == 0 && function != Function::Count && function != Function::Sum;
}

std::int64_t value_of(Function function, const Tally& tally) {
    if (function == Function::Count || tally.count == 0) return tally.count;
    if (function != Function::Avg) return tally.value;
    return std::bit_cast<std::int64_t>(static_cast<double>(tally.value) /
                                       static_cast<double>(tally.count));
}

CallRun::CallRun(const Call& call)
    : call_(call),
      is_count_(call.function == Function::Count),
      is_extreme_(call.function == Function::Min || call.function == Function::Max),
      way_(Way::Pairs) {
    roles_.add(call.value);
    roles_.add(call.condition);
    way_ = way_of();
    // A count over pairs has a fast loop where exactly one part of the condition mentions the
    // queried node, and that part compares two columns. The other parts become a mask.
    if (way_ != Way::Pairs || call.scope == Part::Sibling || !is_count_) return;
    std::vector<Expression> rest;
    for (Expression& each : conjuncts_of(call.condition)) {
        RolesUsed roles;
        roles.add(each);
        const auto comparison = roles.queried ? comparison_of(each) : std::nullopt;
        if (comparison && !comparison_) {
            comparison_ = comparison;
        } else if (roles.queried) {
            comparison_.reset();
            return;
        } else {
            rest.push_back(std::move(each));
        }
    }
    rest_ = joined(std::move(rest));
}

CallRun::Way CallRun::way_of() const {
    if (call_.scope == Part::Child) return Way::Children;
    if (call_.scope == Part::Parent) return Way::Parent;
    if (roles_.queried) return Way::Pairs;
    switch (call_.scope) {
        case Part::Ancestor:
            return Way::Ancestors;
        case Part::Sibling:
            return is_extreme_ ? Way::BestSiblings : Way::Siblings;
        default:
            break;
    }
    if (is_extreme_) return Way::Least;
    return is_count_ && call_.condition.empty() ? Way::Size : Way::Prefix;
}

void CallRun::add_needs(ShapeNeeds& needs) const {
    needs.parents = true;
    needs.previous = needs.previous || roles_.previous;
    const bool is_pairs = way_ == Way::Pairs;
    needs.ends = needs.ends || way_ == Way::Size || way_ == Way::Prefix ||
                 (is_pairs && call_.scope == Part::Subtree);
    needs.keep_siblings = needs.keep_siblings || call_.scope == Part::Sibling;
    needs.children = needs.children || (is_pairs && call_.scope == Part::Sibling);
    needs.closing = needs.closing || waits_for_node() || waits_for_parent();
}

bool CallRun::waits_for_node() const {
    return call_.scope == Part::Child || call_.scope == Part::Subtree;
}

bool CallRun::waits_for_parent() const {
    return call_.scope == Part::Sibling;
}

void CallRun::evaluate_own(const Batch& batch, const Frame& frame) {
    own_mask_.resize(frame.size);
    evaluate_mask(batch, call_.condition, frame, own_mask_.data());
    if (is_count_) return;
    own_values_.resize(frame.size);
    std::vector<Vector> calls;
    const std::size_t step = batch.scratch->capacity();
    for (std::size_t from = 0; from < frame.size; from += step) {
        const std::size_t size = std::min(step, frame.size - from);
        const Vector values = batch.evaluator->wide(call_.value, slice(frame, from, size, calls));
        take_own_values(values, from, size);
        batch.scratch->give_back(values);
    }
}

/// Values of nodes that do not count become neutral: 0 in a sum, the largest number in a minimum.
/// Branch-free, since masks of a search tree are close to random and a branch would be
/// mispredicted. For a maximum the complements are stored, whose minimum it is.
void CallRun::take_own_values(const Vector& values, std::size_t from, std::size_t size) {
    std::uint8_t* const __restrict mask = own_mask_.data() + from;
    const auto* const __restrict in = values.as<std::int64_t>();
    std::int64_t* const __restrict out = own_values_.data() + from;
    if (values.missing != nullptr) kernels::mask_clear(mask, values.missing, size);
    if (!is_extreme_) {
        for (std::size_t i = 0; i < size; ++i) out[i] = in[i] & -static_cast<std::int64_t>(mask[i]);
        return;
    }
    const std::int64_t flip = call_.function == Function::Max ? -1 : 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::int64_t hole = static_cast<std::int64_t>(mask[i]) - 1;
        out[i] = ((in[i] ^ flip) & ~hole) | (kNothing & hole);
    }
}

void CallRun::make_room(const Batch& batch) {
    if (are_prefixes()) return tallies_.resize(batch.carried);
    const auto open_up = [&batch](auto& values, auto nothing) {
        if (values.size() < batch.total()) values.resize(batch.total());
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(batch.carried),
                  values.begin() + static_cast<std::ptrdiff_t>(batch.total()), nothing);
    };
    open_up(counts_, 0);
    const std::int64_t nothing = is_extreme_ ? kNothing : 0;
    if (has_values()) open_up(gathered_, nothing);
    if (way_ == Way::BestSiblings) open_up(second_, kNothing);
}

void CallRun::take(const Batch& batch, const std::uint8_t* candidates) {
    make_room(batch);
    switch (way_) {
        case Way::Children:
            return take_children(batch, candidates);
        case Way::Size:
            return;
        case Way::Prefix:
            return take_prefix(batch);
        case Way::Least:
            return take_least(batch);
        case Way::Ancestors:
            return take_ancestors(batch);
        case Way::Siblings:
            return take_siblings(batch);
        case Way::BestSiblings:
            return take_best_siblings(batch);
        case Way::Parent:
            return take_parents(batch);
        case Way::Pairs:
            break;
    }
    take_pairs(batch, candidates);
}

/// Adds the value of each node of the batch to the node that `nodes` names for it.
void CallRun::give_to(const std::int32_t* nodes, std::size_t size) {
    const std::uint8_t* const mask = own_mask_.data();
    std::int64_t* const gathered = gathered_.data();
    if (is_count_) {
        for (std::size_t i = 0; i < size; ++i) gathered[nodes[i]] += mask[i];
        return;
    }
    std::int32_t* const counts = counts_.data();
    const std::int64_t* const own = own_values_.data();
    if (is_extreme_) {
        for (std::size_t i = 0; i < size; ++i) {
            const std::int32_t node = nodes[i];
            counts[node] += mask[i];
            gathered[node] = std::min(gathered[node], own[i]);
        }
        return;
    }
    for (std::size_t i = 0; i < size; ++i) {
        const std::int32_t node = nodes[i];
        counts[node] += mask[i];
        gathered[node] = wrapping_sum(gathered[node], own[i]);
    }
}

/// The role Parent of a frame whose role Bare is the parent of a node: the parent of that parent.
void CallRun::add_grandparents(const Shape& shape, Frame& frame) {
    if (!roles_.parent) return;
    const std::int32_t* const parents = frame.roles[static_cast<std::size_t>(Role::Bare)].index;
    grandparents_.resize(frame.size);
    no_grandparent_.resize(frame.size);
    kernels::gather(Lane::I32, shape.parent(), parents, frame.size, grandparents_.data());
    kernels::gather(Lane::I8, shape.has_no_parent(), parents, frame.size, no_grandparent_.data());
    frame.roles[static_cast<std::size_t>(Role::Parent)] = {grandparents_.data(),
                                                           no_grandparent_.data()};
}

// ---- children

Frame CallRun::child_frame(const Batch& batch, const std::uint8_t* candidates) {
    const Shape& shape = *batch.shape;
    const std::size_t from = std::max<std::size_t>(batch.carried, 1);  // the root is no child
    const std::size_t size = batch.total() - std::min(from, batch.total());
    Frame frame = dense_frame(batch, from, from + size);
    auto& bare = frame.roles[static_cast<std::size_t>(Role::Bare)];
    auto& child = frame.roles[static_cast<std::size_t>(Role::Child)];
    auto& previous = frame.roles[static_cast<std::size_t>(Role::Previous)];
    bare.index = shape.parent() + from;
    if (roles_.previous) {
        previous = {shape.previous() + from, shape.has_no_previous() + from};
    }
    const std::uint64_t asked =
        candidates != nullptr ? kernels::mask_count(candidates, batch.total()) : batch.total();
    if (asked == 0) {
        frame.size = 0;
        return frame;
    }
    // Few candidates: make a frame of their children alone. A gather costs more for each node than
    // a dense read, so that this pays only below the threshold.
    if (asked < batch.total() / kSparse) {
        is_asked_.resize(size);
        kernels::gather(Lane::I8, candidates, shape.parent() + from, size, is_asked_.data());
        looked_at_.resize(size + 8);
        frame.size = kernels::mask_select(is_asked_.data(), size, static_cast<std::int32_t>(from),
                                          looked_at_.data());
        const auto pick = [this, &frame](const std::int32_t* values,
                                         std::vector<std::int32_t>& to) {
            to.resize(frame.size);
            kernels::gather(Lane::I32, values, looked_at_.data(), frame.size, to.data());
            return to.data();
        };
        bare.index = pick(shape.parent(), parents_);
        child.index = looked_at_.data();
        if (roles_.previous) {
            no_previous_.resize(frame.size);
            kernels::gather(Lane::I8, shape.has_no_previous(), looked_at_.data(), frame.size,
                            no_previous_.data());
            previous = {pick(shape.previous(), previous_), no_previous_.data()};
        }
    }
    parent_index_ = bare.index;
    add_grandparents(shape, frame);
    return frame;
}

void CallRun::take_children(const Batch& batch, const std::uint8_t* candidates) {
    const Frame frame = child_frame(batch, candidates);
    if (frame.size == 0) return;
    evaluate_own(batch, frame);
    if (is_count_) {
        kernels::mask_scatter(own_mask_.data(), parent_index_, frame.size, counts_.data());
    } else {
        give_to(parent_index_, frame.size);
    }
}

CallRun::Dense CallRun::evaluate_dense(const Batch& batch, std::size_t from) {
    evaluate_own(batch, dense_frame(batch, from, batch.total()));
    return {batch.shape->parent(), own_mask_.data(), own_values_.data(), counts_.data(),
            gathered_.data()};
}

// ---- descendants

void CallRun::take_prefix(const Batch& batch) {
    evaluate_own(batch, dense_frame(batch, batch.carried, batch.total()));
    prefix_.resize(batch.size + 1);
    kernels::mask_prefix(own_mask_.data(), batch.size, prefix_.data());
    if (is_count_) return;
    sums_.resize(batch.size + 1);
    sums_[0] = 0;
    for (std::size_t i = 0; i < batch.size; ++i) {
        sums_[i + 1] = wrapping_sum(sums_[i], own_values_[i]);
    }
}

void CallRun::take_least(const Batch& batch) {
    const auto [parent, mask, own, counts, gathered] = evaluate_dense(batch, batch.carried);
    // From the last node to the first: a node comes after its parent, so that it is complete when
    // it is handed up. Carried nodes were handed up before; the minimum is not changed by a second
    // time.
    const std::size_t carried = std::max<std::size_t>(batch.carried, 1);
    for (std::size_t i = batch.total(); i-- > carried;) {
        const std::int32_t up = parent[i];
        counts[up] |= counts[i] | mask[i - batch.carried];
        gathered[up] = std::min(gathered[up], std::min(gathered[i], own[i - batch.carried]));
    }
    for (std::size_t i = std::min(carried, batch.total()); i-- > 1;) {
        const std::int32_t up = parent[i];
        counts[up] |= counts[i];
        gathered[up] = std::min(gathered[up], gathered[i]);
    }
}

// ---- parent, ancestors and siblings

/// The queried node reads its parent, and the answer is stored at its own place.
void CallRun::take_parents(const Batch& batch) {
    Frame frame = dense_frame(batch, batch.carried, batch.total());
    const std::int32_t* const parents = batch.shape->parent() + batch.carried;
    const std::uint8_t* const orphans = batch.shape->has_no_parent() + batch.carried;
    frame.roles[static_cast<std::size_t>(Role::Bare)] = {parents, orphans};
    add_grandparents(*batch.shape, frame);
    evaluate_own(batch, frame);
    if (batch.carried == 0 && frame.size > 0) {  // the root
        own_mask_[0] = 0;
        if (!is_count_) own_values_[0] = is_extreme_ ? kNothing : 0;
    }
    const auto carried = static_cast<std::ptrdiff_t>(batch.carried);
    std::copy(own_mask_.begin(), own_mask_.end(), counts_.begin() + carried);
    if (!is_count_) std::copy(own_values_.begin(), own_values_.end(), gathered_.begin() + carried);
}

void CallRun::take_ancestors(const Batch& batch) {
    const auto [parent, mask, own, counts, gathered] = evaluate_dense(batch, 0);
    // Parents come first in preorder, so that their own answer is known already.
    const std::size_t from = std::max<std::size_t>(batch.carried, 1);
    for (std::size_t i = from; i < batch.total(); ++i) {
        counts[i] = counts[parent[i]] + mask[parent[i]];
    }
    if (is_count_) return;
    for (std::size_t i = from; i < batch.total(); ++i) {
        const std::int32_t above = parent[i];
        gathered[i] = is_extreme_ ? std::min(gathered[above], own[above])
                                  : wrapping_sum(gathered[above], own[above]);
    }
}

void CallRun::take_siblings(const Batch& batch) {
    const auto [parent, mask, own, counts, gathered] = evaluate_dense(batch, 0);
    const std::size_t from = std::max<std::size_t>(batch.carried, 1);
    if (is_count_) {
        for (std::size_t i = from; i < batch.total(); ++i) counts[parent[i]] += mask[i];
        return;
    }
    for (std::size_t i = from; i < batch.total(); ++i) {
        counts[parent[i]] += mask[i];
        gathered[parent[i]] = wrapping_sum(gathered[parent[i]], own[i]);
    }
}

/// The best of a node's siblings is the best child of its parent, or the second best where the node
/// itself is the best.
void CallRun::take_best_siblings(const Batch& batch) {
    const auto [parent, mask, own, counts, best] = evaluate_dense(batch, 0);
    std::int64_t* const second = second_.data();
    for (std::size_t i = std::max<std::size_t>(batch.carried, 1); i < batch.total(); ++i) {
        const std::int32_t above = parent[i];
        counts[above] += mask[i];
        // The loser of the new value and the best so far competes for the second place.
        second[above] = std::min(second[above], std::max(best[above], own[i]));
        best[above] = std::min(best[above], own[i]);
    }
}

void CallRun::carry(const Batch& batch, const std::vector<std::int32_t>& kept) {
    if (are_prefixes()) {
        std::vector<Tally> next(kept.size());
        for (std::size_t k = 0; k < kept.size(); ++k) next[k] = subtree_of(batch, index(kept[k]));
        tallies_ = std::move(next);
        return;
    }
    keep_values(counts_, kept);
    if (has_values()) keep_values(gathered_, kept);
    if (way_ == Way::BestSiblings) keep_values(second_, kept);
    if (!depth_.empty()) keep_values(depth_, kept);
}

}  // namespace assay::gtql
