#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/record/run.h"
#include "harness/store/store.h"
#include "harness/tournament/standings.h"
#include "harness/tournament/tournament.h"

namespace assay::harness {

/// What the plan's tournament asks for. REQUIRES: a tournament; of a lot, the seed is set.
[[nodiscard]] TournamentSetup setup_of(const RunPlan& plan);

/// A tournament as far as it has been played.
struct TournamentState {
    TournamentSetup setup;
    /// Of all meetings with a pair that is over, complete or not, those too of programs that are
    /// left out by now. The rounds of these, and of meetings that the schedule asks for no more,
    /// are not known and 0.
    std::vector<MeetingResult> results;
    PlayedMeetings played{1};  // the same, with what ratings and failures need
    std::vector<Bye> byes;
    std::optional<std::size_t> winner;  // of a knockout that is over, and
    std::vector<std::size_t> out;       // of any, who has lost a tie
    std::int64_t complete = 0;  // results of which nothing lacks, that the schedule asks for
    std::optional<std::int64_t> meetings;  // in all; nullopt: results decide, or no end
    bool is_over = false;
};

[[nodiscard]] TournamentState tournament_state(const RunPlan& plan, const PlayedMeetings& played);

/// Of a stored run. All pairs count that are not void, and failures also in games of pairs that are
/// not over, and between games. REQUIRES: its plan has a tournament.
[[nodiscard]] TournamentState tournament_state(const Store& store, const RunRecord& run);

/// The byes that have counted: of a Swiss those of rounds that are over, as a bye is worth what a
/// won meeting is. `complete`: meetings, as in TournamentState; no round begins before all of the
/// one before it are.
[[nodiscard]] std::vector<Bye> counted_byes(const TournamentSetup& setup, std::int64_t complete,
                                            std::vector<Bye> byes);

/// The table of all programs of the plan that have played or will, by the kind's usual tie breaks.
[[nodiscard]] std::vector<StandingRow> standings_of(const TournamentState& state);

}  // namespace assay::harness
