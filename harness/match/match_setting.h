#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "adapters/protocol/player.h"
#include "harness/match/pairing.h"
#include "harness/plan/plan.h"
#include "harness/program/table_reader.h"
#include "harness/record/version.h"
#include "openings/book.h"
#include "rules/game.h"

namespace assay::harness {

/// How many games are played at once; `concurrency: auto` is resolved for this machine. Of a
/// tournament any match will do, here and in crowding(): it is the same for all. Of a plan with
/// `slurm`: by all of its tasks.
[[nodiscard]] int concurrency_of(const RunPlan& plan, const MatchPlan& match);

/// How many a task of so many processors plays at once, which are its own.
[[nodiscard]] int games_within(const RunPlan& plan, const MatchPlan& match, int cpus);

/// The processors of each game at once, by slot, as many a game as its programs have threads; empty
/// without affinity. Throws Error where the plan's list is too short or names one that this process
/// may not use.
[[nodiscard]] std::vector<std::vector<int>> pinned_to(const RunPlan& plan, const MatchPlan& match);

/// A warning if a clock decides and the match's games at once have more threads than this machine
/// has cores; else nullopt.
[[nodiscard]] std::optional<std::string> crowding(const RunPlan& plan, const MatchPlan& match);

/// The games' rules, and where openings come from; shared with replay and reports.
struct MatchSetting {
    std::unique_ptr<rules::Game> game;
    std::shared_ptr<openings::Book> book;  // null: the start position, or random openings
    OpeningOf opening_of;                  // refers to `game`
    std::optional<std::int64_t> openings;  // set for deterministic matches
    /// AdjudicatePlan::tablebase; null: none.
    std::unique_ptr<TableReader> tablebase;
};

/// Throws Error where the book or the tablebase cannot be read, or soon after a stop was asked for.
[[nodiscard]] MatchSetting make_setting(const MatchPlan& match, std::uint64_t seed,
                                        const std::stop_token& stop = {});

/// A sentence where the book has fewer openings than the match has pairs: deterministic programs
/// end when each has been played, others go round it again. Also where the first pair's opening
/// lies behind the book's end. Else nothing.
[[nodiscard]] std::optional<std::string> book_shortage(const MatchPlan& match,
                                                       const MatchSetting& setting);

/// How a program is started and told of its game, as the plan says it. Nothing is looked up.
[[nodiscard]] adapters::ProgramSpec spec_as_written(const ProgramPlan& program,
                                                    const std::string& game);

/// What is needed to start the program of a plan. Throws Error where argv[0] is no executable.
[[nodiscard]] adapters::ProgramSpec spec_of(const ProgramPlan& program, const std::string& game);

/// The same for the version that a run has found: exactly its file is started, and only as long as
/// its files are the ones that were hashed.
[[nodiscard]] adapters::ProgramSpec spec_of(const ProgramPlan& program,
                                            const VersionRecord& version, const std::string& game);

}  // namespace assay::harness
