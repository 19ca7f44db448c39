#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/match/estimates.h"

namespace assay::reports {

using harness::EstimateKind;
using harness::is_cut_short;

/// For people: "fixed", "naive", "median-unbiased", "confidence sequence".
[[nodiscard]] std::string_view words_of(EstimateKind kind);

/// An estimate and when it is right.
struct KindOfEstimate : harness::MatchEstimate {
    std::string meaning;  // a clause
};

/// Every report shows `quoted` first, and shows no other without its kind.
struct Estimates {
    KindOfEstimate quoted;
    std::vector<KindOfEstimate> others;
};

/// match_estimates() with their meanings. Costs up to 100 ms.
[[nodiscard]] Estimates estimates_of(const harness::MatchTally& tally);

/// "Elo +34 [-13, +82]   nElo +44 [-17, +105]   LOS 0.92"; a part that the estimate has not is
/// left out. LOS is shown from stats::kLeastUnits pairs on.
[[nodiscard]] std::string quoted_text(const KindOfEstimate& estimate, std::int64_t pairs);

}  // namespace assay::reports
