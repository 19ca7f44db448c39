// The second half of a call (call_run.cpp says what a call is): the values of the nodes that ask,
// from what take() gathered of the batch. Nodes are in preorder, so a subtree is an interval, and
// its sum is the difference of two prefix sums: two look-ups a node, however large the subtree is.
// Prefix sums wrap around; so does their difference, which is therefore right wherever the sum
// itself fits.
//
// Nodes that were open when the batch began (carried) have a part of their subtree in batches that
// are gone. They have a tally of it, are few, and stand first in the list of those that ask; the
// loops behind them have no branch. Counts are answered in 32 bits where all fit: a
// kernel takes more of these in one step.
#include <algorithm>
#include <bit>
#include <limits>

#include "gtql/exec/call_run.h"
#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

/// Of the subtree as far as it has been read, where the node is open.
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

Vector CallRun::counts_around(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    narrow_.resize(nodes.size());
    if (way_ != Way::Siblings) {
        kernels::gather(Lane::I32, counts_.data(), nodes.data(), nodes.size(), narrow_.data());
    } else {
        const std::int32_t* const parent = batch.shape->parent();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::size_t node = index(nodes[i]);
            narrow_[i] = node == 0 ? 0 : counts_[index(parent[node])] - own_mask_[node];
        }
    }
    Vector vector;
    vector.lane = Lane::I32;
    vector.data = narrow_.data();
    return vector;
}

/// Sums over the intervals of descendants, and the numbers of values in them.
void CallRun::gather_subtrees(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    const std::int32_t* const end = batch.shape->end();
    const auto carried = static_cast<std::int32_t>(batch.carried);
    const auto open_nodes = static_cast<std::size_t>(
        std::lower_bound(nodes.begin(), nodes.end(), carried) - nodes.begin());
    for (std::size_t i = 0; i < open_nodes; ++i) {
        const Tally tally = subtree_of(batch, index(nodes[i]));
        numbers_[i] = tally.count;
        values_[i] = tally.value;
    }
    const std::int32_t* const before = prefix_.data();
    const std::int64_t* const sums = sums_.data();
    for (std::size_t i = open_nodes; i < nodes.size(); ++i) {
        const std::int32_t from = nodes[i] + 1 - carried;
        const std::int32_t to = end[nodes[i]] - carried;
        numbers_[i] = before[to] - before[from];
        values_[i] = wrapping_difference(sums[to], sums[from]);
    }
}

void CallRun::gather_siblings(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    const std::int32_t* const parent = batch.shape->parent();
    // The root, which can only be the first, has no siblings.
    const std::size_t roots = !nodes.empty() && nodes[0] == 0 ? 1 : 0;
    if (roots != 0) numbers_[0] = values_[0] = 0;
    const std::int64_t* const own = own_values_.data();
    for (std::size_t i = roots; i < nodes.size(); ++i) {
        const std::size_t node = index(nodes[i]);
        const std::size_t above = index(parent[node]);
        numbers_[i] = counts_[above] - own_mask_[node];
        values_[i] = gathered_[above];
        if (way_ == Way::Siblings) values_[i] = wrapping_difference(values_[i], own[node]);
    }
    if (way_ == Way::Siblings) return;
    for (std::size_t i = roots; i < nodes.size(); ++i) {
        const std::size_t node = index(nodes[i]);
        const std::int64_t second = second_[index(parent[node])];
        values_[i] = own[node] == values_[i] ? second : values_[i];
    }
}

Vector CallRun::answer(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    if (are_prefixes() && is_count_) return counts_of_subtrees(batch, nodes);
    if (!has_values()) return counts_around(batch, nodes);
    if (way_ == Way::Pairs && call_.scope != Part::Subtree && !are_counted_) {
        pair_others(batch, nodes);
    }
    const std::size_t size = nodes.size();
    numbers_.resize(size);
    values_.resize(size);
    if (way_ == Way::Prefix) {
        gather_subtrees(batch, nodes);
    } else if (way_ == Way::Siblings || way_ == Way::BestSiblings) {
        gather_siblings(batch, nodes);
    } else {
        kernels::gather(Lane::I64, gathered_.data(), nodes.data(), size, values_.data());
        for (std::size_t i = 0; i < size; ++i) numbers_[i] = counts_[index(nodes[i])];
    }
    return finish();
}

/// Turns numbers of nodes and gathered values into answers.
Vector CallRun::finish() {
    const std::size_t size = values_.size();
    Vector vector;
    vector.data = values_.data();
    if (is_count_ || call_.function == Function::Sum) return vector;
    missing_.resize(size);
    for (std::size_t i = 0; i < size; ++i) missing_[i] = numbers_[i] == 0 ? 1 : 0;
    vector.missing = missing_.data();
    if (call_.function == Function::Max) {
        for (std::int64_t& each : values_) each = ~each;
    } else if (call_.function == Function::Avg) {
        vector.lane = Lane::F64;
        for (std::size_t i = 0; i < size; ++i) {
            const auto count = static_cast<double>(std::max<std::int64_t>(numbers_[i], 1));
            values_[i] = std::bit_cast<std::int64_t>(static_cast<double>(values_[i]) / count);
        }
    }
    return vector;
}

}  // namespace assay::gtql
