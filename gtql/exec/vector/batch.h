#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gtql/exec/vector/columns.h"
#include "gtql/exec/vector/evaluate.h"
#include "gtql/exec/vector/shape.h"
#include "gtql/exec/vector/vector.h"

namespace assay::gtql {

/// The nodes of one step of a pass, as all queries see them. Valid during that step only.
struct Batch {
    const Shape* shape = nullptr;  // null where every query needs the node itself only
    const LocalColumns* columns = nullptr;
    Scratch* scratch = nullptr;
    Evaluator* evaluator = nullptr;
    std::uint64_t first = 0;  // preorder index of the first new node
    std::size_t size = 0;     // new nodes
    std::size_t carried = 0;  // local index of the first new node
    bool is_end = false;      // the step after the last node, in which all open nodes close

    [[nodiscard]] std::size_t total() const { return carried + size; }

    [[nodiscard]] std::uint64_t node(std::size_t local) const {
        return shape != nullptr ? shape->node(local) : first + local;
    }
};

/// The roles that an expression mentions.
struct RolesUsed {
    bool parent = false;
    bool queried = false;
    bool previous = false;
    bool bare = false;

    void add(const Expression& expression);
};

/// Local indices of nodes, and on demand of their parents, as roles of a frame.
class Selection {
public:
    std::vector<std::int32_t> nodes;

    /// Bare refers to the nodes, Parent to their parents if `needs_parents`.
    [[nodiscard]] Frame frame(const Batch& batch, bool needs_parents);

private:
    std::vector<std::int32_t> parents_;
    std::vector<std::uint8_t> orphans_;
};

/// Local indices [from, to) as the bare node, without copying.
[[nodiscard]] Frame dense_frame(const Batch& batch, std::size_t from, std::size_t to);

/// A part of a frame with that of its calls. REQUIRES: `calls` lives as long as the part.
[[nodiscard]] Frame slice(const Frame& frame, std::size_t from, std::size_t size,
                          std::vector<Vector>& calls);

/// Evaluates a truth value over a frame of any size. `out` has room for frame.size.
void evaluate_mask(const Batch& batch, const Expression& expression, const Frame& frame,
                   std::uint8_t* out);

}  // namespace assay::gtql
