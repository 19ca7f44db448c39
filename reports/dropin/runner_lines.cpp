#include "reports/dropin/runner_lines.h"

#include <fmt/format.h>

namespace assay::reports::dropin {

namespace {

constexpr std::string_view kDashes = "--------------------------------------------------";

/// Equal values once, others with a dash between them.
std::string once_or_both(const std::string& first, const std::string& second) {
    return first == second ? first : first + " - " + second;
}

double ratio(std::int64_t over, std::int64_t under) {
    return static_cast<double>(over) / static_cast<double>(under);
}

std::string plus_minus(double value, double error) {
    return fmt::format("{:.2f} +/- {:.2f}", value, error);
}

double points_of(const harness::ResultCounts& counts) {
    return static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 2;
}

double draw_percent(const harness::ResultCounts& counts, bool has_pairs) {
    if (has_pairs) return ratio(counts.pairs_wl + counts.pairs_dd, counts.pairs()) * 100;
    return ratio(counts.draws, counts.games()) * 100;
}

std::string sprt_in_block(const ClassicSprt& sprt, const harness::ResultCounts& counts) {
    const double llr = sprt.llr(counts);
    // Of the bound on its side; towards the lower one it is shown as negative.
    const double percent = (llr >= 0 ? llr / sprt.upper() : -llr / sprt.lower()) * 100;
    return fmt::format("LLR: {:.2f} ({:.1f}%) ({:.2f}, {:.2f}) [{:.2f}, {:.2f}]\n", llr, percent,
                       sprt.lower(), sprt.upper(), sprt.elo0, sprt.elo1);
}

}  // namespace

std::string started_line(const GameNames& game, std::int64_t games) {
    return fmt::format("Started game {} of {} ({} vs {})", game.number, games, game.first,
                       game.second);
}

std::string finished_line(const GameNames& game, std::string_view result, std::string_view reason) {
    return fmt::format("Finished game {} ({} vs {}): {} {{{}}}", game.number, game.first,
                       game.second, result, reason);
}

std::string clock_text(const harness::TimeControl& time) {
    const auto seconds = [](Micros us) { return static_cast<double>(us.count()) / 1e6; };
    using Kind = harness::TimeControl::Kind;
    switch (time.kind) {
        case Kind::Clock: {
            const harness::Period& period = time.periods.at(0);
            std::string text = period.moves > 0 ? fmt::format("{}/", period.moves) : "";
            text += fmt::format("{}", seconds(period.time));
            if (period.increment > Micros{0})
                text += fmt::format("+{:.2g}", seconds(period.increment));
            return text;
        }
        case Kind::MoveTime:
            return fmt::format("{}/move", seconds(time.move_time));
        case Kind::Depth:
            return fmt::format("{} plies", time.depth);
        case Kind::Nodes:
            // Where both are limited, that runner names the plies.
            return time.depth > 0 ? fmt::format("{} plies", time.depth)
                                  : fmt::format("{} nodes", time.nodes);
        default:
            return "";
    }
}

std::string results_block(const ResultsView& view) {
    const harness::ResultCounts& counts = view.counts;
    const ClassicEstimate estimate =
        view.has_pairs ? estimate_of_pairs(counts) : estimate_of_games(counts);
    std::string text = fmt::format("{}\n", kDashes);
    text += fmt::format("Results of {} vs {} ({}, {}, {}{}):\n", view.first.name, view.second.name,
                        once_or_both(view.first.time, view.second.time),
                        once_or_both(view.first.threads, view.second.threads),
                        once_or_both(view.first.hash, view.second.hash),
                        view.book.empty() ? "" : ", " + view.book);
    text += fmt::format("Elo: {}, nElo: {}\n", plus_minus(estimate.elo, estimate.elo_error),
                        plus_minus(estimate.nelo, estimate.nelo_error));
    text += fmt::format("LOS: {:.2f} %, DrawRatio: {:.2f} %", estimate.los * 100,
                        draw_percent(counts, view.has_pairs));
    if (view.has_pairs)
        text += fmt::format(", PairsRatio: {:.2f}", ratio(counts.pairs_ww + counts.pairs_wd,
                                                          counts.pairs_ld + counts.pairs_ll));
    const double points = points_of(counts);
    text += fmt::format("\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1f} ({:.2f} %)\n",
                        counts.games(), counts.wins, counts.losses, counts.draws, points,
                        points / static_cast<double>(counts.games()) * 100);
    if (view.has_pairs)
        text +=
            fmt::format("Ptnml(0-2): [{}, {}, {}, {}, {}], WL/DD Ratio: {:.2f}\n", counts.pairs_ll,
                        counts.pairs_ld, counts.pairs_wl + counts.pairs_dd, counts.pairs_wd,
                        counts.pairs_ww, ratio(counts.pairs_wl, counts.pairs_dd));
    if (view.sprt) text += sprt_in_block(*view.sprt, counts);
    return text + std::string(kDashes);
}

std::string sprt_end_line(const ClassicSprt& sprt, bool is_h1) {
    return fmt::format("SPRT ([{:.2f}, {:.2f}]) completed - {} was accepted", sprt.elo0, sprt.elo1,
                       is_h1 ? "H1" : "H0");
}

std::string player_lines(std::string_view name, std::int64_t timeouts, std::int64_t crashes) {
    return fmt::format("Player: {}\n  Timeouts: {}\n  Crashed: {}", name, timeouts, crashes);
}

std::string crc_line(std::string_view file, std::string_view crc) {
    return fmt::format("File {} has CRC32: {}", file, crc);
}

std::string total_time_line(Micros time) {
    const long long seconds = time.count() / 1'000'000;
    return fmt::format("Total Time: {:02}:{:02}:{:02} (hours:minutes:seconds)", seconds / 3600,
                       seconds / 60 % 60, seconds % 60);
}

std::string interrupted_line(std::string_view program, std::string_view config_name) {
    return fmt::format(
        "Tournament was interrupted. To resume the tournament, run: {} -config file={}", program,
        config_name);
}

std::string score_line(std::string_view first, std::string_view second,
                       const harness::ResultCounts& counts) {
    return fmt::format("Score of {} vs {}: {} - {} - {}  [{:.3f}] {}", first, second, counts.wins,
                       counts.losses, counts.draws,
                       points_of(counts) / static_cast<double>(counts.games()), counts.games());
}

std::string elo_difference_line(const harness::ResultCounts& counts) {
    const ClassicEstimate estimate = estimate_of_games(counts);
    return fmt::format("Elo difference: {}, LOS: {:.2f} %, DrawRatio: {:.2f} %",
                       plus_minus(estimate.elo, estimate.elo_error), estimate.los * 100,
                       draw_percent(counts, false));
}

std::string sprt_line(const ClassicSprt& sprt, const harness::ResultCounts& counts) {
    const double llr = sprt.llr(counts);
    const double percent = (llr < 0 ? llr / sprt.lower() : llr / sprt.upper()) * 100;
    const std::string_view end = llr >= sprt.upper()   ? " - H1 was accepted"
                                 : llr <= sprt.lower() ? " - H0 was accepted"
                                                       : "";
    return fmt::format("SPRT: llr {:.2f} ({:.1f}%), lbound {:.2f}, ubound {:.2f}{}", llr, percent,
                       sprt.lower(), sprt.upper(), end);
}

}  // namespace assay::reports::dropin
