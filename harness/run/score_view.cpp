#include "harness/run/score_view.h"

#include <fmt/format.h>

namespace assay::harness {

namespace {

constexpr std::size_t kPlayersCompared = 2;
constexpr int kClearOpinion = 50;  // of the unit's hundredths
constexpr int kLeastCompared = 40;
constexpr int kLeastForeseen = 20;
constexpr int kMostWaited = 160;  // comparisons, for its games as first player

/// 1 or -1: good or bad for who says it; 0: no clear opinion.
int opinion_of(const MoveRecord& move) {
    if (!move.score || move.score->bound != adapters::Score::Bound::Exact) return 0;
    // No std::abs(): a program may say the least number of all, which has no opposite.
    const int least = move.score->is_mate ? 1 : kClearOpinion;
    if (move.score->value >= least) return 1;
    return move.score->value <= -least ? -1 : 0;
}

}  // namespace

bool ScoreViewCheck::Foresight::is_known() const {
    return all >= kLeastForeseen;
}

/// Scores of the wrong view adjudicate games wrongly: such ends show nothing.
void ScoreViewCheck::count_foresight(const GameRecord& game, std::size_t first,
                                     std::size_t second) {
    const bool is_shown = game.termination.cause == Termination::Rules ||
                          game.termination.cause == Termination::Tablebase;
    if (!is_shown || game.scores[0] == game.scores[1]) return;
    const int first_wins = game.scores[0] > game.scores[1] ? 1 : -1;
    for (const MoveRecord& move : game.moves) {
        const int opinion = opinion_of(move);
        if (opinion == 0) continue;
        const bool is_first = move.player == 0;
        Foresight& foresight = is_first ? counts_[first].as_first : counts_[second].as_second;
        ++foresight.all;
        foresight.right += opinion == (is_first ? first_wins : -first_wins) ? 1 : 0;
    }
}

std::optional<std::string> ScoreViewCheck::add(const GameRecord& game, std::size_t first,
                                               std::size_t second) {
    // Of more players nobody can tell who is good for whom.
    if (game.program.size() != kPlayersCompared) return std::nullopt;
    count_foresight(game, first, second);
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
    // The opponent's are wrong, not these.
    if (counts.as_second.is_known() && !counts.as_second.is_wrong()) return std::nullopt;
    const Foresight& foreseen = counts.as_first;
    const bool will_be_known = counts.as_second.is_known() && counts.all < kMostWaited;
    if (!foreseen.is_known() && will_be_known) return std::nullopt;
    counts.was_told = true;
    const std::string seen =
        fmt::format("its scores as second player have the sign of its opponent's in {} of {} moves",
                    counts.same, counts.all);
    if (foreseen.is_known() && foreseen.is_wrong())
        return fmt::format(
            "{}, and as first player the sign of how its games end in only {} of {}: whichever "
            "side it plays, it seems to take what is good for what is bad, and adjudication goes "
            "wrong",
            seen, foreseen.right, foreseen.all);
    return fmt::format(
        "{}: scores must be from the mover's point of view, or adjudication goes wrong{}", seen,
        foreseen.is_known() ? ""
                            : " (a program that judges positions wrongly looks alike: too few "
                              "games have ended by the rules to tell)");
}

}  // namespace assay::harness
