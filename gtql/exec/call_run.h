#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gtql/exec/vector/batch.h"
#include "gtql/exec/vector/conjuncts.h"
#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// Sums of 64 bits wrap around.
[[nodiscard]] constexpr std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

[[nodiscard]] constexpr std::int64_t wrapping_difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// A local index as containers take it.
[[nodiscard]] constexpr std::size_t index(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

/// A partial result of a function: the number of values, and their sum, least or greatest.
struct Tally {
    std::int64_t count = 0;
    std::int64_t value = 0;
};

/// Adds a value to a tally. Sums wrap around.
void fold(Function function, Tally& into, std::int64_t value);
/// Whether there is no result: the least, greatest and average of no value.
[[nodiscard]] bool is_missing(Function function, const Tally& tally);
/// An average as the bits of its double; 0 where the tally is empty.
[[nodiscard]] std::int64_t value_of(Function function, const Tally& tally);

/// One function over the parent, ancestors, siblings, children or descendants of the queried node,
/// during a pass over the tree. The method depends on the scope:
///
/// - children: each new node is counted at its parent;
/// - descendants: the difference of prefix sums at both ends of the subtree's interval; least and
///   greatest values go from child to parent instead;
/// - ancestors: a node continues the result of its parent;
/// - siblings: the sum over the parent's children, less the node itself;
/// - least and greatest of siblings: the parent keeps the two best of its children;
/// - the parent: each new node reads it;
/// - anything that mentions [*] in the other scopes: pairs of the queried node and another, which
///   costs a step for each pair. Where the condition compares two columns, descendants are compared
///   in one loop over their interval, ancestors over the path. For other conditions long intervals
///   are vectors with the queried node's values as constants, and other pairs are listed.
class CallRun {
public:
    /// REQUIRES: the columns of `call` are bound to slots, `call` outlives this, and its scope is
    /// not the whole tree.
    explicit CallRun(const Call& call);

    void add_needs(ShapeNeeds& needs) const;

    /// True where an answer exists only once the node's subtree, or its parent's, is complete.
    [[nodiscard]] bool waits_for_node() const;
    [[nodiscard]] bool waits_for_parent() const;

    /// Adds a batch. `candidates` is a mask over local indices: whose answers will be needed; null:
    /// those of all nodes.
    void take(const Batch& batch, const std::uint8_t* candidates);
    /// The answers for nodes that are complete as waits_for_...() demand. Valid until the next
    /// call.
    [[nodiscard]] Vector answer(const Batch& batch, const std::vector<std::int32_t>& nodes);
    /// Keeps the results of the nodes `kept`, which stay open, for the next batch.
    /// REQUIRES: the shape has not been carried over yet.
    void carry(const Batch& batch, const std::vector<std::int32_t>& kept);

private:
    enum class Way : std::uint8_t {
        Children,
        Size,
        Prefix,
        Least,
        Ancestors,
        Siblings,
        BestSiblings,
        Parent,
        Pairs
    };

    [[nodiscard]] Way way_of() const;

    [[nodiscard]] bool are_prefixes() const { return way_ == Way::Size || way_ == Way::Prefix; }

    [[nodiscard]] bool has_values() const { return !is_count_ || way_ == Way::Pairs; }

    /// What a pass over the nodes of a batch reads and writes, by local index; `mask` and `own`
    /// from the first node that was evaluated.
    struct Dense {
        const std::int32_t* parent;
        const std::uint8_t* mask;
        const std::int64_t* own;
        std::int32_t* counts;
        std::int64_t* gathered;
    };

    void evaluate_own(const Batch& batch, const Frame& frame);
    /// Evaluates all nodes from the local index `from` on.
    [[nodiscard]] Dense evaluate_dense(const Batch& batch, std::size_t from);
    void take_own_values(const Vector& values, std::size_t from, std::size_t size);
    void make_room(const Batch& batch);
    void add_grandparents(const Shape& shape, Frame& frame);
    [[nodiscard]] Frame child_frame(const Batch& batch, const std::uint8_t* candidates);
    void give_to(const std::int32_t* nodes, std::size_t size);
    void take_children(const Batch& batch, const std::uint8_t* candidates);
    void take_prefix(const Batch& batch);
    void take_least(const Batch& batch);
    void take_ancestors(const Batch& batch);
    void take_siblings(const Batch& batch);
    void take_best_siblings(const Batch& batch);
    void take_parents(const Batch& batch);
    // call_pairs.cpp
    void take_pairs(const Batch& batch, const std::uint8_t* candidates);
    [[nodiscard]] bool count_by_comparison(const Batch& batch, const std::uint8_t* candidates);
    void pair_descendants(const Batch& batch, const std::uint8_t* candidates);
    void pair_interval(const Batch& batch, std::int32_t node, std::int32_t from, std::int32_t to);
    void pair_others(const Batch& batch, const std::vector<std::int32_t>& nodes);
    void add_pair(const Batch& batch, std::int32_t queried, std::int32_t other);
    void flush_pairs(const Batch& batch);
    // call_answer.cpp
    [[nodiscard]] Tally subtree_of(const Batch& batch, std::size_t local) const;
    [[nodiscard]] Vector counts_around(const Batch& batch, const std::vector<std::int32_t>& nodes);
    [[nodiscard]] Vector counts_of_subtrees(const Batch& batch,
                                            const std::vector<std::int32_t>& nodes);
    void gather_subtrees(const Batch& batch, const std::vector<std::int32_t>& nodes);
    void gather_siblings(const Batch& batch, const std::vector<std::int32_t>& nodes);
    [[nodiscard]] Vector finish();

    /// The least value of no nodes.
    static constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::max();

    const Call& call_;
    RolesUsed roles_;
    bool is_count_;
    bool is_extreme_;  // Min or Max
    Way way_ = Way{};
    // By local index: how many nodes count, and their sum or least value; for a greatest value its
    // complement. Not used by Size and Prefix, which keep tallies of the carried nodes.
    std::vector<std::int32_t> counts_;
    std::vector<std::int64_t> gathered_;  // of a count only in Pairs, and then the count
    std::vector<std::int64_t> second_;    // BestSiblings: the second best of a node's children
    std::vector<Tally> tallies_;
    std::vector<std::int32_t> prefix_;            // Prefix: set masks among the new nodes before
    std::vector<std::int64_t> sums_;              // Prefix: their values
    std::optional<ColumnComparison> comparison_;  // Pairs: all of the condition, or what
    Expression rest_;                             // remains of it beside that
    // Of the nodes of the batch: whether the node counts, and its value; 0 or kNothing where not.
    std::vector<std::uint8_t> own_mask_;
    std::vector<std::int64_t> own_values_;
    // Children: the new nodes that are evaluated, and their parents and neighbours.
    std::vector<std::int32_t> looked_at_;
    std::vector<std::int32_t> parents_;
    std::vector<std::int32_t> grandparents_;
    std::vector<std::int32_t> previous_;
    std::vector<std::uint8_t> no_previous_;
    std::vector<std::uint8_t> no_grandparent_;
    std::vector<std::uint8_t> is_asked_;
    const std::int32_t* parent_index_ = nullptr;
    // Pairs
    bool are_counted_ = false;         // when the nodes were taken in: nothing is to be listed
    std::vector<std::int32_t> depth_;  // by local index, where ancestors are compared
    Selection others_;
    std::vector<std::int32_t> queried_;
    // Answers
    std::vector<std::int64_t> values_;
    std::vector<std::int64_t> numbers_;  // of how many nodes each value is
    std::vector<std::int32_t> narrow_;
    std::vector<std::uint8_t> missing_;
};

}  // namespace assay::gtql
