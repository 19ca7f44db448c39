#include "configs/dropin/runner_plan.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "configs/dropin/command_words.h"

namespace assay::configs::dropin {

namespace {

using harness::OpeningsPlan;
using harness::TimeControl;

/// Both runners wait for ever for an engine that is told to search nodes or a depth. A limit that
/// no search meets keeps a deaf engine from holding up the match.
constexpr Micros kSearchLimit{std::chrono::minutes(10)};
constexpr int kNoRowOfFailures = std::numeric_limits<int>::max();

Micros of_ms(std::int64_t ms) {
    constexpr std::int64_t kMost = 1'000'000LL * 3600 * 1000;
    return std::chrono::milliseconds(std::clamp<std::int64_t>(ms, 0, kMost));
}

std::string absolute(const std::string& path, const std::string& folder) {
    return path.starts_with('/') ? path : folder + "/" + path;
}

/// The file that is started: in the engine's folder; without one here, or else found by PATH.
std::string executable_of(const EngineSettings& engine, const Surroundings& surroundings,
                          const std::string& folder) {
    const std::string& command = engine.command;
    if (command.starts_with('/')) return command;
    if (!engine.dir.empty()) return absolute(engine.dir, folder) + "/" + command;
    const bool is_path = command.find('/') != std::string::npos;
    const std::string here = folder + "/" + command;
    return is_path || surroundings.is_file(here) ? here : command;
}

harness::ProgramPlan program_of(const EngineSettings& engine, const Surroundings& surroundings,
                                const std::string& folder) {
    harness::ProgramPlan program;
    program.name = engine.name;
    program.command.push_back(executable_of(engine, surroundings, folder));
    const auto words =
        engine.arguments.empty() ? shell_words(engine.argument_text) : engine.arguments;
    program.command.insert(program.command.end(), words.begin(), words.end());
    if (!engine.dir.empty()) program.dir = absolute(engine.dir, folder);
    if (!engine.protocol.empty()) program.protocol = engine.protocol;
    program.options = engine.options;
    // Both runners set this one first.
    std::stable_partition(program.options.begin(), program.options.end(),
                          [](const auto& option) { return option.first == "Threads"; });
    program.restarts = engine.restarts;
    return program;
}

TimeControl time_of(const EngineLimits& limits) {
    using Kind = TimeControl::Kind;
    TimeControl time;
    time.margin = of_ms(limits.margin);
    time.wall_limit = kSearchLimit;
    time.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, limits.nodes));
    time.depth = static_cast<int>(std::clamp<std::int64_t>(limits.plies, 0, 1'000'000));
    if (limits.move_time > 0) {
        time.kind = Kind::MoveTime;
        time.move_time = of_ms(limits.move_time);
    } else if (limits.is_hourglass) {
        time.kind = Kind::Hourglass;
        time.main = of_ms(limits.time);
    } else if (limits.time + limits.increment > 0) {
        time.kind = Kind::Clock;
        harness::Period& period = time.periods.emplace_back();
        period.moves = static_cast<int>(std::clamp<std::int64_t>(limits.moves, 0, 1'000'000));
        period.time = of_ms(limits.time);
        period.increment = of_ms(limits.increment);
    } else if (limits.nodes > 0) {
        time.kind = Kind::Nodes;
    } else if (limits.plies > 0) {
        time.kind = Kind::Depth;
    } else {
        time.kind = Kind::Infinite;
    }
    return time;
}

OpeningsPlan openings_of(const RunnerSettings& settings, const std::string& folder) {
    OpeningsPlan plan;
    plan.book = "none";
    const OpeningSettings& openings = settings.openings;
    if (openings.file.empty() || openings.format == OpeningSettings::Format::None) return plan;
    plan.book = absolute(openings.file, folder);
    plan.order = openings.is_random ? OpeningsPlan::Order::Random : OpeningsPlan::Order::Sequential;
    if (settings.runner == Runner::Fastchess) plan.scheme = OpeningsPlan::Scheme::Shuffled;
    if (openings.plies > 0) plan.plies = openings.plies;
    plan.start = static_cast<std::uint64_t>(std::max<std::int64_t>(1, openings.start));
    plan.start += static_cast<std::uint64_t>(settings.earlier.games() / games_an_opening(settings));
    return plan;
}

harness::AdjudicatePlan::Tables tables_of(const TablebaseSettings& settings,
                                          const std::string& folder) {
    using Result = harness::AdjudicatePlan::Tables::Result;
    harness::AdjudicatePlan::Tables tables;
    std::vector<std::string> folders;
    for (const std::string_view one : split_at(settings.folders, ':'))
        folders.push_back(absolute(std::string(one), folder));
    tables.path = joined(folders, ":");
    tables.pieces = std::max(0, settings.pieces);
    tables.counts_quiet_moves = !settings.ignores_fifty;
    tables.result = settings.result == TablebaseSettings::Result::WinLoss ? Result::Win
                    : settings.result == TablebaseSettings::Result::Draw  ? Result::Draw
                                                                          : Result::Both;
    return tables;
}

harness::AdjudicatePlan adjudication_of(const RunnerSettings& settings, const std::string& folder) {
    harness::AdjudicatePlan plan;
    if (settings.tablebase.is_on) plan.tablebase = tables_of(settings.tablebase, folder);
    if (settings.draw.is_on)
        plan.draw = harness::AdjudicatePlan::Draw{
            settings.draw.move_number, std::max(1, settings.draw.move_count), settings.draw.score};
    if (settings.resign.is_on)
        plan.resign =
            harness::AdjudicatePlan::Resign{std::max(1, settings.resign.move_count),
                                            settings.resign.score, settings.resign.two_sided};
    if (settings.most_moves && *settings.most_moves > 0) plan.length = settings.most_moves;
    plan.flag_is_draw_if_none_can_win = settings.runner == Runner::Cutechess;
    return plan;
}

harness::StopPlan stop_of(const RunnerSettings& settings) {
    using Model = harness::StopPlan::Model;
    harness::StopPlan plan;
    if (!settings.sprt.is_on) return plan;
    plan.rule = harness::StopPlan::Rule::Sprt;
    plan.model = settings.sprt.model == "normalized" ? Model::Normalized
                 : settings.sprt.model == "bayesian" ? Model::Bayesian
                                                     : Model::Logistic;
    plan.e0 = settings.sprt.elo0;
    plan.e1 = settings.sprt.elo1;
    plan.alpha = settings.sprt.alpha;
    plan.beta = settings.sprt.beta;
    plan.batch = 1;
    plan.is_plain = true;
    plan.by_games = !settings.has_penta;
    const ResultCounts& earlier = settings.earlier;
    if (earlier.games() > 0)
        plan.before = {earlier.pairs_ll, earlier.pairs_ld, earlier.pairs_wl + earlier.pairs_dd,
                       earlier.pairs_wd, earlier.pairs_ww, earlier.wins,
                       earlier.draws,    earlier.losses};
    return plan;
}

/// What is left of the games, as pairs.
void set_games(const RunnerSettings& settings, harness::MatchPlan& match) {
    const std::int64_t before = settings.earlier.games();
    const std::int64_t games = std::max<std::int64_t>(0, games_of(settings) - before);
    harness::RunnerPlan& runner = match.runner;
    match.pairs = games / 2;
    runner.has_odd_game = games % 2 == 1;
    runner.games_an_opening = games_an_opening(settings);
    runner.games_before = before;
    runner.swaps_sides = settings.swaps;
    const bool is_turned = settings.swaps && before % 2 == 1;
    runner.begins_reversed = settings.is_reversed != is_turned;
    runner.counts_as_they_end = true;
    runner.voids = false;
    runner.recovers = settings.recovers;
    runner.wait = of_ms(settings.wait);
}

}  // namespace

std::int64_t games_of(const RunnerSettings& settings) {
    return settings.games * settings.rounds;
}

int games_an_opening(const RunnerSettings& settings) {
    const bool is_twice =
        settings.runner == Runner::Fastchess ? settings.games == 2 : settings.repetitions == 2;
    return is_twice ? 2 : 1;
}

harness::RunPlan runner_plan(const RunnerSettings& settings, const Surroundings& surroundings,
                             const std::string& folder) {
    harness::RunPlan plan;
    const EngineSettings& first = settings.engines.at(0);
    const EngineSettings& second = settings.engines.at(1);
    const bool has_event = !settings.event.empty() && settings.event != kFastchessEvent;
    plan.name = has_event ? settings.event : first.name + " vs " + second.name;
    for (const EngineSettings& engine : settings.engines)
        plan.programs.push_back(program_of(engine, surroundings, folder));
    harness::MatchPlan& match = plan.matches.emplace_back();
    match.name = first.name + " vs " + second.name;
    match.time = {time_of(first.limits), time_of(second.limits)};
    match.openings = openings_of(settings, folder);
    match.game.name = settings.is_chess960 ? "chess960" : "chess";
    match.concurrency = settings.concurrency;
    match.affinity = settings.has_affinity;
    match.cpus = settings.affinity_cpus;
    match.ponder = first.ponders || second.ponders;
    match.adjudicate = adjudication_of(settings, folder);
    match.stop = stop_of(settings);
    set_games(settings, match);
    plan.seed = settings.seed;
    plan.failures_in_a_row = kNoRowOfFailures;
    plan.start_limit = of_ms(static_cast<std::int64_t>(settings.startup_ms));
    plan.ready_limit =
        of_ms(static_cast<std::int64_t>(std::min(settings.new_game_ms, settings.ping_ms)));
    return plan;
}

}  // namespace assay::configs::dropin
