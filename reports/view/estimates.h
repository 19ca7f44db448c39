#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/match/tally.h"
#include "stats/estimate/estimate.h"

namespace assay::reports {

/// What an estimate takes for granted of the way in which a match ended (docs/statistics.md
/// sections 2, 9 and 13).
enum class EstimateKind : std::uint8_t {
    Fixed,               // the number of pairs was fixed before the start, and it was
    Naive,               // the same, and it was not
    MedianUnbiased,      // the stop rule ended the match, or has looked so far
    ConfidenceSequence,  // nothing: the interval holds at every look
};

/// For scripts: "fixed", "naive", "median_unbiased", "confidence_sequence".
[[nodiscard]] std::string_view name_of(EstimateKind kind);

/// For people: "fixed", "naive", "median-unbiased", "confidence sequence".
[[nodiscard]] std::string_view words_of(EstimateKind kind);

/// The strength of the first program under one of them.
struct KindOfEstimate {
    EstimateKind kind = EstimateKind::Fixed;
    stats::Estimate elo;
    stats::Estimate nelo;       // empty: the kind has none
    std::optional<double> los;  // nullopt: the kind has none
    std::string meaning;        // a clause: when it is right

    [[nodiscard]] bool has_nelo() const { return nelo.value || nelo.ci95.low || nelo.ci95.high; }
};

/// `quoted` is the one that is right for the way in which the match ended. Every report shows it
/// first, and shows no other without its kind.
struct Estimates {
    KindOfEstimate quoted;
    std::vector<KindOfEstimate> others;
};

/// After a sequential test the median-unbiased estimate is quoted, or where it is rough (few pairs,
/// programs far apart) the confidence sequence; of a match that was cut short of a number of pairs
/// fixed beforehand, the confidence sequence too. A test that was decided by so few pairs, all of
/// them won or lost, that the confidence sequence excludes nothing has the naive one alone. Costs
/// up to 100 ms.
[[nodiscard]] Estimates estimates_of(const harness::MatchTally& tally);

/// Whether a match without a rule that looks at the score as it goes has fewer pairs than it was to
/// have, for a reason other than a budget that ended: it goes on, or was stopped. What its p-values
/// say does not hold then.
[[nodiscard]] bool is_cut_short(const harness::MatchTally& tally);

/// "Elo +34 [-13, +82]   nElo +44 [-17, +105]   LOS 0.92"; a part that the estimate has not is
/// left out. LOS is shown from stats::kLeastUnits pairs on.
[[nodiscard]] std::string quoted_text(const KindOfEstimate& estimate, std::int64_t pairs);

}  // namespace assay::reports
