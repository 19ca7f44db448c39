#include "harness/match/pairing.h"

#include <utility>

namespace assay::harness {

MatchPairing::MatchPairing(std::array<std::size_t, 2> between, Schedule schedule,
                           OpeningOf opening_of)
    : between_(between), schedule_(std::move(schedule)), opening_of_(std::move(opening_of)) {}

void MatchPairing::resume(std::vector<GameRecord> first_games) {
    for (GameRecord& game : first_games) {
        const std::int64_t pair = game.pair;
        first_games_.insert_or_assign(pair, std::move(game));
    }
}

std::optional<Encounter> MatchPairing::next() {
    const auto assignment = schedule_.next();
    if (!assignment) return std::nullopt;
    Encounter encounter;
    encounter.pair = assignment->pair;
    encounter.attempt = assignment->attempt;
    encounter.first_game = assignment->first_game;
    encounter.entrants.assign(between_.begin(), between_.end());
    encounter.opening = opening_of_(assignment->pair);
    const auto first = first_games_.find(assignment->pair);
    if (first != first_games_.end() && first->second.attempt == assignment->attempt) {
        encounter.played = std::move(first->second);
        first_games_.erase(first);
    }
    return encounter;
}

}  // namespace assay::harness
