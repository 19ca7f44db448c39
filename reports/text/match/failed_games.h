#pragma once
#include <span>
#include <string>

#include "reports/view/run_view.h"

namespace assay::reports {

/// A game in which a program failed: what happened, what it had said, how to see it again.
[[nodiscard]] std::string failed_game_text(const harness::RunRecord& run, const FailedGame& game,
                                           const std::string& store);

/// The first of these matches' games in which programs failed, and how many more there are; empty:
/// none.
[[nodiscard]] std::string failed_games_text(const RunView& view,
                                            std::span<const MatchView> matches);

}  // namespace assay::reports
