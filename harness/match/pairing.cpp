#include "harness/match/pairing.h"

#include <utility>

namespace assay::harness {

MatchPairing::MatchPairing(std::array<std::size_t, 2> between, Schedule schedule,
                           OpeningOf opening_of, const RunnerPlan& runner)
    : between_(between),
      schedule_(std::move(schedule)),
      opening_of_(std::move(opening_of)),
      runner_(runner),
      odd_game_(runner.has_odd_game ? OddGame::Open : OddGame::Over) {}

void MatchPairing::resume(std::vector<GameRecord> first_games) {
    for (GameRecord& game : first_games) {
        if (game.pair == schedule_.pairs() && runner_.has_odd_game) {
            odd_game_ = OddGame::Over;
            continue;
        }
        const std::int64_t pair = game.pair;
        first_games_.insert_or_assign(pair, std::move(game));
    }
}

std::optional<Schedule::Assignment> MatchPairing::next_assignment() {
    if (auto assignment = schedule_.next()) return assignment;
    if (odd_game_ != OddGame::Open) return std::nullopt;
    odd_game_ = OddGame::Given;
    return Schedule::assignment(schedule_.pairs(), 0);
}

std::optional<Encounter> MatchPairing::next() {
    const auto assignment = next_assignment();
    if (!assignment) return std::nullopt;
    Encounter encounter;
    encounter.pair = assignment->pair;
    encounter.attempt = assignment->attempt;
    encounter.first_game = runner_.games_before + assignment->first_game;
    encounter.games = odd_game_ == OddGame::Given && encounter.pair == schedule_.pairs() ? 1 : 2;
    encounter.entrants.assign(between_.begin(), between_.end());
    encounter.swaps_sides = runner_.swaps_sides;
    encounter.begins_reversed = runner_.begins_reversed;
    if (runner_.games_an_opening == 1) {
        encounter.opening = opening_of_(2 * assignment->pair);
        if (encounter.games == 2)
            encounter.own_openings.push_back(opening_of_(2 * assignment->pair + 1));
    } else {
        encounter.opening = opening_of_(assignment->pair);
    }
    const auto first = first_games_.find(assignment->pair);
    if (first != first_games_.end() && first->second.attempt == assignment->attempt) {
        encounter.played = std::move(first->second);
        first_games_.erase(first);
    }
    return encounter;
}

}  // namespace assay::harness
