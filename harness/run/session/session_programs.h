#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "adapters/process/program_spec.h"
#include "harness/program/running_program.h"
#include "harness/record/run.h"

namespace assay::harness {

/// What is needed to start programs of the plan for a match, by program.
using ProgramSpecs = std::map<std::size_t, adapters::ProgramSpec>;

/// How many of each program ProgramPool::keep() may hold.
using NeededPrograms = std::vector<std::pair<adapters::ProgramSpec, int>>;

/// Which programs a session of a run starts, and which it keeps between games: values, from the
/// run alone. `kept_lines`: RecordWishes::lines.
class SessionPrograms {
public:
    /// Both outlive it.
    SessionPrograms(const RunRecord& run, const std::vector<std::string>& kept_lines)
        : run_(run), kept_lines_(kept_lines) {}

    [[nodiscard]] ProgramSpecs specs_of(const std::vector<std::size_t>& programs,
                                        const MatchPlan& match) const;
    /// The programs that matches behind this one will take from the pool, and how many of each.
    /// Pinned programs are not among them: slots of a later match need not have the same
    /// processors.
    [[nodiscard]] NeededPrograms needed_after(std::size_t match) const;
    /// Those of a tournament whose settings are the match's, and how many may wait of all together.
    [[nodiscard]] std::pair<NeededPrograms, std::size_t> needed_in_tournament(
        const ProgramSpecs& specs, const MatchPlan& match) const;

private:
    const RunRecord& run_;
    const std::vector<std::string>& kept_lines_;
};

[[nodiscard]] RunningProgram::Limits program_limits_of(const RunPlan& plan);

}  // namespace assay::harness
