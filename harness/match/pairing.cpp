// Joins what the schedule decides (which pair next, when it counts) with what an encounter needs:
// two programs, openings and what was played of it before. The schedule knows pairs alone. Games
// outside of that picture are handled here so that it stays so simple:
//
// The first game of a pair that an earlier session did not finish is kept until the schedule gives
// the same attempt of that pair out again, and travels with it: the second game alone is played. It
// cannot be counted by itself, because the two games of a pair are one unit of the statistics.
//
// An odd number of games, which only the command lines of other runners can ask for, has a last
// game without a partner. It is numbered as if it were one more pair, given out when the schedule
// has nothing left, and never reaches the schedule.
#include "harness/match/pairing.h"

#include <utility>

namespace assay::harness {

MatchPairing::MatchPairing(std::size_t match, std::array<std::size_t, 2> between, Schedule schedule,
                           OpeningOf opening_of, const RunnerPlan& runner)
    : match_(match),
      between_(between),
      schedule_(std::move(schedule)),
      opening_of_(std::move(opening_of)),
      runner_(runner),
      odd_game_(runner.has_odd_game ? OddGame::Open : OddGame::Over) {}

std::vector<PairDigest> MatchPairing::restore(std::size_t /*match*/, std::vector<PairDigest> pairs,
                                              std::vector<GameRecord> first_games) {
    for (GameRecord& game : first_games) {
        if (game.pair == schedule_.pairs() && runner_.has_odd_game) {
            odd_game_ = OddGame::Over;
            continue;
        }
        const std::int64_t pair = game.pair;
        first_games_.insert_or_assign(pair, std::move(game));
    }
    return schedule_.restore(std::move(pairs));
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
    encounter.match = match_;
    encounter.pair = assignment->pair;
    encounter.attempt = assignment->attempt;
    encounter.first_game = runner_.games_before + assignment->first_game;
    encounter.games = odd_game_ == OddGame::Given && encounter.pair == schedule_.pairs() ? 1 : 2;
    encounter.entrants.assign(between_.begin(), between_.end());
    encounter.swaps_sides = runner_.swaps_sides;
    encounter.begins_reversed = runner_.begins_reversed;
    // Counted in games, because other runners may play one opening for one game or for more than
    // two; the division gives the pair's number in the usual case of two.
    const std::int64_t first_opening = 2 * assignment->pair / runner_.games_an_opening;
    const std::int64_t second_opening = (2 * assignment->pair + 1) / runner_.games_an_opening;
    encounter.opening = opening_of_(first_opening);
    if (encounter.games == 2 && second_opening != first_opening)
        encounter.own_openings.push_back(opening_of_(second_opening));
    const auto first = first_games_.find(assignment->pair);
    // The same attempt: a game of an attempt that was void meanwhile must not complete a new one.
    if (first != first_games_.end() && first->second.attempt == assignment->attempt) {
        encounter.played = std::move(first->second);
        first_games_.erase(first);
    }
    return encounter;
}

std::vector<PairDigest> MatchPairing::finished(const PairDigest& pair) {
    return schedule_.finished(pair);
}

void MatchPairing::replay(const PairDigest& pair) {
    schedule_.replay(pair.pair, pair.attempt);
}

void MatchPairing::extend() {
    schedule_.extend(1);
}

bool MatchPairing::end_single_game(const GameRecord& game) {
    if (game.pair != schedule_.pairs() || !runner_.has_odd_game) return false;
    odd_game_ = OddGame::Over;
    return true;
}

bool MatchPairing::is_complete() const {
    return schedule_.is_complete() && odd_game_ == OddGame::Over;
}

bool MatchPairing::is_book_exhausted() const {
    return schedule_.is_book_exhausted();
}

std::vector<PairDigest> MatchPairing::take_waiting() {
    return schedule_.take_waiting();
}

void MatchPairing::visit_open(
    const std::function<void(std::size_t match, const GameDigest&)>& visit) const {
    for (const auto& [number, pair] : schedule_.waiting_pairs()) {
        for (const GameDigest& game : pair.games) visit(match_, game);
    }
    for (const auto& [number, game] : first_games_) visit(match_, digest_of(game));
}

}  // namespace assay::harness
