#include "harness/adjudicator.h"

#include <cstdlib>

namespace assay::harness {

namespace {

/// A mate is worth more than any score in centipawns that a config may name.
constexpr int kMateScore = 1'000'000;

std::optional<int> centipawns(const std::optional<adapters::Score>& score) {
    if (!score) return std::nullopt;
    if (!score->is_mate) return score->value;
    return score->value > 0 ? kMateScore : -kMateScore;
}

}  // namespace

std::optional<Adjudicator::Ruling> Adjudicator::after_move(
    int mover, const std::optional<adapters::Score>& score, int move_number, int quiet_plies) {
    ++plies_;
    const std::optional<int> value = centipawns(score);
    const auto side = static_cast<std::size_t>(mover);

    if (plan_.resign) {
        losing_[side] = value && *value <= -plan_.resign->score ? losing_[side] + 1 : 0;
        winning_[side] = value && *value >= plan_.resign->score ? winning_[side] + 1 : 0;
    }
    if (plan_.draw) {
        const bool level = value && std::abs(*value) <= plan_.draw->score &&
                           move_number >= plan_.draw->from && quiet_plies > 0;
        level_plies_ = level ? level_plies_ + 1 : 0;
    }

    if (const auto ruling = resignation()) return ruling;
    if (is_drawn()) return Ruling{Termination::DrawAdjudicated, -1};
    if (plan_.length && plies_ >= 2 * *plan_.length) return Ruling{Termination::Length, -1};
    return std::nullopt;
}

std::optional<Adjudicator::Ruling> Adjudicator::resignation() const {
    if (!plan_.resign) return std::nullopt;
    const int needed = plan_.resign->moves;
    for (const int loser : {0, 1}) {
        const auto l = static_cast<std::size_t>(loser);
        const bool agreed = !plan_.resign->both_sides || winning_[1 - l] >= needed;
        if (losing_[l] >= needed && agreed) return Ruling{Termination::WinAdjudicated, 1 - loser};
    }
    return std::nullopt;
}

bool Adjudicator::is_drawn() const {
    return plan_.draw && level_plies_ >= 2 * plan_.draw->moves;
}

}  // namespace assay::harness
