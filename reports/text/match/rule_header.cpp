// What a stop rule can tell within the match's pairs and minutes, before a game is played: a budget
// that is too small shows in the first line of a night, and not in the morning. The figures are
// those of the planner (stats/plan), which `assay stats plan` prints too.
#include "reports/text/match/rule_header.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "harness/match/budget.h"
#include "harness/plan/resolved_stop.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "stats/data/elo.h"
#include "stats/plan/sample_size.h"

namespace assay::reports {

namespace {

using harness::StopPlan;

/// "needs 81,000 to 121,000 pairs on average, at most 301,777".
std::string need_text(const stats::TestPlan& plan) {
    const double least = std::min(plan.at_e0.mean_pairs, plan.at_e1.mean_pairs);
    std::string text = fmt::format("needs {} to {} pairs on average", grouped(rough(least)),
                                   grouped(rough(plan.middle.mean_pairs)));
    if (plan.cap) text += ", at most " + grouped(*plan.cap);
    return text;
}

/// The planner works on the normalized scale. A logistic bound is converted for games of which half
/// are drawn, with openings that favour no side.
double planned_bound(double bound, stats::Model model) {
    if (model == stats::Model::Normalized) return bound;
    const double variance = stats::game_variance(0.5, 0).value_or(0.125);
    return stats::kElo * (stats::score_of_elo(bound) - 0.5) / std::sqrt(variance);
}

/// " in 1:00 h, which hold about 430" where a match's minutes end it before its pairs do.
/// `needed`: pairs without which there is no verdict.
std::string allowance_text(const harness::MatchPlan& match, int concurrency, double needed) {
    constexpr double kSurelyLess = 0.67;  // games may be shorter than the estimate
    std::string text;
    double allowed = static_cast<double>(match.pairs);
    if (match.stop.minutes && concurrency > 0) {
        const auto held = harness::pairs_within(match, *match.stop.minutes, concurrency);
        if (held && *held < kSurelyLess * needed && *held < allowed) {
            allowed = *held;
            text = fmt::format(" in {}, which hold about {}", duration(*match.stop.minutes),
                               grouped(std::max<std::int64_t>(1, std::llround(*held))));
        }
    }
    return allowed < needed ? text + ": will most likely end inconclusive" : text;
}

std::string sequential_header(const harness::MatchPlan& match, int concurrency) {
    const harness::ResolvedStop stop = harness::resolve_stop(match);
    const std::string model(stats::name_of(stop.model));
    const bool is_wald = stop.rule == StopPlan::Rule::Sprt;
    std::string text = fmt::format("{} between {} and {} {}, errors {} and {}",
                                   is_wald ? "sprt" : rule_words(stats::name_of(stop.shape)),
                                   plain_number(stop.elo0), plain_number(stop.elo1),
                                   elo_unit(model), percent(stop.alpha), percent(stop.beta));
    // The conversion depends on the share of draws, which is not known beforehand.
    if (stop.model == stats::Model::Bayesian)
        return text + fmt::format("; at most {}", grouped(match.pairs, "pair"));
    const double e0 = planned_bound(stop.elo0, stop.model);
    const double e1 = planned_bound(stop.elo1, stop.model);
    const stats::TestPlan plan =
        is_wald ? stats::plan_wald(e0, e1, stop.alpha, stop.beta)
                : stats::plan_boundary(stop.shape, e0, e1, stop.alpha, stop.beta);
    const bool is_guess = stop.model == stats::Model::Logistic;
    text += fmt::format(": {}{}; you allow {}", need_text(plan),
                        is_guess ? ", if half of the games are drawn" : "", grouped(match.pairs));
    const double least = std::min(plan.at_e0.mean_pairs, plan.at_e1.mean_pairs);
    return text + allowance_text(match, concurrency, least);
}

}  // namespace

std::string rule_header(const harness::MatchPlan& match, int concurrency) {
    const std::string half_width =
        match.pairs > 0
            ? plain_number(stats::half_width_of_pairs(static_cast<double>(match.pairs)), 2)
            : "nothing";
    switch (match.stop.rule) {
        case StopPlan::Rule::None:
            return fmt::format("no stop rule: {} can resolve about {} nElo (95 %, power 50 %)",
                               grouped(match.pairs, "pair"), half_width);
        case StopPlan::Rule::Fixed:
            return fmt::format(
                       "fixed: the sign-flip test at {} after all {}, which can resolve about {} nElo "
                       "(95 %, power 50 %)",
                       percent(match.stop.alpha.value_or(0.05)), grouped(match.pairs, "pair"),
                       half_width) +
                   allowance_text(match, concurrency, static_cast<double>(match.pairs));
        case StopPlan::Rule::Capped: {
            if (harness::is_too_short(match)) {
                return fmt::format("capped: {} cannot decide anything; it takes {} at least",
                                   grouped(match.pairs, "pair"), harness::kFewestCapped);
            }
            const harness::ResolvedStop stop = harness::resolve_stop(match);
            std::string budget = grouped(match.pairs, "pair");
            if (match.stop.minutes) budget += " in " + duration(*match.stop.minutes);
            return fmt::format("capped, {}: {} can resolve {} nElo; errors {} and {}",
                               stop.elo0 < 0 ? "not worse than" : "better than", budget,
                               plain_number(stop.elo1 - stop.elo0, 3), percent(stop.alpha),
                               percent(stop.beta));
        }
        case StopPlan::Rule::Anytime: {
            const harness::ResolvedStop stop = harness::resolve_stop(match);
            return fmt::format(
                "anytime: evidence between {} and {} Elo that holds at every look, errors {} "
                "and {}; at most {}",
                plain_number(stop.elo0), plain_number(stop.elo1), percent(stop.alpha),
                percent(stop.beta), grouped(match.pairs, "pair"));
        }
        case StopPlan::Rule::Closing:
        case StopPlan::Rule::Sprt:
            break;
    }
    return sequential_header(match, concurrency);
}

}  // namespace assay::reports
