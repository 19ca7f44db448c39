#pragma once
#include <cstdint>
#include <vector>

#include "gtql/exec/batch.h"
#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// What a function has gathered: how many values, and their sum, least or greatest.
struct Tally {
    std::int64_t count = 0;
    std::int64_t value = 0;
};

/// Takes a value into a tally. Sums wrap around.
void fold(Function function, Tally& into, std::int64_t value);
void fold(Function function, Tally& into, const Tally& other);
/// The least, greatest and average of nothing are missing.
[[nodiscard]] bool is_missing(Function function, const Tally& tally);
/// An average as the bits of its double; 0 where the tally is empty.
[[nodiscard]] std::int64_t value_of(Function function, const Tally& tally);

/// One function over the parent, ancestors, siblings, children or descendants of the queried node,
/// while a pass goes on. How its answer comes about depends on the scope:
///
/// - children: each new node is counted at its parent;
/// - descendants: the difference of prefix sums at both ends of the subtree's interval; least and
///   greatest values go from child to parent instead;
/// - ancestors: a node takes over from its parent;
/// - siblings: what the parent's children sum to, less the node itself;
/// - the parent, least and greatest of siblings, and whatever mentions [*]: pairs of the queried
///   node and another are listed and evaluated in vectors, which costs a step for each pair.
class CallRun {
public:
    /// `call` has its columns bound to slots, and outlives this. It is not over the whole tree.
    explicit CallRun(const Call& call);

    void add_needs(ShapeNeeds& needs) const;

    /// True where answers exist only for nodes whose subtree, or whose parent, is closed.
    [[nodiscard]] bool waits_for_node() const;
    [[nodiscard]] bool waits_for_parent() const;

    [[nodiscard]] bool is_over_children() const { return way_ == Way::Children; }

    /// Takes in the batch. `candidates`, a mask over local indices, tells whose answer will be
    /// asked; null: everyone's.
    void take(const Batch& batch, const std::uint8_t* candidates);
    /// The answers for nodes that are closed as they must be; lives until the next call.
    [[nodiscard]] Vector answer(const Batch& batch, const std::vector<std::int32_t>& nodes);
    /// REQUIRES: the shape has not carried yet.
    void carry(const Batch& batch, const std::vector<std::int32_t>& kept);

private:
    enum class Way : std::uint8_t { Children, Size, Prefix, Least, Ancestors, Siblings, Pairs };

    [[nodiscard]] Way way_of() const;
    void evaluate_own(const Batch& batch, const Frame& frame);
    void take_children(const Batch& batch, const std::uint8_t* candidates);
    [[nodiscard]] Frame child_frame(const Batch& batch, const std::uint8_t* candidates);
    void take_prefix(const Batch& batch);
    void take_least(const Batch& batch);
    void take_ancestors(const Batch& batch);
    void take_siblings(const Batch& batch);
    void pair_descendants(const Batch& batch, const std::uint8_t* candidates);
    void pair_others(const Batch& batch, const std::vector<std::int32_t>& nodes);
    void add_pair(const Batch& batch, std::int32_t queried, std::int32_t other);
    void flush_pairs(const Batch& batch);
    [[nodiscard]] Tally subtree_of(const Batch& batch, std::size_t local) const;
    [[nodiscard]] Tally tally_of(const Batch& batch, std::size_t local) const;
    [[nodiscard]] Vector counts_of_subtrees(const Batch& batch,
                                            const std::vector<std::int32_t>& nodes);
    [[nodiscard]] Vector finish(std::size_t size);

    const Call& call_;
    RolesUsed roles_;
    Way way_;
    bool is_count_;
    std::vector<std::int32_t> counts_;  // Children of a count, by local index
    std::vector<Tally> tallies_;        // of the other ways, by local index
    std::vector<std::int32_t> prefix_;  // Prefix: set masks among the new nodes before
    std::vector<std::int64_t> sums_;    // Prefix: their values
    // Of the nodes at hand: does the node count, and with which value.
    std::vector<std::uint8_t> own_mask_;
    std::vector<std::int64_t> own_values_;
    // Children: which new nodes are looked at, and their parents and neighbours.
    std::vector<std::int32_t> looked_at_;
    std::vector<std::int32_t> parents_;
    std::vector<std::int32_t> grandparents_;
    std::vector<std::int32_t> previous_;
    std::vector<std::uint8_t> no_previous_;
    std::vector<std::uint8_t> no_grandparent_;
    std::vector<std::uint8_t> is_asked_;
    const std::int32_t* parent_index_ = nullptr;
    // Pairs
    Selection others_;
    std::vector<std::int32_t> queried_;
    // Answers
    std::vector<Tally> answers_;
    std::vector<std::int64_t> values_;
    std::vector<std::int32_t> narrow_;
    std::vector<std::uint8_t> missing_;
};

}  // namespace assay::gtql
