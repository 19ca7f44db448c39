#include "reports/view/estimates.h"

#include <utility>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "reports/view/number_text.h"
#include "stats/stop/after_stop.h"

namespace assay::reports {

namespace {

using harness::MatchEstimate;
using harness::MatchTally;

std::string meaning_of(const MatchEstimate& estimate, const MatchTally& tally) {
    switch (estimate.kind) {
        case EstimateKind::Naive:
            return "right only if the number of pairs was fixed beforehand; after a stop that "
                   "depends on the score it is too far from 0";
        case EstimateKind::ConfidenceSequence:
            return "the interval holds at every look, whatever stopped the match";
        case EstimateKind::MedianUnbiased:
            if (estimate.is_rough) return "rough here, because the programs are so far apart";
            return tally.verdict() == harness::Verdict::Accepted ||
                           tally.verdict() == harness::Verdict::Rejected
                       ? "allows for the stop: as often too high as too low"
                       : "allows for the looks so far: as often too high as too low";
        case EstimateKind::Fixed:
            break;
    }
    return "right: the number of pairs was fixed beforehand";
}

KindOfEstimate with_meaning(MatchEstimate estimate, const MatchTally& tally) {
    std::string meaning = meaning_of(estimate, tally);
    return {std::move(estimate), std::move(meaning)};
}

}  // namespace

std::string_view words_of(EstimateKind kind) {
    return enum_names<EstimateKind>("fixed", "naive", "median-unbiased", "confidence sequence")
        .of(kind);
}

Estimates estimates_of(const MatchTally& tally) {
    harness::MatchEstimates all = harness::match_estimates(tally);
    Estimates out{with_meaning(std::move(all.quoted), tally), {}};
    for (MatchEstimate& other : all.others)
        out.others.push_back(with_meaning(std::move(other), tally));
    return out;
}

std::string quoted_text(const KindOfEstimate& estimate, std::int64_t pairs) {
    std::string text = "Elo " + estimate_text(estimate.elo);
    if (estimate.has_nelo()) text += "   nElo " + estimate_text(estimate.nelo);
    // With few pairs LOS is 1.00 or 0.00 although the exact tests show nothing.
    if (estimate.los && pairs >= stats::kLeastUnits)
        text += fmt::format("   LOS {:.2f}", *estimate.los);
    return text;
}

}  // namespace assay::reports
