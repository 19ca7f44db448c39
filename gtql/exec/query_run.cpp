// One query in a pass. A query is a conjunction of parts: conditions on the node, its parent,
// ancestors, siblings, children and subtree. The parts that need the node alone are evaluated
// first, over a whole batch, and give a mask of candidates; functions are then updated with that
// mask, so that a selective condition makes everything behind it cheap. A candidate is decided in
// the step in which all of its functions are complete: at once, when its subtree closes, or when
// its parent's does. The parts are evaluated in this order, each only for nodes that the earlier
// ones have left.
#include "gtql/exec/query_run.h"

#include <algorithm>
#include <cstring>

#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

namespace {

constexpr std::size_t kFirstOther = 1;  // parts from Parent on

}  // namespace

// ---- ids

void IdCollector::add(std::uint64_t id) {
    ++count_;
    if (id > limit_ || most_ == 0) return;
    ids_.push_back(id);
    // Trimming to the smallest `most_` costs time in the size of the list, and happens once that
    // many have been added: a constant each.
    if (most_ != kAllIds && ids_.size() >= 2 * most_ + 1024) trim();
}

void IdCollector::trim() {
    if (ids_.size() <= most_) return;
    const auto last = ids_.begin() + static_cast<std::ptrdiff_t>(most_) - 1;
    std::ranges::nth_element(ids_, last);
    limit_ = *last;
    ids_.resize(most_);
}

std::vector<std::uint64_t> IdCollector::take() {
    if (most_ != kAllIds && most_ != 0) trim();
    std::ranges::sort(ids_);
    return std::move(ids_);
}

// ---- one query

QueryRun::QueryRun(Plan plan, const std::vector<std::string>& moves, std::uint64_t most_ids)
    : plan_(std::move(plan)), ids_(most_ids) {
    RolesUsed roles;
    for (std::size_t part = kFirstOther; part < plan_.query.parts.size(); ++part) {
        roles.add(plan_.query.parts.at(part));
        has_conditions_ = has_conditions_ || !plan_.query.parts.at(part).empty();
    }
    uses_parents_ = roles.parent;
    for (const Call& call : plan_.query.calls) {
        if (call.scope == Part::Node) {
            calls_.push_back(nullptr);
            continue;
        }
        calls_.push_back(std::make_unique<CallRun>(call));
        if (calls_.back()->waits_for_parent()) {
            ready_ = Ready::ParentClosed;
        } else if (calls_.back()->waits_for_node() && ready_ == Ready::AtOnce) {
            ready_ = Ready::Closed;
        }
    }
    if (plan_.query.kind != AnswerKind::Nodes) statement_.emplace(plan_, moves);
}

void QueryRun::add_needs(ShapeNeeds& needs) const {
    for (const auto& call : calls_) {
        if (call != nullptr) call->add_needs(needs);
    }
    RolesUsed roles;
    roles.add(node_part());
    const bool has_parents =
        roles.parent || uses_parents_ || (statement_.has_value() && statement_->uses_parents());
    needs.parents = needs.parents || has_parents;
}

void QueryRun::step(const Batch& batch) {
    if (ready_ == Ready::AtOnce && batch.size == 0) return;
    const bool has_calls =
        std::ranges::any_of(calls_, [](const auto& each) { return each != nullptr; });
    if (!has_calls && (!statement_ || !has_conditions_)) return decide_dense(batch);
    const bool has_node_part = !node_part().empty();
    if (has_node_part) {
        candidates_.resize(batch.total());
        evaluate_mask(batch, node_part(), dense_frame(batch, 0, batch.total()), candidates_.data());
    }
    for (const auto& call : calls_) {
        if (call != nullptr) call->take(batch, has_node_part ? candidates_.data() : nullptr);
    }
    find_ready(batch);
    decide(batch);
}

/// Without functions a node is decided by its own values, in the batch in which it arrives.
void QueryRun::decide_dense(const Batch& batch) {
    const Frame frame = dense_frame(batch, batch.carried, batch.total());
    if (statement_) return statement_->take(batch, frame);
    mask_.resize(batch.size);
    evaluate_mask(batch, node_part(), frame, mask_.data());
    part_mask_.resize(batch.size);
    for (std::size_t part = kFirstOther; part < plan_.query.parts.size(); ++part) {
        const Expression& condition = plan_.query.parts.at(part);
        if (condition.empty()) continue;
        evaluate_mask(batch, condition, frame, part_mask_.data());
        for (std::size_t i = 0; i < batch.size; ++i) mask_[i] &= part_mask_[i];
    }
    const std::uint64_t count = kernels::mask_count(mask_.data(), batch.size);
    if (ids_.is_full()) return ids_.skip(count);
    // Eight more: mask_select() writes all places of a word before it moves on by those that are
    // set.
    found_.nodes.resize(batch.size + 8);
    found_.nodes.resize(kernels::mask_select(
        mask_.data(), batch.size, static_cast<std::int32_t>(batch.carried), found_.nodes.data()));
    emit(batch);
}

void QueryRun::find_ready(const Batch& batch) {
    const bool has_node_part = !node_part().empty();
    const std::size_t from = ready_ == Ready::AtOnce ? batch.carried : 0;
    const std::size_t size = batch.total() - from;
    const std::uint8_t* ready = nullptr;
    if (ready_ == Ready::Closed) ready = batch.shape->closes();
    if (ready_ == Ready::ParentClosed) ready = batch.shape->parent_closes();
    mask_.resize(size);
    if (ready == nullptr) {
        if (has_node_part) {
            std::memcpy(mask_.data(), candidates_.data() + from, size);
        } else {
            std::memset(mask_.data(), 1, size);
        }
    } else if (has_node_part) {
        kernels::mask_and(ready, candidates_.data(), size, mask_.data());
    } else {
        std::memcpy(mask_.data(), ready, size);
    }
    ready_nodes_.nodes.resize(size + 8);
    ready_nodes_.nodes.resize(kernels::mask_select(
        mask_.data(), size, static_cast<std::int32_t>(from), ready_nodes_.nodes.data()));
}

/// Keeps those of the nodes for which a part is true. Only the part's own functions are evaluated,
/// and only for the nodes that earlier parts have left.
void QueryRun::keep_where(const Batch& batch, const Expression& condition) {
    std::vector<Vector> answers(calls_.size());
    for (const Step& step : condition.steps) {
        if (step.op != Op::Call) continue;
        const auto call = static_cast<std::size_t>(step.value);
        if (answers[call].data == nullptr) {
            answers[call] = calls_[call]->answer(batch, ready_nodes_.nodes);
        }
    }
    Frame frame = ready_nodes_.frame(batch, uses_parents_);
    frame.calls = answers;
    part_mask_.resize(frame.size);
    evaluate_mask(batch, condition, frame, part_mask_.data());
    std::vector<std::int32_t>& found = found_.nodes;
    found.resize(frame.size + 8);
    found.resize(kernels::mask_select(part_mask_.data(), frame.size, 0, found.data()));
    for (std::int32_t& each : found) each = ready_nodes_.nodes[static_cast<std::size_t>(each)];
    std::swap(found, ready_nodes_.nodes);
}

void QueryRun::decide(const Batch& batch) {
    for (std::size_t part = kFirstOther; part < plan_.query.parts.size(); ++part) {
        const Expression& condition = plan_.query.parts.at(part);
        if (ready_nodes_.nodes.empty()) return;
        if (!condition.empty()) keep_where(batch, condition);
    }
    if (ready_nodes_.nodes.empty()) return;
    std::swap(found_.nodes, ready_nodes_.nodes);
    if (statement_) {
        statement_->take(batch, found_.frame(batch, statement_->uses_parents()));
    } else {
        emit(batch);
    }
}

void QueryRun::emit(const Batch& batch) {
    for (const std::int32_t each : found_.nodes) {
        ids_.add(batch.node(static_cast<std::size_t>(each)) + 1);
    }
}

void QueryRun::carry(const Batch& batch, const std::vector<std::int32_t>& kept) {
    for (const auto& call : calls_) {
        if (call != nullptr) call->carry(batch, kept);
    }
}

Answer QueryRun::finish(Scratch& scratch) {
    if (statement_) return statement_->finish(scratch);
    Answer answer;
    answer.kind = AnswerKind::Nodes;
    answer.count = ids_.count();
    answer.ids = ids_.take();
    return answer;
}

}  // namespace assay::gtql
