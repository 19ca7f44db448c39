// Which estimate is right depends on why the match has the number of pairs that it has. If the
// number was fixed beforehand, the plain one is. If a rule stopped at a score that it liked, the
// plain one lies too far out, and the median-unbiased one corrects for that; it rests on a
// Brownian path, which few pairs or a large difference do not give. If somebody stopped the match,
// nobody knows what he had seen: only the confidence sequence holds then, because it holds at all
// looks at once.
#include "reports/view/estimates.h"

#include <utility>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "reports/view/number_text.h"
#include "reports/view/run_view.h"
#include "stats/data/sample.h"
#include "stats/stop/evidence.h"

namespace assay::reports {

namespace {

using harness::MatchTally;

KindOfEstimate naive_of(const stats::Strength& strength) {
    return {EstimateKind::Naive, strength.elo, strength.nelo, strength.los,
            "right only if the number of pairs was fixed beforehand; after a stop that depends on "
            "the score it is too far from 0"};
}

KindOfEstimate confidence_sequence_of(const MatchTally& tally, const stats::Strength& strength) {
    const stats::Interval interval =
        stats::confidence_sequence_elo(stats::sample_of(tally.pentanomial()));
    return {EstimateKind::ConfidenceSequence,
            {strength.elo.value, interval},
            {},
            std::nullopt,
            "the interval holds at every look, whatever stopped the match"};
}

bool says_nothing(const stats::Estimate& estimate) {
    return !estimate.value && !estimate.ci95.low && !estimate.ci95.high;
}

KindOfEstimate median_unbiased_of(const stats::AfterStop& after, bool is_decided) {
    std::string meaning = is_decided ? "allows for the stop: as often too high as too low"
                                     : "allows for the looks so far: as often too high as too low";
    if (!after.reliable) meaning = "rough here, because the programs are so far apart";
    return {EstimateKind::MedianUnbiased, after.elo, after.nelo, after.los, std::move(meaning)};
}

}  // namespace

std::string_view name_of(EstimateKind kind) {
    return enum_names<EstimateKind>("fixed", "naive", "median_unbiased", "confidence_sequence")
        .of(kind);
}

std::string_view words_of(EstimateKind kind) {
    return enum_names<EstimateKind>("fixed", "naive", "median-unbiased", "confidence sequence")
        .of(kind);
}

bool is_cut_short(const MatchTally& tally) {
    return !tally.plan().stop.is_sequential() && tally.verdict() == harness::Verdict::None &&
           tally.pairs() < tally.plan().pairs && !tally.is_book_exhausted() &&
           !tally.is_out_of_time();
}

Estimates estimates_of(const MatchTally& tally) {
    const stats::Strength strength =
        stats::estimate_strength(stats::sample_of(tally.pentanomial()));
    Estimates all;
    all.quoted = naive_of(strength);
    if (tally.pairs() == 0 || (!tally.plan().stop.is_sequential() && !is_cut_short(tally))) {
        all.quoted.kind = EstimateKind::Fixed;
        all.quoted.meaning = "right: the number of pairs was fixed beforehand";
        return all;
    }
    const bool is_decided = tally.verdict() == harness::Verdict::Accepted ||
                            tally.verdict() == harness::Verdict::Rejected;
    KindOfEstimate at_every_look = confidence_sequence_of(tally, strength);
    if (is_decided && says_nothing(at_every_look.elo)) return all;
    all.others.push_back(std::exchange(all.quoted, std::move(at_every_look)));
    const std::optional<stats::AfterStop> after = after_stop(tally);
    if (!after || !after->nelo.value || tally.pairs() < stats::kLeastUnits) return all;
    KindOfEstimate unbiased = median_unbiased_of(*after, is_decided);
    if (after->reliable) std::swap(all.quoted, unbiased);
    all.others.push_back(std::move(unbiased));
    return all;
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
