#include "harness/run/score_view.h"

#include <fmt/format.h>

namespace assay::harness {

namespace {

constexpr std::size_t kPlayersCompared = 2;
constexpr int kClearOpinion = 50;  // of the unit's hundredths
constexpr int kLeastCompared = 40;

/// 1 or -1: good or bad for who says it; 0: no clear opinion.
int opinion_of(const MoveRecord& move) {
    if (!move.score || move.score->bound != adapters::Score::Bound::Exact) return 0;
    // No std::abs(): a program may say the least number of all, which has no opposite.
    const int least = move.score->is_mate ? 1 : kClearOpinion;
    if (move.score->value >= least) return 1;
    return move.score->value <= -least ? -1 : 0;
}

}  // namespace

std::optional<std::string> ScoreViewCheck::add(const GameRecord& game, std::size_t second) {
    // Of more players nobody can tell who is good for whom.
    if (game.program.size() != kPlayersCompared) return std::nullopt;
    Counts& counts = counts_[second];
    for (std::size_t ply = 1; ply < game.moves.size(); ++ply) {
        const MoveRecord& before = game.moves[ply - 1];
        const MoveRecord& now = game.moves[ply];
        const int product = opinion_of(before) * opinion_of(now);
        if (product == 0 || before.player == now.player) continue;
        ++counts.all;
        counts.same += product > 0 ? 1 : 0;
    }
    if (counts.was_told || counts.all < kLeastCompared || 5 * counts.same < 4 * counts.all) {
        return std::nullopt;
    }
    counts.was_told = true;
    return fmt::format(
        "its scores as second player have the sign of its opponent's in {} of {} moves: scores must "
        "be from the mover's point of view, or adjudication goes wrong",
        counts.same, counts.all);
}

}  // namespace assay::harness
