#include "harness/run/open/going_on.h"

#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "harness/match/budget.h"
#include "harness/match/pair_counter.h"
#include "harness/plan/tournament_plan.h"

namespace assay::harness {

void extend_matches(RunRecord& run, const Store& store, std::int64_t pairs,
                    const Versions& versions) {
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i) {
        MatchPlan& match = run.plan.matches[i];
        if (match.stop.is_sequential()) {
            const MatchTally tally = tally_of(store, run, i);
            if (tally.verdict() == Verdict::Accepted || tally.verdict() == Verdict::Rejected) {
                versions.say(fmt::format(
                    "--extend does nothing for match '{}': its test was decided ({}) after {} pairs",
                    match.name, name_of(tally.verdict()), tally.pairs()));
                continue;
            }
        }
        extend(match, pairs);
    }
}

void set_programs(RunRecord& run, const RunPlan& plan, const Store& store, Versions& versions) {
    const bool has_others = entrants_of(plan) != entrants_of(run.plan);
    const TournamentKind kind = plan.tournament->kind;
    const bool is_fixed = kind == TournamentKind::Knockout || kind == TournamentKind::Swiss;
    if (has_others && is_fixed && !store.begun_matches(run.id).empty())
        throw Error(
            fmt::format("--add: the programs of a {} are those that it began with, because its "
                        "rounds depend on all of them; start a new run without --add",
                        name_of(kind)));
    run.versions = versions.resolve(false, std::move(run.versions));
    const auto seed = run.plan.seed;
    run.plan = plan;
    run.plan.seed = seed;
    run.plan_hash = plan_hash(plan);
}

void begin_budgets(RunRecord& run, const Store& store) {
    std::vector<std::int64_t>& from = run.findings.budget_from_us;
    from.clear();
    const std::size_t matches = run.plan.tournament ? 1 : run.plan.matches.size();
    for (std::size_t match = 0; match < matches; ++match)
        from.push_back(store.meters(run.id, match).wall_us);
}

}  // namespace assay::harness
