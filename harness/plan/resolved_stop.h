#pragma once
#include <memory>
#include <optional>

#include "harness/plan/plan.h"
#include "stats/estimate/likelihood_ratio.h"
#include "stats/stop/boundary.h"
#include "stats/stop/stop_rule.h"

namespace assay::harness {

/// A StopPlan with everything that it leaves open filled in.
struct ResolvedStop {
    StopPlan::Rule rule = StopPlan::Rule::None;
    stats::Shape shape = stats::Shape::ClosingFastFail;  // closing and capped only
    stats::Model model = stats::Model::Normalized;
    double elo0 = 0;  // meaningless for fixed
    double elo1 = 0;
    double alpha = 0.05;
    double beta = 0.05;
    int pairs_per_look = 0;  // 0: the rule chooses
};

/// A capped test gets the one of bounds, errors and pairs that is not given from the two others.
/// Throws Error (exit code 2) where all are given and the pairs do not suffice, with both repairs,
/// and where errors above 0.25 would come out.
[[nodiscard]] ResolvedStop resolve_stop(const MatchPlan& match);

/// The rule of a match; null where the plan has none. Throws as resolve_stop and the rules do.
[[nodiscard]] std::unique_ptr<stats::StopRule> make_stop_rule(const MatchPlan& match);

/// A capped match with fewer pairs decides nothing: a drawn pair or two would pass bounds so wide,
/// and the errors that are promised would not be kept.
inline constexpr std::int64_t kFewestCapped = 10;

[[nodiscard]] inline bool is_too_short(const MatchPlan& match) {
    return match.stop.rule == StopPlan::Rule::Capped && match.pairs < kFewestCapped;
}

}  // namespace assay::harness
