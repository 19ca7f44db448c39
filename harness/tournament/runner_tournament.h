#pragma once
#include <memory>
#include <vector>

#include "harness/tournament/tournament.h"

namespace assay::harness {

/// Round robin, gauntlet and pyramid in the order of fastchess or cutechess-cli
/// (TournamentSetup::order), with their sides, openings and numbers of games: the same command
/// line gives the same games in the same order. Sees no results.
[[nodiscard]] std::unique_ptr<Tournament> make_runner_tournament(
    const TournamentSetup& setup, const std::vector<MeetingResult>& played);

}  // namespace assay::harness
