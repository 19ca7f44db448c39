#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "harness/plan/plan.h"

namespace assay::harness {

/// Numbers two programs among all twos, from 0: the match of the run that they play. A program
/// behind all others adds numbers behind all others, so that what is stored by this number stays
/// where it is. REQUIRES: low < high.
[[nodiscard]] constexpr std::size_t couple_of(std::size_t low, std::size_t high) {
    return high * (high - 1) / 2 + low;
}

/// Whether a tournament has the program in its plan, but plays without it.
[[nodiscard]] bool is_left_out(const RunPlan& plan, std::size_t program);

/// The programs that play: all of the plan but those that are left out. REQUIRES: a tournament.
[[nodiscard]] std::vector<std::size_t> entrants_of(const RunPlan& plan);

/// The matches whose settings differ: all of the plan, or of a tournament one for all. That
/// has the run's name, and its pairs are the openings that the tournament takes from its book at
/// most, 0 where that is not known.
[[nodiscard]] std::vector<MatchPlan> distinct_matches(const RunPlan& plan);

/// The pairs that the tournament is known to play: those of a knockout without replays, and of what
/// has no end none. REQUIRES: a tournament.
[[nodiscard]] std::int64_t least_pairs_of(const RunPlan& plan);

/// What a run of a tournament becomes when it goes on as `now`, with other programs: `before` with
/// the programs of `now`, which are known by their names. Those that `now` lacks are left out and
/// keep their numbers, those that `before` lacks come behind. All else is from `now`.
/// nullopt where these are too many programs. REQUIRES: tournaments.
[[nodiscard]] std::optional<RunPlan> with_programs(const RunPlan& before, const RunPlan& now);

/// Whether two plans differ in nothing but programs that one of them lacks or leaves out, and
/// perhaps in a seed that `now` leaves open. REQUIRES: tournaments; the programs that both have are
/// at the same places, as with_programs() has them.
[[nodiscard]] bool is_same_tournament(const RunPlan& before, const RunPlan& now);

/// Whether the two play this pair of theirs (from 0) as an armageddon: one game, in which a draw
/// counts for the one that does not have the first move. False where the run is no tournament.
[[nodiscard]] bool is_armageddon(const RunPlan& plan, std::int64_t pair);

/// Makes the plan's matches from what its tournament says once for all of them. REQUIRES: a
/// tournament with a time of each program, of 2 to kMostEntrants programs.
void expand_tournament(RunPlan& plan);

}  // namespace assay::harness
