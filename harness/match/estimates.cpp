// Which estimate is right depends on why the match has the number of pairs that it has. If the
// number was fixed beforehand, the plain one is. If a rule stopped at a score that it liked, the
// plain one lies too far out, and the median-unbiased one corrects for that; it rests on a
// Brownian path, which few pairs or a large difference do not give. If somebody stopped the match,
// nobody knows what he had seen: only the confidence sequence holds then, because it holds at all
// looks at once.
#include "harness/match/estimates.h"

#include <utility>

#include "base/enum_names.h"
#include "stats/data/sample.h"
#include "stats/stop/evidence.h"

namespace assay::harness {

namespace {

constexpr auto kEstimateKinds =
    enum_names<EstimateKind>("fixed", "naive", "median_unbiased", "confidence_sequence");

MatchEstimate confidence_sequence_of(const MatchTally& tally, const MatchEstimate& plain) {
    const stats::Interval interval =
        stats::confidence_sequence_elo(stats::sample_of(tally.pentanomial()));
    return {EstimateKind::ConfidenceSequence, {plain.elo.value, interval}, {}, std::nullopt, false};
}

bool says_nothing(const stats::Estimate& estimate) {
    return !estimate.value && !estimate.ci95.low && !estimate.ci95.high;
}

}  // namespace

std::string_view name_of(EstimateKind kind) {
    return kEstimateKinds.of(kind);
}

std::optional<EstimateKind> estimate_kind_of(std::string_view name) {
    return kEstimateKinds.find(name);
}

MatchEstimate fixed_estimate(const stats::Pentanomial& pairs) {
    const stats::Strength strength = stats::estimate_strength(stats::sample_of(pairs));
    return {EstimateKind::Fixed, strength.elo, strength.nelo, strength.los, false};
}

std::optional<stats::AfterStop> after_stop(const MatchTally& tally) {
    if (tally.rule() == nullptr || tally.pairs() == 0) return std::nullopt;
    return tally.rule()->after_stop();
}

bool is_cut_short(const MatchTally& tally) {
    return !tally.plan().stop.is_sequential() && tally.verdict() == Verdict::None &&
           tally.pairs() < tally.plan().pairs && !tally.is_book_exhausted() &&
           !tally.is_out_of_time();
}

MatchEstimates match_estimates(const MatchTally& tally) {
    MatchEstimates all{fixed_estimate(tally.pentanomial()), {}};
    if (tally.pairs() == 0 || (!tally.plan().stop.is_sequential() && !is_cut_short(tally)))
        return all;
    all.quoted.kind = EstimateKind::Naive;
    const bool is_decided =
        tally.verdict() == Verdict::Accepted || tally.verdict() == Verdict::Rejected;
    MatchEstimate at_every_look = confidence_sequence_of(tally, all.quoted);
    if (is_decided && says_nothing(at_every_look.elo)) return all;
    all.others.push_back(std::exchange(all.quoted, std::move(at_every_look)));
    const std::optional<stats::AfterStop> after = after_stop(tally);
    if (!after || !after->nelo.value || tally.pairs() < stats::kLeastUnits) return all;
    MatchEstimate unbiased{EstimateKind::MedianUnbiased, after->elo, after->nelo, after->los,
                           !after->reliable};
    if (after->reliable) std::swap(all.quoted, unbiased);
    all.others.push_back(std::move(unbiased));
    return all;
}

}  // namespace assay::harness
