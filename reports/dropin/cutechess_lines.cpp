#include "reports/dropin/cutechess_lines.h"

#include <fmt/format.h>

#include "reports/dropin/runner_lines.h"

namespace assay::reports::dropin {

namespace {

std::string side_line(std::string_view what, const harness::ResultCounts& counts) {
    const double points = static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 2;
    return fmt::format("...      {}: {} - {} - {}  [{:.3f}] {}\n", what, counts.wins, counts.losses,
                       counts.draws, points / static_cast<double>(counts.games()), counts.games());
}

}  // namespace

std::string cutechess_ranking(std::string_view first, const SideNames& sides,
                              const SideCounts& counts, const ClassicSprt* sprt) {
    const harness::ResultCounts all = counts.all();
    std::string text;
    if (counts.as_first.games() > 0)
        text += side_line(fmt::format("{} playing {}", first, sides.first), counts.as_first);
    if (counts.as_second.games() > 0)
        text += side_line(fmt::format("{} playing {}", first, sides.second), counts.as_second);
    harness::ResultCounts by_side = counts.as_first;
    by_side.wins += counts.as_second.losses;
    by_side.losses += counts.as_second.wins;
    by_side.draws += counts.as_second.draws;
    if (all.games() > 0)
        text += side_line(fmt::format("{} vs {}", sides.first, sides.second), by_side);
    const ClassicEstimate estimate = estimate_of_games(all, kCutechessErrors);
    text += fmt::format("Elo difference: {:.1f} +/- {:.1f}, LOS: {:.1f} %, DrawRatio: {:.1f} %\n",
                        estimate.elo, estimate.elo_error, estimate.los * 100,
                        static_cast<double>(all.draws) / static_cast<double>(all.games()) * 100);
    return text + cutechess_sprt_line(sprt, all);
}

std::string cutechess_sprt_line(const ClassicSprt* sprt, const harness::ResultCounts& counts) {
    if (sprt == nullptr) return "SPRT: llr 0 (0.0%), lbound -inf, ubound inf";
    const double llr = sprt->llr(counts);
    std::string text = fmt::format("SPRT: llr {:.3g} ({:.1f}%), lbound {:.3g}, ubound {:.3g}", llr,
                                   llr / sprt->upper() * 100, sprt->lower(), sprt->upper());
    if (llr >= sprt->upper()) text += " - H1 was accepted";
    if (llr <= sprt->lower()) text += " - H0 was accepted";
    return text;
}

std::string cutechess_outcome(int half_points, std::string_view reason) {
    const std::string_view lead = half_points == 2 ? "Win: " : half_points == 0 ? "Loss: " : "";
    return std::string(lead) + std::string(reason);
}

std::string cutechess_outcomes(std::string_view name,
                               const std::map<std::string, std::int64_t>& outcomes) {
    std::string text = fmt::format("Player: {}", name);
    for (const auto& [outcome, games] : outcomes)
        text += fmt::format("\n   \"{}\": {}", outcome, games);
    return text;
}

}  // namespace assay::reports::dropin
