#include "gtql/exec/call_run.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "gtql/exec/kernels.h"

namespace assay::gtql {

namespace {

/// Below this share of candidates it pays to look only at their children.
constexpr std::size_t kSparse = 4;

std::size_t index(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace

void fold(Function function, Tally& into, const Tally& other) {
    if (other.count == 0) return;
    if (into.count == 0) {
        into = other;
        return;
    }
    into.count += other.count;
    if (function == Function::Min) {
        into.value = std::min(into.value, other.value);
    } else if (function == Function::Max) {
        into.value = std::max(into.value, other.value);
    } else {
        into.value = wrapping_sum(into.value, other.value);
    }
}

void fold(Function function, Tally& into, std::int64_t value) {
    fold(function, into, Tally{1, value});
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
    : call_(call), way_(Way::Pairs), is_count_(call.function == Function::Count) {
    roles_.add(call.value);
    roles_.add(call.condition);
    way_ = way_of();
}

CallRun::Way CallRun::way_of() const {
    if (call_.scope == Part::Child) return Way::Children;
    if (roles_.queried || call_.scope == Part::Parent) return Way::Pairs;
    const bool is_extreme = call_.function == Function::Min || call_.function == Function::Max;
    switch (call_.scope) {
        case Part::Ancestor:
            return Way::Ancestors;
        case Part::Sibling:
            return is_extreme ? Way::Pairs : Way::Siblings;
        default:
            break;
    }
    if (is_extreme) return Way::Least;
    return is_count_ && call_.condition.empty() ? Way::Size : Way::Prefix;
}

void CallRun::add_needs(ShapeNeeds& needs) const {
    needs.parents = true;
    needs.previous = needs.previous || roles_.previous;
    const bool is_pairs = way_ == Way::Pairs;
    needs.ends = needs.ends || way_ == Way::Size || way_ == Way::Prefix ||
                 (is_pairs && call_.scope == Part::Subtree);
    if (call_.scope == Part::Sibling) {
        needs.keep_siblings = true;
        needs.children = true;
    }
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
        std::memcpy(own_values_.data() + from, values.data, size * sizeof(std::int64_t));
        if (values.missing != nullptr) {
            kernels::mask_clear(own_mask_.data() + from, values.missing, size);
        }
        batch.scratch->give_back(values);
    }
}

void CallRun::take(const Batch& batch, const std::uint8_t* candidates) {
    if (way_ == Way::Children && is_count_) {
        counts_.resize(std::max(counts_.size(), batch.total()));
        std::fill(counts_.begin() + static_cast<std::ptrdiff_t>(batch.carried),
                  counts_.begin() + static_cast<std::ptrdiff_t>(batch.total()), 0);
    } else if (way_ != Way::Size && way_ != Way::Prefix) {
        tallies_.resize(batch.carried);
        tallies_.resize(batch.total());
    } else {
        tallies_.resize(batch.carried);
    }
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
        case Way::Pairs:
            break;
    }
    if (call_.scope == Part::Subtree) pair_descendants(batch, candidates);
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
    if (roles_.parent) {
        grandparents_.resize(frame.size);
        no_grandparent_.resize(frame.size);
        kernels::gather(Lane::I32, shape.parent(), bare.index, frame.size, grandparents_.data());
        kernels::gather(Lane::I8, shape.has_no_parent(), bare.index, frame.size,
                        no_grandparent_.data());
        frame.roles[static_cast<std::size_t>(Role::Parent)] = {grandparents_.data(),
                                                               no_grandparent_.data()};
    }
    return frame;
}

void CallRun::take_children(const Batch& batch, const std::uint8_t* candidates) {
    const Frame frame = child_frame(batch, candidates);
    if (frame.size == 0) return;
    evaluate_own(batch, frame);
    if (is_count_) {
        kernels::mask_scatter(own_mask_.data(), parent_index_, frame.size, counts_.data());
        return;
    }
    for (std::size_t i = 0; i < frame.size; ++i) {
        if (own_mask_[i] == 0) continue;
        fold(call_.function, tallies_[index(parent_index_[i])], own_values_[i]);
    }
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
        sums_[i + 1] = wrapping_sum(sums_[i], own_mask_[i] != 0 ? own_values_[i] : 0);
    }
}

/// So far, where the node is open.
Tally CallRun::subtree_of(const Batch& batch, std::size_t local) const {
    const std::size_t end = index(batch.shape->end()[local]) - batch.carried;
    const bool is_carried = local < batch.carried;
    const std::size_t begin = is_carried ? 0 : local + 1 - batch.carried;
    Tally tally = is_carried ? tallies_[local] : Tally{};
    if (way_ == Way::Size) {
        tally.count += static_cast<std::int64_t>(end - begin);
        return tally;
    }
    tally.count += prefix_[end] - prefix_[begin];
    if (!is_count_) {
        tally.value = wrapping_sum(tally.value, wrapping_difference(sums_[end], sums_[begin]));
    }
    return tally;
}

Vector CallRun::counts_of_subtrees(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    const std::int32_t* const end = batch.shape->end();
    const auto carried = static_cast<std::int32_t>(batch.carried);
    narrow_.resize(nodes.size());
    const auto open_nodes = static_cast<std::size_t>(
        std::lower_bound(nodes.begin(), nodes.end(), carried) - nodes.begin());
    bool is_narrow = true;
    for (std::size_t i = 0; i < open_nodes; ++i) {
        const std::int64_t count = subtree_of(batch, index(nodes[i])).count;
        is_narrow = is_narrow && count <= std::numeric_limits<std::int32_t>::max();
        narrow_[i] = static_cast<std::int32_t>(count);
    }
    if (way_ == Way::Size) {
        for (std::size_t i = open_nodes; i < nodes.size(); ++i) {
            narrow_[i] = end[nodes[i]] - nodes[i] - 1;
        }
    } else {
        const std::int32_t* const before = prefix_.data();
        for (std::size_t i = open_nodes; i < nodes.size(); ++i) {
            narrow_[i] = before[end[nodes[i]] - carried] - before[nodes[i] + 1 - carried];
        }
    }
    Vector vector;
    if (is_narrow) {
        vector.lane = Lane::I32;
        vector.data = narrow_.data();
        return vector;
    }
    values_.assign(narrow_.begin(), narrow_.end());
    for (std::size_t i = 0; i < open_nodes; ++i) {
        values_[i] = subtree_of(batch, index(nodes[i])).count;
    }
    vector.data = values_.data();
    return vector;
}

void CallRun::take_least(const Batch& batch) {
    evaluate_own(batch, dense_frame(batch, batch.carried, batch.total()));
    const std::int32_t* const parent = batch.shape->parent();
    // Children stand behind their parents, so that each is complete before it is handed up. Carried
    // nodes were counted when they were new; what they hand up twice changes no least value.
    for (std::size_t i = batch.total(); i-- > 1;) {
        Tally& up = tallies_[index(parent[i])];
        fold(call_.function, up, tallies_[i]);
        if (i >= batch.carried && own_mask_[i - batch.carried] != 0) {
            fold(call_.function, up, own_values_[i - batch.carried]);
        }
        up.count = std::min<std::int64_t>(up.count, 1);
    }
}

// ---- ancestors and siblings

void CallRun::take_ancestors(const Batch& batch) {
    evaluate_own(batch, dense_frame(batch, 0, batch.total()));
    const std::int32_t* const parent = batch.shape->parent();
    for (std::size_t i = std::max<std::size_t>(batch.carried, 1); i < batch.total(); ++i) {
        const std::size_t above = index(parent[i]);
        tallies_[i] = tallies_[above];
        if (own_mask_[above] == 0) continue;
        if (is_count_) {
            ++tallies_[i].count;
        } else {
            fold(call_.function, tallies_[i], own_values_[above]);
        }
    }
}

void CallRun::take_siblings(const Batch& batch) {
    evaluate_own(batch, dense_frame(batch, 0, batch.total()));
    const std::int32_t* const parent = batch.shape->parent();
    for (std::size_t i = std::max<std::size_t>(batch.carried, 1); i < batch.total(); ++i) {
        if (own_mask_[i] == 0) continue;
        fold(call_.function, tallies_[index(parent[i])], is_count_ ? 0 : own_values_[i]);
    }
}

// ---- pairs

void CallRun::add_pair(const Batch& batch, std::int32_t queried, std::int32_t other) {
    queried_.push_back(queried);
    others_.nodes.push_back(other);
    if (queried_.size() == batch.scratch->capacity()) flush_pairs(batch);
}

void CallRun::flush_pairs(const Batch& batch) {
    if (queried_.empty()) return;
    Frame frame = others_.frame(batch, roles_.parent);
    frame.roles[static_cast<std::size_t>(Role::Queried)].index = queried_.data();
    evaluate_own(batch, frame);
    for (std::size_t i = 0; i < frame.size; ++i) {
        if (own_mask_[i] == 0) continue;
        fold(call_.function, tallies_[index(queried_[i])], is_count_ ? 0 : own_values_[i]);
    }
    queried_.clear();
    others_.nodes.clear();
}

void CallRun::pair_descendants(const Batch& batch, const std::uint8_t* candidates) {
    const std::int32_t* const end = batch.shape->end();
    const auto carried = static_cast<std::int32_t>(batch.carried);
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(batch.total()); ++node) {
        if (candidates != nullptr && candidates[node] == 0) continue;
        for (std::int32_t below = std::max(node + 1, carried); below < end[node]; ++below) {
            add_pair(batch, node, below);
        }
    }
    flush_pairs(batch);
}

void CallRun::pair_others(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    const Shape& shape = *batch.shape;
    for (const std::int32_t node : nodes) {
        tallies_[index(node)] = {};
        if (node == 0) continue;
        const std::int32_t parent = shape.parent()[node];
        switch (call_.scope) {
            case Part::Parent:
                add_pair(batch, node, parent);
                break;
            case Part::Ancestor:
                for (std::int32_t at = parent;; at = shape.parent()[at]) {
                    add_pair(batch, node, at);
                    if (at == 0) break;
                }
                break;
            default:
                for (std::int32_t at = shape.first_child()[parent]; at != 0;
                     at = shape.next()[at]) {
                    if (at != node) add_pair(batch, node, at);
                }
                break;
        }
    }
    flush_pairs(batch);
}

// ---- answers

Tally CallRun::tally_of(const Batch& batch, std::size_t local) const {
    if (way_ == Way::Prefix || way_ == Way::Size) return subtree_of(batch, local);
    if (way_ != Way::Siblings) return tallies_[local];
    if (local == 0) return {};
    Tally tally = tallies_[index(batch.shape->parent()[local])];
    if (own_mask_[local] == 0) return tally;
    --tally.count;
    if (!is_count_) tally.value = wrapping_difference(tally.value, own_values_[local]);
    return tally;
}

Vector CallRun::answer(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    if (is_count_ && way_ == Way::Children) {
        narrow_.resize(nodes.size());
        kernels::gather(Lane::I32, counts_.data(), nodes.data(), nodes.size(), narrow_.data());
        Vector vector;
        vector.lane = Lane::I32;
        vector.data = narrow_.data();
        return vector;
    }
    if (is_count_ && (way_ == Way::Size || way_ == Way::Prefix)) {
        return counts_of_subtrees(batch, nodes);
    }
    if (way_ == Way::Pairs && call_.scope != Part::Subtree) pair_others(batch, nodes);
    answers_.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) answers_[i] = tally_of(batch, index(nodes[i]));
    return finish(nodes.size());
}

Vector CallRun::finish(std::size_t size) {
    values_.resize(size);
    missing_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        missing_[i] = is_missing(call_.function, answers_[i]) ? 1 : 0;
        values_[i] = value_of(call_.function, answers_[i]);
    }
    Vector vector;
    vector.lane = call_.function == Function::Avg ? Lane::F64 : Lane::I64;
    vector.data = values_.data();
    vector.missing = missing_.data();
    return vector;
}

void CallRun::carry(const Batch& batch, const std::vector<std::int32_t>& kept) {
    if (way_ == Way::Size || way_ == Way::Prefix) {
        std::vector<Tally> next(kept.size());
        for (std::size_t k = 0; k < kept.size(); ++k) next[k] = subtree_of(batch, index(kept[k]));
        tallies_ = std::move(next);
    } else if (way_ == Way::Children && is_count_) {
        keep_values(counts_, kept);
    } else {
        keep_values(tallies_, kept);
        tallies_.resize(kept.size());
    }
}

}  // namespace assay::gtql
