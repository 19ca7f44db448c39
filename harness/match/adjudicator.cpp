// Most of a game's time is spent on positions whose result both programs know; ending it there
// plays more games in a night. The price is a wrong result now and then, and it would be one of the
// program's own making: only what the programs say is counted, and only in a row of moves, so that
// one score that a search has not finished proves nothing. A score that bounds the value from one
// side only, or none at all, breaks the row for the same reason.
//
// The rules, to the ply at which they hold, are those of fastchess and cutechess: with others a
// match would have other results there and here. They know two players. A draw is generalised to
// more (all of them must agree, a round each); a resignation is not, since it does not say how the
// others share what is left.
#include "harness/match/adjudicator.h"

namespace assay::harness {

namespace {

/// A forced win is worth more than any score that a config may name.
constexpr int kMateScore = 1'000'000;

/// A bound is no score, and "mate in 0" does not say who wins while there are moves.
std::optional<int> value_of(const std::optional<adapters::Score>& score) {
    if (!score || score->bound != adapters::Score::Bound::Exact) return std::nullopt;
    if (score->is_mate && score->value == 0) return std::nullopt;
    if (!score->is_mate) return score->value;
    return score->value > 0 ? kMateScore : -kMateScore;
}

}  // namespace

std::optional<Adjudicator::Ruling> Adjudicator::after_move(
    int mover, const std::optional<adapters::Score>& score, int round, int quiet_plies) {
    ++plies_;
    const std::optional<int> value = value_of(score);
    const auto side = static_cast<std::size_t>(mover);

    if (plan_.resign) {
        losing_[side] = value && *value <= -plan_.resign->score ? losing_[side] + 1 : 0;
        winning_[side] = value && *value >= plan_.resign->score ? winning_[side] + 1 : 0;
    }
    if (plan_.draw) {
        const bool is_level = value && *value <= plan_.draw->score && *value >= -plan_.draw->score;
        // A capture or a pawn's move changes what the scores before it spoke of.
        if (quiet_plies == 0) level_plies_ = 0;
        level_plies_ = is_level ? level_plies_ + 1 : 0;
    }

    if (const auto ruling = resignation()) return ruling;
    if (is_drawn(mover, round)) return Ruling{Termination::DrawAdjudicated, -1};
    if (plan_.length && plies_ >= players_ * *plan_.length) return Ruling{Termination::Length, -1};
    return std::nullopt;
}

std::optional<Adjudicator::Ruling> Adjudicator::resignation() const {
    if (!plan_.resign || players_ != 2) return std::nullopt;
    const int needed = plan_.resign->moves;
    for (const int loser : {0, 1}) {
        const auto l = static_cast<std::size_t>(loser);
        const bool agreed = !plan_.resign->both_sides || winning_[1 - l] >= needed;
        if (losing_[l] >= needed && agreed) return Ruling{Termination::WinAdjudicated, 1 - loser};
    }
    return std::nullopt;
}

bool Adjudicator::is_drawn(int mover, int round) const {
    if (!plan_.draw || level_plies_ < players_ * plan_.draw->moves) return false;
    // A round is over with the last player's move.
    const int rounds_over = mover == players_ - 1 ? round : round - 1;
    return rounds_over >= plan_.draw->from;
}

}  // namespace assay::harness
