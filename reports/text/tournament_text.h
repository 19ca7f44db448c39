#pragma once
#include <string>
#include <vector>

#include "harness/record/listener.h"
#include "harness/record/run.h"
#include "harness/tournament/tournament_state.h"
#include "reports/view/match_left.h"

namespace assay::reports {

/// What is played: two lines. `concurrency` 0: not said.
[[nodiscard]] std::string tournament_header(const harness::RunRecord& run,
                                            const harness::TournamentState& state,
                                            const std::string& store, int concurrency);

/// The facts of a tournament in play, most important first. `leader`: as leader_text()
/// has it; empty: nobody.
[[nodiscard]] std::vector<std::string> tournament_facts(const harness::TournamentPlan& plan,
                                                        const harness::TournamentProgress& progress,
                                                        const MatchSpeed& speed,
                                                        const std::string& leader = "");

/// Who leads of those that play on, "first alpha 12/16", by the games so far, in meetings that are
/// not complete too, and the byes; of a gauntlet what its seeds have scored, of a knockout how many
/// are still in. Empty where no game is over. Does not play the tournament again, as it is asked
/// several times a second while games are timed.
[[nodiscard]] std::string leader_text(const harness::RunRecord& run,
                                      const harness::PlayedMeetings& played,
                                      const harness::TournamentProgress& progress);

}  // namespace assay::reports
