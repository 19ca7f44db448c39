#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/match/tally.h"
#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "reports/web/charts/move_survey.h"

namespace assay::reports::web {

/// A game that a reader may want to step through, with the reason.
struct GameOfInterest {
    harness::GameRecord game;
    /// One word to filter by: the name of the failure's termination, "swing", "disagreement",
    /// "short", "long", "duplicate", "delay", "last", "example" or "opening".
    std::string kind;
    std::string why;
    std::optional<GameMarks> marks;  // nullopt: the survey has not read the game
};

/// Reads a game by its number; nullopt where the store does not have it.
using GameReader = std::function<std::optional<harness::GameRecord>(std::int64_t number)>;

/// Failures first, then swings, disagreements, the shortest and longest, duplicates, the longest
/// delay, the last one, and an example of each way to end; at most 90, each once.
[[nodiscard]] std::vector<GameOfInterest> games_of_interest(
    const harness::RunRecord& run, const harness::MatchTally& tally,
    const std::vector<harness::PairDigest>& pairs, const MoveSurvey& survey,
    const GameReader& read);

/// "mate", "lost on time" … for one program's game that ended so.
[[nodiscard]] std::string ended_text(const harness::Termination& termination);

}  // namespace assay::reports::web
