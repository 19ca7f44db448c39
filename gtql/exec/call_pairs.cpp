// Functions whose condition mentions the queried node [*]: every pair of the queried node and a
// related one is compared. The number of pairs is the sum of all depths (ancestors and descendants)
// or of the squares of the numbers of children (siblings), many times the number of nodes, so that
// the loop for a pair is what counts. There are three, the fastest first: a comparison of two
// columns runs over the interval of descendants or the path of ancestors, in the width of the
// columns; another condition over a long interval is evaluated as a vector in which the queried
// node's values are constants; all other pairs are listed and evaluated in vectors of both nodes'
// values.
#include <algorithm>

#include "gtql/exec/call_run.h"
#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

namespace {

/// From this number of descendants on, a vector of their own is faster than a list of pairs
/// (measured on the trees of Fruit).
constexpr std::int32_t kDenseInterval = 24;

}  // namespace

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
    give_to(queried_.data(), frame.size);
    queried_.clear();
    others_.nodes.clear();
}

void CallRun::pair_interval(const Batch& batch, std::int32_t node, std::int32_t from,
                            std::int32_t to) {
    Frame frame = dense_frame(batch, index(from), index(to));
    frame.roles[static_cast<std::size_t>(Role::Queried)].fixed = node;
    evaluate_own(batch, frame);
    std::int64_t& gathered = gathered_[index(node)];
    const auto count = static_cast<std::int64_t>(kernels::mask_count(own_mask_.data(), frame.size));
    if (is_count_) {
        gathered += count;
        return;
    }
    counts_[index(node)] += static_cast<std::int32_t>(count);
    if (is_extreme_) {
        gathered = std::min(gathered, *std::min_element(own_values_.begin(), own_values_.end()));
    } else {
        for (const std::int64_t each : own_values_) gathered = wrapping_sum(gathered, each);
    }
}

/// False unless the condition is a comparison of two columns of one width.
bool CallRun::count_by_comparison(const Batch& batch, const std::uint8_t* candidates) {
    if (!comparison_) return false;
    const LocalColumns& columns = *batch.columns;
    const Lane lane = columns.lane(comparison_->bare);
    if (lane == Lane::F64 || lane != columns.lane(comparison_->queried)) return false;
    kernels::Relatives relatives;
    relatives.candidates = candidates;
    relatives.first = static_cast<std::int32_t>(batch.carried);
    relatives.size = static_cast<std::int32_t>(batch.total());
    if (!rest_.empty()) {
        own_mask_.resize(batch.total());
        evaluate_mask(batch, rest_, dense_frame(batch, 0, batch.total()), own_mask_.data());
        relatives.mask = own_mask_.data();
    }
    const void* const values = columns.data(comparison_->bare);
    const void* const own = columns.data(comparison_->queried);
    if (call_.scope == Part::Subtree) {
        relatives.places = batch.shape->end();
        kernels::count_in_intervals(comparison_->op, lane, values, own, relatives,
                                    gathered_.data());
        return true;
    }
    if (depth_.size() < batch.total()) depth_.resize(batch.total());
    const std::int32_t* const parent = batch.shape->parent();
    if (batch.carried == 0 && batch.total() > 0) depth_[0] = 0;
    for (std::size_t i = std::max<std::size_t>(batch.carried, 1); i < batch.total(); ++i) {
        depth_[i] = depth_[index(parent[i])] + 1;
    }
    relatives.places = depth_.data();
    kernels::count_on_paths(comparison_->op, lane, values, own, relatives, gathered_.data());
    return true;
}

void CallRun::take_pairs(const Batch& batch, const std::uint8_t* candidates) {
    are_counted_ = count_by_comparison(batch, candidates);
    if (!are_counted_ && call_.scope == Part::Subtree) pair_descendants(batch, candidates);
}

void CallRun::pair_descendants(const Batch& batch, const std::uint8_t* candidates) {
    const std::int32_t* const end = batch.shape->end();
    const auto carried = static_cast<std::int32_t>(batch.carried);
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(batch.total()); ++node) {
        if (candidates != nullptr && candidates[node] == 0) continue;
        const std::int32_t from = std::max(node + 1, carried);
        if (end[node] - from >= kDenseInterval) {
            pair_interval(batch, node, from, end[node]);
            continue;
        }
        for (std::int32_t below = from; below < end[node]; ++below) add_pair(batch, node, below);
    }
    flush_pairs(batch);
}

void CallRun::pair_others(const Batch& batch, const std::vector<std::int32_t>& nodes) {
    const Shape& shape = *batch.shape;
    const std::int64_t nothing = is_extreme_ ? kNothing : 0;
    for (const std::int32_t node : nodes) {
        counts_[index(node)] = 0;
        gathered_[index(node)] = nothing;
        if (node == 0) continue;
        const std::int32_t parent = shape.parent()[node];
        switch (call_.scope) {
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

}  // namespace assay::gtql
