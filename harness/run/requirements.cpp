// `require` is about the first program of a match, the one under test: a baseline that crashes must
// not fail a change. Counted are all its failures (MatchTally::all_failures), in pairs that did not
// count too, and the speed that the runs of `bench` found. A stall counts as a crash, since a user
// who allows no crash does not want a program that hangs either. Speed is the only part that can be
// left open, because it is a statistical test.
#include "harness/run/requirements.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/build/bench_run.h"

namespace assay::harness {

namespace {

void require_at_most(std::vector<std::string>& broken, const std::optional<std::int64_t>& limit,
                     std::int64_t found, const char* one, const char* many) {
    if (limit && found > *limit) {
        broken.push_back(fmt::format("{}, at most {} allowed", counted(found, one, many), *limit));
    }
}

const std::string& first_program(const RunRecord& run, const MatchPlan& plan) {
    return run.plan.programs.at(plan.between[0]).name;
}

}  // namespace

std::vector<std::string> broken_requirements(const MatchTally& tally, const RunRecord& run) {
    return broken_requirements(tally.all_failures()[0], tally.plan(), run);
}

std::vector<std::string> broken_requirements(const Failures& failures, const MatchPlan& plan,
                                             const RunRecord& run) {
    std::vector<std::string> broken;
    require_at_most(broken, plan.require.crashes, failures.crashes + failures.stalls,
                    "crash or stall", "crashes or stalls");
    require_at_most(broken, plan.require.time_losses, failures.time_losses, "loss on time",
                    "losses on time");
    require_at_most(broken, plan.require.illegal_moves, failures.illegal_moves, "illegal move",
                    "illegal moves");
    for (const SpeedFinding& speed : run.findings.speed) {
        const bool is_of_match = speed.match < run.plan.matches.size() &&
                                 run.plan.matches[speed.match].name == plan.name;
        if (is_of_match && speed.state == SpeedFinding::State::Broken)
            broken.push_back("speed " + speed_text(speed));
    }
    for (std::string& sentence : broken) sentence.insert(0, first_program(run, plan) + ": ");
    return broken;
}

std::vector<std::string> open_requirements(const RunRecord& run) {
    std::vector<std::string> open;
    for (const SpeedFinding& speed : run.findings.speed) {
        if (speed.state != SpeedFinding::State::Undecided || speed.match >= run.plan.matches.size())
            continue;
        open.push_back(fmt::format(
            "{}: speed {}", first_program(run, run.plan.matches[speed.match]), speed_text(speed)));
    }
    return open;
}

}  // namespace assay::harness
