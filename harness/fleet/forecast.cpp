// A test that looks as it goes decides at some pair in schedule order. What lies behind that pair
// and was played or begun by then is in vain: the more games at once and the more pairs a machine
// takes at a time, the more. The table was simulated: tests `closing` and `sprt` with bounds 0 and
// 10 nElo, times of pairs that vary by 35 % and of machines by 25 %. The two rules agree within
// 5 %, and the number hardly depends on the bounds. Between its points it is interpolated in
// logarithms, in which it is nearly straight.
#include "harness/fleet/forecast.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/executor/slurm_executor.h"
#include "harness/match/budget.h"
#include "harness/match/match_setting.h"

namespace assay::harness {

namespace {

/// A task of Slurm keeps its slot so long without playing: the largest that was measured.
constexpr double kDispatchSeconds = 0.75;

constexpr std::array<double, 5> kGames{4, 16, 64, 256, 1000};
constexpr std::array<double, 4> kUnits{1, 4, 16, 64};
constexpr std::array<std::array<double, 5>, 4> kPairs{{{3, 20, 115, 600, 3000},
                                                       {8, 57, 290, 1500, 7700},
                                                       {31, 190, 1050, 5600, 30000},
                                                       {113, 710, 4560, 26500, 115000}}};

/// The place of `value` among the logarithms of rising points, and how far it is to the next.
template <std::size_t Size>
std::pair<std::size_t, double> place_in(const std::array<double, Size>& points, double value) {
    const double clamped = std::clamp(value, points.front(), points.back());
    std::size_t i = 0;
    while (i + 2 < Size && clamped >= points.at(i + 1)) ++i;
    const double low = std::log(points.at(i));
    const double high = std::log(points.at(i + 1));
    return {i, (std::log(clamped) - low) / (high - low)};
}

}  // namespace

double pairs_in_vain(double games_at_once, double unit) {
    if (games_at_once < kGames.front()) {
        // Few games: each is at most one unit ahead.
        return pairs_in_vain(kGames.front(), unit) * std::max(0.0, games_at_once - 1) /
               (kGames.front() - 1);
    }
    const auto [column, x] = place_in(kGames, games_at_once);
    const auto [row, y] = place_in(kUnits, unit);
    const auto along = [column = column, x = x](const std::array<double, 5>& pairs) {
        return std::log(pairs.at(column)) * (1 - x) + std::log(pairs.at(column + 1)) * x;
    };
    return std::exp(along(kPairs.at(row)) * (1 - y) + along(kPairs.at(row + 1)) * y);
}

FleetForecast forecast_of(const RunPlan& plan, const MatchPlan& match) {
    FleetForecast forecast;
    forecast.games_of_task = games_within(plan, match, plan.slurm->cpus);
    forecast.pairs_of_task = pairs_of_task(*plan.slurm, match, forecast.games_of_task);
    forecast.batches = (match.pairs + forecast.pairs_of_task - 1) / forecast.pairs_of_task;
    forecast.dispatch_seconds = kDispatchSeconds * static_cast<double>(forecast.batches);
    const double games = static_cast<double>(plan.slurm->slots) * forecast.games_of_task;
    const double unit =
        std::max(1.0, static_cast<double>(forecast.pairs_of_task) / forecast.games_of_task);
    if (match.stop.is_sequential())
        forecast.overshoot = std::min(pairs_in_vain(games, unit), static_cast<double>(match.pairs));
    if (const auto game = seconds_a_game(match))
        forecast.slot_hours =
            2 * *game * static_cast<double>(match.pairs) / forecast.games_of_task / 3600 +
            forecast.dispatch_seconds / 3600;
    return forecast;
}

}  // namespace assay::harness
