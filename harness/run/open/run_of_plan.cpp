// Whether a stored run is the one that a plan asks for. The hash of the plan as written decides it.
// Three things may differ and the experiment is the same: the seed, where one was drawn then and
// the drawn one is named now; the files that a suite's positions and queries were read from; and
// solutions of positions, which older stores do not have. Each is taken away and the hash compared
// again, so that there is one notion of equality and no list of fields to keep.
#include "harness/run/open/run_of_plan.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/match/budget.h"
#include "harness/plan/plan_difference.h"
#include "harness/plan/tournament_plan.h"

namespace assay::harness {

namespace {

/// The plan as stores hold it whose assay did not read solutions of positions.
RunPlan without_solutions(RunPlan plan) {
    for (SuitePosition& position : plan.suite->positions) {
        position.best.clear();
        position.avoid.clear();
        position.comment.clear();
    }
    return plan;
}

/// The suite of the run, or of the whole that it is a shard of.
const std::optional<SuitePlan>& suite_asked(const RunRecord& run) {
    return run.shard ? run.suite_of_whole : run.plan.suite;
}

/// The plan with the files of its suite named as `other` names them: positions and queries are
/// compared themselves, wherever they were read.
RunPlan with_files_of(RunPlan plan, const std::optional<SuitePlan>& other) {
    if (!plan.suite || !other) return plan;
    plan.suite->source = other->source;
    auto& expectations = plan.suite->expectations;
    const std::size_t count = std::min(expectations.size(), other->expectations.size());
    for (std::size_t i = 0; i < count; ++i) expectations[i].origin = other->expectations[i].origin;
    return plan;
}

/// Without the values that a run is given when it begins.
RunPlan as_begun(RunPlan plan, const RunRecord& run) {
    derive_pairs(plan);
    if (!plan.seed) plan.seed = run.plan.seed;
    if (run.shard) plan = plan_of_shard(std::move(plan), *run.shard);
    return plan;
}

/// Gives a tournament's plan what --add may change as it was: programs that one of the two lacks,
/// and the conditions.
void take_what_adds(RunPlan& plan, const RunPlan& before) {
    const std::size_t both = std::min(plan.programs.size(), before.programs.size());
    const auto grow = [both](auto& now, const auto& then) {
        now.resize(both);
        now.insert(now.end(), then.begin() + static_cast<std::ptrdiff_t>(both), then.end());
    };
    grow(plan.programs, before.programs);
    grow(plan.tournament->time, before.tournament->time);
    plan.tournament->left_out = before.tournament->left_out;
    plan.tournament->require = before.tournament->require;
    expand_tournament(plan);
}

}  // namespace

bool is_run_of(const RunRecord& run, const RunPlan& plan) {
    if (run.plan_hash == plan_hash(plan)) return true;
    const std::optional<SuitePlan>& suite = suite_asked(run);
    if (const RunPlan named = with_files_of(plan, suite); named.suite != plan.suite)
        return is_run_of(run, named);
    const bool may_lack_solutions =
        suite && plan.suite && std::ranges::none_of(suite->positions, &SuitePosition::has_solution);
    if (may_lack_solutions &&
        std::ranges::any_of(plan.suite->positions, &SuitePosition::has_solution))
        return is_run_of(run, without_solutions(plan));
    if (!plan.seed || run.plan.seed != plan.seed) return false;
    RunPlan unseeded = plan;
    unseeded.seed.reset();
    return run.plan_hash == plan_hash(unseeded);
}

void refuse_other_plan(const RunRecord& run, const RunPlan& plan, const std::string& flag,
                       const std::string& store) {
    RunPlan now = as_begun(plan, run);
    // What --add may change itself is no reason to refuse.
    if (flag == "--add") take_what_adds(now, run.plan);
    auto differences = plan_differences(run.plan, now);
    if (differences.empty())
        differences.emplace_back("a seed was given then, and none is given now");
    const bool may_add = flag == "--resume" && plan.tournament && run.plan.tournament &&
                         is_same_tournament(run.plan, plan);
    // Games of another command under the name would count for the one that has played.
    const bool is_of_program =
        flag == "--add" && std::ranges::any_of(differences, [](const std::string& difference) {
            return difference.starts_with("program '");
        });
    std::string list;
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < differences.size() && i < kMost; ++i) {
        list += "\n  " + differences[i];
    }
    if (differences.size() > kMost)
        list += fmt::format("\n  and {} more", differences.size() - kMost);
    throw Error(fmt::format(
        "{}: the newest run of '{}' in {} is run {} ({}), and it was started with another config "
        "or other flags:{}\n  it was started with: {}\n  use these, or start a new run without {}{}",
        flag, run.name, store, run.id, name_of(run.state), list, run.command_line, flag,
        may_add         ? "; --add continues it with the programs that are named now"
        : is_of_program ? "; a program that is to be another one (a wrong command) needs another "
                          "name: --add then leaves the old one out, and its games stay"
                        : ""));
}

void refuse_missing_tournament(const std::vector<RunRecord>& runs, const std::string& name,
                               const std::string& store) {
    constexpr std::size_t kMost = 5;
    std::vector<std::string> names;
    for (const RunRecord& run : runs) {
        if (!run.plan.tournament || names.size() == kMost) continue;
        std::string other = fmt::format("'{}'", printable_utf8(run.name));
        if (std::ranges::find(names, other) == names.end()) names.push_back(std::move(other));
    }
    const std::string advice =
        names.empty() ? ""
                      : fmt::format(", or give it the 'name' of one that is there ({})",
                                    fmt::join(names, ", "));
    throw Error(
        fmt::format("--add: there is no tournament '{}' in {}: play it without --add first{}", name,
                    store, advice));
}

void refuse_other_kind(const RunRecord& run, const RunPlan& plan, const std::string& store) {
    const TournamentKind then = run.plan.tournament->kind;
    const TournamentKind now = plan.tournament->kind;
    if (then == now) return;
    throw Error(fmt::format(
        "--add: run {} in {}, the newest of '{}', is a {} tournament, and this is a {}, in which "
        "others meet: write 'kind: {}' to go on with that run, or give this one another 'name' "
        "and play it without --add",
        run.id, store, run.name, name_of(then), name_of(now), name_of(then)));
}

}  // namespace assay::harness
