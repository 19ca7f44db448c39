#pragma once
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/match/tally.h"
#include "harness/store/store.h"

namespace assay::harness {

/// Decides for each pair, in schedule order, whether it counts, and adds it to the tally. Used by a
/// run that is played, resumed or reported from the store, so that all three count alike. Pure.
class PairCounter {
public:
    explicit PairCounter(const MatchPlan& plan)
        : tally_(plan), drops_duplicates_(plan.deterministic) {}

    PairCounter(const MatchPlan& plan, std::unique_ptr<stats::StopRule> rule)
        : tally_(plan, std::move(rule)), drops_duplicates_(plan.deterministic) {}

    /// REQUIRES: pairs come in schedule order. Returns the pair with its state: counted, after the
    /// stop rule's decision, or (deterministic programs) a repetition of an earlier pair's moves.
    PairDigest count(PairDigest pair);

    /// REQUIRES: is_replaced(pair.state).
    void add_left_out(const PairDigest& pair) { tally_.add(pair); }

    [[nodiscard]] const MatchTally& tally() const { return tally_; }

    [[nodiscard]] MatchTally& tally() { return tally_; }

private:
    MatchTally tally_;
    bool drops_duplicates_;
    std::unordered_set<std::uint64_t> seen_;
};

/// The pairs of a stored match that count for its verdict, in schedule order.
[[nodiscard]] std::vector<PairDigest> counted_pairs(const Store& store, const RunRecord& run,
                                                    std::size_t match);

/// The tally of a stored match, as the run that played it had it.
[[nodiscard]] MatchTally tally_of(const Store& store, const RunRecord& run, std::size_t match);

/// The same with a rule made by the caller: calibrating a rule takes longer than counting a night's
/// games. `rule` is unused so far; null if the plan has none.
[[nodiscard]] MatchTally tally_of(const Store& store, const RunRecord& run, std::size_t match,
                                  std::unique_ptr<stats::StopRule> rule);

}  // namespace assay::harness
