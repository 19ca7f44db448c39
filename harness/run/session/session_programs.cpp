// A start is the dearest thing that a session does to a machine that is timing games, so that a
// program which a later match needs is kept when its own match lets it go. What is kept takes
// memory while it waits: hence never more of a program than can play at once, and of a tournament's
// programs, any of which may be next, a fixed number a place.
#include "harness/run/session/session_programs.h"

#include <algorithm>

#include "harness/build/build_versions.h"
#include "harness/match/match_setting.h"

namespace assay::harness {

namespace {

/// Programs of a tournament that wait for their next game, a game at once: as many again as play,
/// twice over. A tournament of few programs starts each once and for all; one of many does not fill
/// the memory.
constexpr std::size_t kIdleAGame = 4;
constexpr std::size_t kLeastIdle = 8;

}  // namespace

RunningProgram::Limits program_limits_of(const RunPlan& plan) {
    RunningProgram::Limits limits;
    limits.start = plan.start_limit;
    limits.ready = plan.ready_limit.value_or(plan.start_limit);
    const bool loses_unready = std::ranges::any_of(
        plan.matches, [](const MatchPlan& m) { return m.runner.loses_unready; });
    if (loses_unready) limits.first_ready = limits.ready;
    return limits;
}

ProgramSpecs SessionPrograms::specs_of(const std::vector<std::size_t>& programs,
                                       const MatchPlan& match) const {
    ProgramSpecs specs;
    for (const std::size_t program : programs) {
        const VersionRecord& version = run_.versions.at(program);
        const ProgramPlan placed = placed_program(run_.plan.programs[program], version);
        specs[program] = spec_of(placed, version, match.game.name);
        specs[program].ponder = match.ponder;
        specs[program].kept_lines = kept_lines_;
    }
    return specs;
}

NeededPrograms SessionPrograms::needed_after(std::size_t match) const {
    NeededPrograms needed;
    const RunPlan& run = run_.plan;
    for (std::size_t later = match + 1; later < run.matches.size(); ++later) {
        const MatchPlan& plan = run.matches[later];
        if (plan.affinity) continue;
        for (const auto& [program, spec] : specs_of({plan.between[0], plan.between[1]}, plan)) {
            const auto entrants = std::ranges::count(plan.between, program);
            const int most = static_cast<int>(entrants) * concurrency_of(run, plan);
            const auto known =
                std::ranges::find(needed, spec, &std::pair<adapters::ProgramSpec, int>::first);
            if (known == needed.end()) {
                needed.emplace_back(spec, most);
            } else {
                known->second = std::max(known->second, most);
            }
        }
    }
    return needed;
}

std::pair<NeededPrograms, std::size_t> SessionPrograms::needed_in_tournament(
    const ProgramSpecs& specs, const MatchPlan& match) const {
    const int concurrency = concurrency_of(run_.plan, match);
    std::vector<std::vector<int>> cpus = pinned_to(run_.plan, match);
    if (cpus.empty()) cpus.emplace_back();  // one kind of each program, which is not pinned
    NeededPrograms needed;
    for (const auto& [program, spec] : specs) {
        for (const std::vector<int>& set : cpus) {
            needed.emplace_back(spec, concurrency);
            if (!set.empty()) needed.back().first.cpus = set;
        }
    }
    const auto games = static_cast<std::size_t>(concurrency);
    return {std::move(needed), std::max(kLeastIdle, kIdleAGame * games)};
}

}  // namespace assay::harness
