#pragma once
#include <string>
#include <vector>

#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"

namespace assay::harness {

/// What was taken from a part, or why nothing was.
struct TakenPart {
    bool is_read = true;  // false: another look may see more; `warnings` say why
    std::vector<PairDigest> pairs;
    std::string refusal;  // empty: it was taken, and is durable
    std::vector<GameRecord> games;
    DelayRecord delay{};  // of the harness where it was played
    std::vector<FaultsBetweenGames> between_games{};
    std::vector<std::string> warnings{};  // sentences
};

}  // namespace assay::harness
