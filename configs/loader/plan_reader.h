#pragma once
#include <span>
#include <string>
#include <vector>

#include "configs/loader/section.h"
#include "configs/loader/value.h"
#include "harness/plan/plan.h"

namespace assay::configs {

/// From the merged tree of a config to its plan. What is wrong is complained of in the context,
/// and the plan then has defaults in its place.
[[nodiscard]] harness::RunPlan read_plan(const Context& context, const Value& root,
                                         const std::string& name, bool is_gate);

/// The programs, with what `each` gives them.
[[nodiscard]] std::vector<harness::ProgramPlan> read_programs(const Section& top);

/// The settings of a match that are not of its two programs: openings, game, adjudication and so
/// on.
void read_shared(const Section& section, harness::MatchPlan& match);

/// The times of these programs in a match, with their margins and wall limits.
[[nodiscard]] std::vector<harness::TimeControl> read_times(
    const Section& section, const std::vector<const harness::ProgramPlan*>& programs);

/// `tournament`, and what the top says for all its matches, of a plan that has its programs.
void read_tournament(const Section& top, const Section& tournament, harness::RunPlan& plan,
                     bool is_gate);

/// `executor`, where it is a map of keys.
void read_executor(const Section& top, harness::RunPlan& plan);

/// The game of a match or a suite; the default where it is not written.
[[nodiscard]] rules::GameSource read_game(const Section& section);

/// The value of `time`, for each of `names`, which are the programs that play.
[[nodiscard]] std::vector<harness::TimeControl> read_time(const Context& context, const Value& node,
                                                          std::span<const std::string> names);

/// A limit of searches: the value of `time` for one side.
[[nodiscard]] harness::TimeControl read_limit(const Context& context, const Value& node);

/// `suite`, of a plan that has its programs and matches already.
[[nodiscard]] harness::SuitePlan read_suite(const Section& suite, const harness::RunPlan& run);

/// The index of the program that a value names, or nullopt after a complaint.
[[nodiscard]] std::optional<std::size_t> program_index(
    const Section& section, const Value& name, const std::vector<harness::ProgramPlan>& programs);

/// `stop` and `require` of a section that has them.
[[nodiscard]] harness::StopPlan read_stop(const Section& section);
/// Complains of bounds that the match's pairs cannot tell apart, in the section its `stop` is from.
void check_pairs_suffice(const Section& section, const harness::MatchPlan& match);
[[nodiscard]] harness::RequirePlan read_require(const Section& section);

}  // namespace assay::configs
