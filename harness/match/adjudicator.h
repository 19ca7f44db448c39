#pragma once
#include <array>
#include <optional>

#include "adapters/protocol/search.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"

namespace assay::harness {

/// Ends games that are decided, by the scores that the programs report. Pure. A round is a move of
/// each player. The rules are those of the established runners:
/// - draw: not before round `from`, after `moves` rounds in a row with |score| at most `score`;
///   rounds before `from` count. An irreversible move (rules::Position::quiet_plies) restarts the
///   count and is its first; a move without a score restarts it;
/// - resign, in games of two: the loser's last `moves` scores are all at most -`score` and, if both
///   sides are asked, the winner's are at least `score`. A move without a score restarts the count;
/// - length: after that many rounds since the opening the game is a draw.
/// Asked in this order after the rules: resign, draw, length.
class Adjudicator {
public:
    struct Ruling {
        Termination termination = Termination::DrawAdjudicated;
        int winner = -1;  // player; -1: draw
    };

    explicit Adjudicator(const AdjudicatePlan& plan, int players = 2)
        : plan_(plan), players_(players) {}

    /// One move was made by `mover`, in the round of this number; `quiet_plies` counts plies since
    /// the last irreversible move, this one included.
    [[nodiscard]] std::optional<Ruling> after_move(int mover,
                                                   const std::optional<adapters::Score>& score,
                                                   int round, int quiet_plies);

private:
    [[nodiscard]] std::optional<Ruling> resignation() const;
    [[nodiscard]] bool is_drawn(int mover, int round) const;

    AdjudicatePlan plan_;
    int players_;
    std::array<int, rules::kMostPlayers> losing_{};   // own moves in a row at or below -score
    std::array<int, rules::kMostPlayers> winning_{};  // own moves in a row at or above score
    int level_plies_ = 0;
    int plies_ = 0;
};

}  // namespace assay::harness
