// Levels and steps of a history (stats/estimate/change_points.h), within each series. The error of
// a night's Elo is half its interval over 1.96. Speeds have no interval of their own: their error
// is estimated from the nights, with what a few nights leave open about it; where it would be
// smaller, 0.2 % stands for it.
#include "reports/history/history_levels.h"

#include <algorithm>
#include <map>
#include <vector>

#include "stats/data/normal.h"

namespace assay::reports {

namespace {

constexpr double kLeastSpeedError = 0.002;  // of the first night's speed

/// Finds levels and steps in one series of nights.
void add_levels(History& history, const std::vector<std::size_t>& nights, bool is_speed) {
    std::vector<stats::Measured> figures;
    std::vector<std::size_t> at;
    std::vector<double> speeds;
    for (const std::size_t i : nights) {
        const Night& night = history.nights[i];
        if (is_speed) {
            if (!night.nodes_per_second[0]) continue;
            speeds.push_back(*night.nodes_per_second[0]);
        } else {
            if (!night.counts() || !night.elo.ci95.low || !night.elo.ci95.high) continue;
            const double error = (*night.elo.ci95.high - *night.elo.ci95.low) / (2 * stats::kZ95);
            if (!(error > 0)) continue;
            figures.push_back({*night.elo.value, error});
        }
        at.push_back(i);
    }
    if (at.empty()) return;
    const stats::Levels found =
        is_speed ? stats::find_steps(speeds, kLeastSpeedError * speeds.front(), kStepAlpha)
                 : stats::find_steps(figures, kStepAlpha);
    auto& levels = is_speed ? history.speed_levels : history.elo_levels;
    for (const stats::Level& level : found.levels)
        levels.push_back({at[level.begin], at[level.end - 1], level});
    for (std::size_t i = 0; i < found.steps.size(); ++i) {
        stats::Step step = found.steps[i];
        const std::size_t night = at[step.at];
        if (is_speed) {
            const double scale = 100 / found.levels[i].mean;
            step.change *= scale;
            step.ci95 = {*step.ci95.low * scale, *step.ci95.high * scale};
        }
        history.steps.push_back({night, at[step.at - 1], is_speed, step});
    }
}

}  // namespace

void find_all_steps(History& history) {
    std::map<std::size_t, std::vector<std::size_t>> series;
    for (std::size_t i = 0; i < history.nights.size(); ++i)
        series[history.nights[i].series].push_back(i);
    for (const auto& [number, nights] : series) {
        add_levels(history, nights, false);
        add_levels(history, nights, true);
    }
    std::ranges::stable_sort(history.steps, {}, &NightStep::night);
}

}  // namespace assay::reports
