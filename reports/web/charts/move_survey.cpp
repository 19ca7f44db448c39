// What is told of single moves, collected in one pass over the games, as a page of 100,000 games
// cannot keep their moves. Times and speeds are kept as floats for quantiles, delays in bars of a
// logarithmic scale, and of each game the few marks by which it is worth a look: the largest swing
// of a program's own score, and the longest stretch in which both programs judge the position
// differently.
//
// Scores are cut at ten pawns: a mate score is no number, and a swing from +20 to +60 is none. A
// swing is taken from the lowest or highest score that the program said before, not from its last
// one, since a loss of a won game may take many moves.
#include "reports/web/charts/move_survey.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/plot/scale.h"
#include "stats/data/median.h"

namespace assay::reports::web {

namespace {

using harness::GameRecord;
using harness::MoveRecord;

constexpr double kMostUnits = 10;
constexpr double kDisagreement = 0.2;  // of the scale

double quantile(std::vector<float> values, double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return static_cast<double>(values[at]);
}

void find_swing(const GameRecord& game, const ScoreScale& scale, GameMarks& marks) {
    struct Extreme {
        double low = 0;
        double high = 0;
        std::size_t low_at = 0;  // the moves that said so
        std::size_t high_at = 0;
        bool is_set = false;
    };

    std::array<Extreme, 2> seen;
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const std::optional<double> score = score_of(game.moves[i], scale);
        if (!score) continue;
        Extreme& own = seen[static_cast<std::size_t>(game.moves[i].player)];
        if (!own.is_set) own = {*score, *score, i, i, true};
        const bool is_rise = *score - own.low > own.high - *score;
        const double from = is_rise ? own.low : own.high;
        if (std::abs(*score - from) > marks.swing) {
            marks.swing = std::abs(*score - from);
            marks.swing_from = from;
            marks.swing_to = *score;
            marks.swing_ply = static_cast<int>(game.opening.size() + i) + 1;
            marks.said_from = said_score(game.moves[is_rise ? own.low_at : own.high_at], scale, 1);
            marks.said_to = said_score(game.moves[i], scale, 1);
        }
        if (*score < own.low) {
            own.low = *score;
            own.low_at = i;
        }
        if (*score > own.high) {
            own.high = *score;
            own.high_at = i;
        }
    }
}

void find_disagreement(const GameRecord& game, const ScoreScale& scale, GameMarks& marks) {
    int plies = 0;
    double sum = 0;
    for (std::size_t i = 1; i < game.moves.size(); ++i) {
        const std::optional<double> one = score_of(game.moves[i - 1], scale);
        const std::optional<double> other = score_of(game.moves[i], scale);
        // Each score is from its own player's side: two players who agree have a sum of 0.
        const bool is_of_both = game.moves[i - 1].player != game.moves[i].player;
        const double apart = is_of_both && one && other ? std::abs(*one + *other) : 0;
        if (apart < kDisagreement * scale.most) {
            plies = 0;
            sum = 0;
            continue;
        }
        ++plies;
        sum += apart;
        if (plies > marks.disagreeing_plies) {
            marks.disagreeing_plies = plies;
            marks.disagreement = sum / plies;
        }
    }
}

}  // namespace

ScoreScale scale_of(const rules::GameInfo& game) {
    if (game.score_unit.name.empty()) return {};
    return {static_cast<double>(game.score_unit.parts), kMostUnits};
}

std::optional<double> score_of(const MoveRecord& move, const ScoreScale& scale) {
    if (!move.score || move.score->bound != adapters::Score::Bound::Exact) return std::nullopt;
    if (move.score->is_mate) return move.score->value > 0 ? scale.most : -scale.most;
    return std::clamp(move.score->value / scale.parts, -scale.most, scale.most);
}

std::string said_score(const MoveRecord& move, const ScoreScale& scale, int decimals) {
    if (!move.score) return "";
    if (!move.score->is_mate)
        return plot::number_text(move.score->value / scale.parts,
                                 std::min(decimals, 2 * scale.decimals()), true);
    return move.score->value > 0 ? fmt::format("mate in {}", move.score->value)
                                 : fmt::format("mated in {}", -move.score->value);
}

bool is_cut(const MoveRecord& move, const ScoreScale& scale) {
    if (!move.score || move.score->bound != adapters::Score::Bound::Exact) return false;
    return move.score->is_mate || std::abs(move.score->value / scale.parts) > scale.most;
}

void MoveSurvey::add_move(const GameRecord& game, std::size_t ply) {
    const MoveRecord& move = game.moves[ply];
    const auto program = static_cast<std::size_t>(game.program_of(move.player));
    if (move.left.count() > 0) {
        const double seconds = static_cast<double>(move.left.count()) / 1e6;
        const std::size_t number = (game.opening.size() + ply) / 2;
        if (left_[program].size() <= number) left_[program].resize(number + 1);
        left_[program][number].push_back(static_cast<float>(seconds));
        least_[program] = std::min(least_[program].value_or(seconds), seconds);
    }
    if (move.delay.count() > 0) {
        const double decades = std::log10(static_cast<double>(move.delay.count()));
        const auto bar = static_cast<std::size_t>(std::max(0.0, decades * kBarsPerDecade));
        ++bars_[std::min(bar, kBars - 1)];
    }
}

void MoveSurvey::add(const GameRecord& game) {
    std::array<double, 2> nodes{};
    std::array<double, 2> seconds{};
    GameMarks marks;
    marks.number = game.number;
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const MoveRecord& move = game.moves[i];
        if (move.player < 0) continue;  // chance
        add_move(game, i);
        const auto program = static_cast<std::size_t>(game.program_of(move.player));
        if (move.nodes && move.used >= kMeasurable)
            measured_[program] += 1e-6 * static_cast<double>(move.used.count());
        if (move.nodes && move.used.count() > 0) {
            nodes[program] += static_cast<double>(*move.nodes);
            seconds[program] += static_cast<double>(move.used.count()) / 1e6;
        }
        const auto delay = static_cast<double>(move.delay.count());
        if (delay > marks.delay_us) {
            marks.delay_us = delay;
            marks.delay_ply = static_cast<int>(game.opening.size() + i) + 1;
        }
    }
    for (std::size_t program = 0; program < 2; ++program)
        if (seconds[program] > 0) speeds_[program].push_back(nodes[program] / seconds[program]);
    find_swing(game, scale_, marks);
    find_disagreement(game, scale_, marks);
    marks_.push_back(marks);
}

std::vector<ClockPoint> MoveSurvey::clocks(std::size_t program) const {
    std::vector<ClockPoint> out;
    const auto least = static_cast<std::size_t>(std::max<std::int64_t>(1, games() / 10));
    for (std::size_t move = 0; move < left_[program].size(); ++move) {
        const std::vector<float>& left = left_[program][move];
        if (left.size() < least) continue;
        out.push_back({static_cast<int>(move) + 1, quantile(left, 0.05), quantile(left, 0.5),
                       quantile(left, 0.95)});
    }
    return out;
}

std::optional<double> MoveSurvey::least_left(std::size_t program) const {
    return least_[program];
}

std::optional<double> MoveSurvey::nodes_per_second(std::size_t program) const {
    if (speeds_[program].empty()) return std::nullopt;
    return stats::median(speeds_[program]);
}

std::optional<double> MoveSurvey::speed_drift(std::size_t program) const {
    const std::vector<double>& all = speeds_[program];
    if (all.size() < 30 || measured_[program] < kLeastMeasured) return std::nullopt;
    const auto third = static_cast<std::ptrdiff_t>(all.size() / 3);
    const double first = stats::median({all.begin(), all.begin() + third});
    const double last = stats::median({all.end() - third, all.end()});
    if (!(first > 0)) return std::nullopt;
    return 100 * (last / first - 1);
}

std::vector<DelayBar> MoveSurvey::delays() const {
    std::vector<DelayBar> out;
    for (std::size_t bar = 0; bar < kBars; ++bar) {
        const auto from = std::pow(10.0, static_cast<double>(bar) / kBarsPerDecade);
        const auto to = std::pow(10.0, static_cast<double>(bar + 1) / kBarsPerDecade);
        out.push_back({from, to, bars_[bar]});
    }
    const auto is_empty = [](const DelayBar& bar) { return bar.moves == 0; };
    while (!out.empty() && is_empty(out.back())) out.pop_back();
    const auto begin = std::ranges::find_if_not(out, is_empty);
    out.erase(out.begin(), begin);
    return out;
}

}  // namespace assay::reports::web
