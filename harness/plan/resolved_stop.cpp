// A plan may leave parts of a stop rule open; here they get their values. Of a capped test any two
// of bounds, error rates and number of pairs give the third, so that which of them is computed
// depends on what is written: bounds alone give the errors that the pairs pay for, one bound gives
// the other, and nothing but pairs gives a test around 0 (non-regression unless the preset says
// gain). All three written must agree, and the message names the pairs or the width that would.
//
// Rules with a shape of their own (closing) dip early on the side on which most changes end: down
// for gains, up where the bounds say that a change must do no harm.
#include "harness/plan/resolved_stop.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "stats/stop/capped.h"

namespace assay::harness {

namespace {

stats::Model model_of(StopPlan::Model model) {
    switch (model) {
        case StopPlan::Model::Logistic:
            return stats::Model::Logistic;
        case StopPlan::Model::Bayesian:
            return stats::Model::Bayesian;
        case StopPlan::Model::Normalized:
            break;
    }
    return stats::Model::Normalized;
}

/// The width that the pairs pay for, widened by a hair where rounding would ask for one pair more.
double width_for(std::int64_t pairs, double alpha, double beta) {
    double width = stats::capped_width(pairs, alpha, beta);
    // cap_in_pairs() rounds up: without this a plan's own width could ask for one pair more than
    // the plan has.
    while (stats::cap_in_pairs(stats::Shape::Capped, width, alpha, beta) > pairs)
        width *= 1 + 1e-12;
    return width;
}

void check_pairs_suffice(const ResolvedStop& stop, std::int64_t pairs) {
    const double width = stop.elo1 - stop.elo0;
    const std::int64_t need =
        stats::cap_in_pairs(stats::Shape::Capped, width, stop.alpha, stop.beta);
    if (need <= pairs) return;
    throw Error(fmt::format(
        "a capped test between {} and {} nElo with errors {} and {} needs {} pairs, and "
        "match.pairs is {}: allow {} pairs, or take bounds {} nElo apart",
        plain_number(stop.elo0), plain_number(stop.elo1), plain_number(stop.alpha),
        plain_number(stop.beta), need, pairs, need,
        plain_number(width_for(pairs, stop.alpha, stop.beta), 3)));
}

void resolve_capped(const StopPlan& plan, std::int64_t pairs, ResolvedStop& stop) {
    stop.shape = stats::Shape::Capped;
    const bool has_errors = plan.alpha || plan.beta;
    if (plan.e0 && plan.e1) {
        if (!(*plan.e0 < *plan.e1))
            throw Error(fmt::format("the lower bound {} must be below the upper one {}",
                                    plain_number(*plan.e0), plain_number(*plan.e1)));
        if (!has_errors) {
            const double width = *plan.e1 - *plan.e0;
            stop.alpha = stop.beta = stats::capped_error(pairs, width);
            return;
        }
        check_pairs_suffice(stop, pairs);
        return;
    }
    const double width = width_for(pairs, stop.alpha, stop.beta);
    if (plan.e1 || (!plan.e0 && plan.preset != "gain")) {
        stop.elo1 = plan.e1.value_or(0);
        stop.elo0 = stop.elo1 - width;
    } else {
        stop.elo0 = plan.e0.value_or(0);
        stop.elo1 = stop.elo0 + width;
    }
}

void set_results_before(const std::vector<std::int64_t>& before, stats::SprtSettings& settings) {
    constexpr std::size_t kCounts = stats::kPairCategories + 3;
    if (before.size() != kCounts) return;
    std::copy_n(before.begin(), stats::kPairCategories, settings.pairs_before.counts.begin());
    settings.games_before = {before[kCounts - 3], before[kCounts - 2], before[kCounts - 1]};
}

}  // namespace

ResolvedStop resolve_stop(const MatchPlan& match) {
    const StopPlan& plan = match.stop;
    ResolvedStop stop;
    stop.rule = plan.rule;
    stop.model = model_of(plan.model);
    stop.elo0 = plan.e0.value_or(0);
    stop.elo1 = plan.e1.value_or(2);
    stop.alpha = plan.alpha.value_or(0.05);
    stop.beta = plan.beta.value_or(0.05);
    stop.pairs_per_look = plan.batch;
    if (plan.rule == StopPlan::Rule::Capped) {
        resolve_capped(plan, std::max<std::int64_t>(match.pairs, 1), stop);
    } else if (plan.shape == StopPlan::Shape::Symmetric) {
        stop.shape = stats::Shape::Closing;
    } else if (stop.elo0 + stop.elo1 < 0) {
        stop.shape = stats::Shape::ClosingFastFailMirror;
    }
    return stop;
}

std::unique_ptr<stats::StopRule> make_stop_rule(const MatchPlan& match) {
    if (match.stop.rule == StopPlan::Rule::None) return nullptr;
    const ResolvedStop stop = resolve_stop(match);
    switch (stop.rule) {
        case StopPlan::Rule::Closing:
        case StopPlan::Rule::Capped:
            return stats::make_boundary_rule({stop.shape, stop.model, stop.elo0, stop.elo1,
                                              stop.alpha, stop.beta, stop.pairs_per_look});
        case StopPlan::Rule::Sprt: {
            stats::SprtSettings settings;
            settings.model = stop.model;
            settings.elo0 = stop.elo0;
            settings.elo1 = stop.elo1;
            settings.alpha = stop.alpha;
            settings.beta = stop.beta;
            settings.pairs_per_look = std::max(stop.pairs_per_look, 1);
            settings.compat = match.stop.is_plain;
            settings.by_games = match.stop.by_games;
            set_results_before(match.stop.before, settings);
            return stats::make_sprt_rule(settings);
        }
        case StopPlan::Rule::Fixed:
            return stats::make_fixed_rule(stop.alpha, match.pairs);
        case StopPlan::Rule::Anytime:
            return stats::make_evidence_rule({stop.elo0, stop.elo1, stop.alpha, stop.beta});
        case StopPlan::Rule::None:
            break;
    }
    return nullptr;
}

}  // namespace assay::harness
