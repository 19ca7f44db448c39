// How expressions see the nodes of a batch. Most conditions are evaluated over all nodes of a batch
// in their order ("dense"): their values are read in place. Later parts of a query see the few
// nodes that earlier parts have left: their values are gathered by index. A Frame hides which of
// the two it is. It says for each role (the node, its parent, the queried node) where its values
// lie, and nothing is copied until an operator needs it.
//
// A frame may be larger than the evaluator's buffers; it is then worked off in slices. A slice is a
// frame with moved pointers.
#include "gtql/exec/vector/batch.h"

#include <algorithm>
#include <cstring>

#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

void RolesUsed::add(const Expression& expression) {
    for (const Step& step : expression.steps) {
        if (step.op != Op::Column && step.op != Op::Builtin) continue;
        parent = parent || step.role == Role::Parent;
        queried = queried || step.role == Role::Queried;
        previous = previous || step.role == Role::Previous;
        bare = bare || step.role == Role::Bare;
    }
}

Frame Selection::frame(const Batch& batch, bool needs_parents) {
    Frame frame;
    frame.size = nodes.size();
    frame.columns = batch.columns;
    frame.roles[static_cast<std::size_t>(Role::Bare)].index = nodes.data();
    if (!needs_parents) return frame;
    parents_.resize(nodes.size());
    orphans_.resize(nodes.size());
    kernels::gather(Lane::I32, batch.shape->parent(), nodes.data(), nodes.size(), parents_.data());
    kernels::gather(Lane::I8, batch.shape->has_no_parent(), nodes.data(), nodes.size(),
                    orphans_.data());
    frame.roles[static_cast<std::size_t>(Role::Parent)] = {parents_.data(), orphans_.data()};
    return frame;
}

Frame dense_frame(const Batch& batch, std::size_t from, std::size_t to) {
    Frame frame;
    frame.size = to - from;
    frame.first = from;
    frame.columns = batch.columns;
    if (batch.shape != nullptr) {
        frame.roles[static_cast<std::size_t>(Role::Parent)] = {batch.shape->parent() + from,
                                                               batch.shape->has_no_parent() + from};
    }
    return frame;
}

Frame slice(const Frame& frame, std::size_t from, std::size_t size, std::vector<Vector>& calls) {
    Frame part = frame;
    part.size = size;
    part.first = frame.first + from;
    for (RoleView& role : part.roles) {
        if (role.index != nullptr) role.index += from;
        if (role.missing != nullptr) role.missing += from;
    }
    calls.assign(frame.calls.begin(), frame.calls.end());
    for (Vector& call : calls) {
        if (call.data != nullptr) {
            call.data = static_cast<const std::byte*>(call.data) + from * bytes_of(call.lane);
        }
        if (call.missing != nullptr) call.missing += from;
    }
    part.calls = calls;
    return part;
}

void evaluate_mask(const Batch& batch, const Expression& expression, const Frame& frame,
                   std::uint8_t* out) {
    if (expression.empty()) {
        // An empty condition is true of every node.
        std::memset(out, 1, frame.size);
        return;
    }
    std::vector<Vector> calls;
    const std::size_t step = batch.scratch->capacity();
    for (std::size_t from = 0; from < frame.size; from += step) {
        const std::size_t size = std::min(step, frame.size - from);
        const Vector mask = batch.evaluator->mask(expression, slice(frame, from, size, calls));
        std::memcpy(out + from, mask.data, size);
        batch.scratch->give_back(mask);
    }
}

}  // namespace assay::gtql
