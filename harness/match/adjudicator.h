#pragma once
#include <array>
#include <optional>

#include "adapters/protocol/search.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"

namespace assay::harness {

/// Ends games that are decided, by what the programs say of them. Pure. The meanings are those of
/// the established runners:
/// - draw: not before full move `from`, after `moves` full moves in a row (both sides) with |score|
///   at most `score`, those before `from` included; a pawn move or a capture starts the count anew
///   and is its first, a move without a score starts it anew;
/// - resign: the loser's last `moves` own scores are all at most -`score`, and, for both sides, the
///   winner's last `moves` scores at least `score`; a move without a score starts the count anew;
/// - length: after that many full moves since the opening the game is a draw.
/// Asked in this order after the rules have had their say: resign, draw, length.
class Adjudicator {
public:
    struct Ruling {
        Termination termination = Termination::DrawAdjudicated;
        int winner = -1;  // player; -1: draw
    };

    explicit Adjudicator(const AdjudicatePlan& plan) : plan_(plan) {}

    /// One move was made by `mover`. `move_number` is the full-move number at which it was played,
    /// `quiet_plies` counts plies since the last irreversible move, this one included.
    [[nodiscard]] std::optional<Ruling> after_move(int mover,
                                                   const std::optional<adapters::Score>& score,
                                                   int move_number, int quiet_plies);

private:
    [[nodiscard]] std::optional<Ruling> resignation() const;
    [[nodiscard]] bool is_drawn(int mover, int move_number) const;

    AdjudicatePlan plan_;
    std::array<int, 2> losing_{};   // own moves in a row at or below -score
    std::array<int, 2> winning_{};  // own moves in a row at or above score
    int level_plies_ = 0;
    int plies_ = 0;
};

}  // namespace assay::harness
