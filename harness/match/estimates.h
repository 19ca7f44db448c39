#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/match/tally.h"
#include "stats/estimate/estimate.h"
#include "stats/stop/after_stop.h"

namespace assay::harness {

/// What an estimate takes for granted of the way in which a match ended (docs/statistics.md
/// sections 2, 9 and 13).
enum class EstimateKind : std::uint8_t {
    Fixed,               // the number of pairs was fixed before the start, and it was
    Naive,               // the same, and it was not
    MedianUnbiased,      // the stop rule ended the match, or has looked so far
    ConfidenceSequence,  // nothing: the interval holds at every look
};

/// For scripts and the store: "fixed", "naive", "median_unbiased", "confidence_sequence".
[[nodiscard]] std::string_view name_of(EstimateKind kind);
[[nodiscard]] std::optional<EstimateKind> estimate_kind_of(std::string_view name);

/// The strength of the first program under one of them.
struct MatchEstimate {
    EstimateKind kind = EstimateKind::Fixed;
    stats::Estimate elo;
    stats::Estimate nelo;       // empty: the kind has none
    std::optional<double> los;  // nullopt: the kind has none
    bool is_rough = false;      // median-unbiased between programs too far apart for it

    [[nodiscard]] bool has_nelo() const { return nelo.value || nelo.ci95.low || nelo.ci95.high; }

    friend bool operator==(const MatchEstimate&, const MatchEstimate&) = default;
};

/// `quoted` is the one that is right for the way in which the match ended.
struct MatchEstimates {
    MatchEstimate quoted;
    std::vector<MatchEstimate> others;
};

/// After a sequential test the median-unbiased estimate is quoted, or where it is rough (few pairs,
/// programs far apart) the confidence sequence; of a match that was cut short of a number of pairs
/// fixed beforehand, the confidence sequence too. A test that was decided by so few pairs, all of
/// them won or lost, that the confidence sequence excludes nothing has the naive one alone. Costs
/// up to 100 ms.
[[nodiscard]] MatchEstimates match_estimates(const MatchTally& tally);

/// The plain estimate, right for a number of pairs that was fixed beforehand.
[[nodiscard]] MatchEstimate fixed_estimate(const stats::Pentanomial& pairs);

/// Estimates that know of the sequential stop; nullopt where the rule does not look as it goes, or
/// nothing can be said. Costs up to 100 ms.
[[nodiscard]] std::optional<stats::AfterStop> after_stop(const MatchTally& tally);

/// Whether a match without such a rule has fewer pairs than it was to have, for a reason other than
/// a budget that ended: it goes on, or was stopped. What its p-values say does not hold then.
[[nodiscard]] bool is_cut_short(const MatchTally& tally);

}  // namespace assay::harness
