#include "cli/match/screen_settings.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "configs/dropin/runner_plan.h"

namespace assay::cli {

namespace {

using configs::dropin::Runner;
using configs::dropin::RunnerSettings;

reports::dropin::Runner screen_runner(Runner runner) {
    return runner == Runner::Cutechess ? reports::dropin::Runner::Cutechess
                                       : reports::dropin::Runner::Fastchess;
}

std::optional<reports::dropin::ClassicSprt> sprt_of(const RunnerSettings& settings) {
    if (!settings.sprt.is_on) return std::nullopt;
    reports::dropin::ClassicSprt sprt;
    sprt.model = stats::model_named(settings.sprt.model).value_or(stats::Model::Logistic);
    sprt.elo0 = settings.sprt.elo0;
    sprt.elo1 = settings.sprt.elo1;
    sprt.alpha = settings.sprt.alpha;
    sprt.beta = settings.sprt.beta;
    sprt.by_games = !settings.has_penta;
    return sprt;
}

reports::dropin::RunnerPgnOptions pgn_of(const RunnerSettings& settings) {
    using Notation = reports::dropin::RunnerPgnOptions::Notation;
    const configs::dropin::PgnSettings& asked = settings.pgn;
    reports::dropin::RunnerPgnOptions pgn;
    pgn.runner = screen_runner(settings.runner);
    pgn.notation = static_cast<Notation>(asked.notation);
    pgn.min = asked.is_minimal;
    pgn.nodes = asked.nodes;
    pgn.seldepth = asked.seldepth;
    pgn.nps = asked.nps;
    pgn.hashfull = asked.hashfull;
    pgn.tbhits = asked.tbhits;
    pgn.timeleft = asked.time_left;
    pgn.latency = asked.latency;
    pgn.pv = asked.pv;
    pgn.event = settings.event;
    if (settings.runner == Runner::Cutechess && pgn.event.empty()) pgn.event = "?";
    pgn.site = settings.site;
    return pgn;
}

}  // namespace

reports::dropin::ScreenSettings screen_of(const RunnerSettings& settings) {
    reports::dropin::ScreenSettings screen;
    screen.runner = screen_runner(settings.runner);
    screen.has_cutechess_lines = settings.has_cutechess_output;
    screen.has_pairs = settings.has_penta;
    screen.rating_interval = settings.rating_interval;
    screen.score_interval = settings.score_interval;
    screen.outcome_interval = settings.outcome_interval;
    screen.autosave_interval = settings.autosave_interval;
    screen.games = configs::dropin::games_of(settings);
    screen.games_an_encounter = settings.games;
    screen.result_fields =
        reports::dropin::result_fields(settings.result_format).value_or(std::vector<std::string>());
    if (settings.tournament == RunnerSettings::Tournament::Gauntlet)
        screen.gauntlet_seeds = static_cast<std::size_t>(settings.seeds);
    screen.recovers = settings.recovers;
    screen.is_test = settings.is_test;
    screen.checks_mate_pvs = settings.checks_mate_pvs;
    screen.book = settings.openings.file.substr(settings.openings.file.find_last_of("/\\") + 1);
    screen.sprt = sprt_of(settings);
    screen.earlier = settings.earlier;
    if (!settings.pgn.file.empty()) screen.pgn = pgn_of(settings);
    screen.pgn_file = settings.pgn.file;
    screen.pgn_appends = settings.pgn.appends;
    screen.has_crc = settings.pgn.has_crc;
    screen.epd_file = settings.epd.file;
    screen.epd_appends = settings.epd.appends;
    screen.swaps = settings.swaps;
    return screen;
}

}  // namespace assay::cli
