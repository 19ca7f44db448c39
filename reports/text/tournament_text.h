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

/// The facts of a tournament in play, most important first.
[[nodiscard]] std::vector<std::string> tournament_facts(const harness::TournamentPlan& plan,
                                                        const harness::TournamentProgress& progress,
                                                        const MatchSpeed& speed);

/// The table of the programs: rank, points, games and the tie breaks of the kind.
[[nodiscard]] std::string standings_text(const harness::RunRecord& run,
                                         const harness::TournamentState& state);

}  // namespace assay::reports
