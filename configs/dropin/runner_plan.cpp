#include "configs/dropin/runner_plan.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/dropin/command_words.h"
#include "configs/dropin/runner_adjudication.h"
#include "harness/plan/tournament_plan.h"

namespace assay::configs::dropin {

namespace {

using harness::OpeningsPlan;
using harness::TimeControl;
using Tournament = RunnerSettings::Tournament;

/// Both runners wait for ever for an engine that is told to search nodes or a depth. A limit that
/// no search meets keeps a deaf engine from holding up the match.
constexpr Micros kSearchLimit{std::chrono::minutes(10)};
/// fastchess asks an engine whose flag has fallen whether it is still there, and waits so long at
/// most for the move that it owes.
constexpr Micros kLateAnswer{std::chrono::seconds(10)};
constexpr int kNoRowOfFailures = std::numeric_limits<int>::max();

/// Of a gauntlet in fastchess; of a knockout in cutechess-cli, where none need have a place.
std::int64_t seeds_of(const RunnerSettings& settings) {
    const auto engines = std::ssize(settings.engines);
    if (settings.runner == Runner::Fastchess)
        return std::clamp<std::int64_t>(settings.seeds, 1, engines - 1);
    if (settings.tournament != Tournament::Knockout) return 1;
    return std::clamp<std::int64_t>(settings.seeds, 0, engines);
}

/// That a round has, as -rounds counts them; of a knockout all that there are unless two play on.
std::int64_t encounters_a_round(const RunnerSettings& settings) {
    const auto engines = std::ssize(settings.engines);
    const std::int64_t seeds = seeds_of(settings);
    switch (settings.tournament) {
        case Tournament::Gauntlet:
            return seeds * engines - seeds * (seeds + 1) / 2;
        case Tournament::Knockout:
            return engines - 1;
        case Tournament::RoundRobin:
        case Tournament::Pyramid:
            break;
    }
    return engines * (engines - 1) / 2;
}

Micros of_ms(std::int64_t ms) {
    constexpr std::int64_t kMost = 1'000'000LL * 3600 * 1000;
    return std::chrono::milliseconds(std::clamp<std::int64_t>(ms, 0, kMost));
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

/// fastchess sets the option as if the user had, so that an engine without it plays, with a
/// warning.
void set_chess960(harness::ProgramPlan& program) {
    constexpr std::string_view kOption = "UCI_Chess960";
    const bool is_set = std::ranges::any_of(
        program.options, [&](const auto& option) { return option.first == kOption; });
    if (!is_set) program.options.emplace_back(kOption, "true");
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

/// What all games share.
harness::MatchPlan shared_plan(const RunnerSettings& settings, const std::string& folder) {
    harness::MatchPlan match;
    match.openings = openings_of(settings, folder);
    match.game.name = settings.is_chess960 ? "chess960" : "chess";
    match.concurrency = settings.concurrency;
    match.affinity = settings.has_affinity;
    match.cpus = settings.affinity_cpus;
    match.ponder = settings.engines.front().ponders;
    match.adjudicate = adjudication_of(settings, folder);
    match.runner.swaps_sides = settings.swaps;
    match.runner.begins_reversed = settings.is_reversed;
    match.runner.counts_as_they_end = true;
    match.runner.voids = false;
    match.runner.recovers = settings.recovers;
    match.runner.wait = of_ms(settings.wait);
    if (settings.runner == Runner::Fastchess) {
        match.runner.late_answer =
            std::min(kLateAnswer, of_ms(static_cast<std::int64_t>(settings.ping_ms)));
        match.runner.loses_unready = true;
    }
    return match;
}

/// What is left of the games of two engines, as pairs.
void set_match(const RunnerSettings& settings, const std::string& folder, harness::RunPlan& plan) {
    const EngineSettings& first = settings.engines.at(0);
    const EngineSettings& second = settings.engines.at(1);
    harness::MatchPlan& match = plan.matches.emplace_back(shared_plan(settings, folder));
    match.name = first.name + " vs " + second.name;
    plan.name = match.name;
    match.time = {time_of(first.limits), time_of(second.limits)};
    match.stop = stop_of(settings);
    const std::int64_t before = settings.earlier.games();
    const std::int64_t games = std::max<std::int64_t>(0, games_of(settings) - before);
    harness::RunnerPlan& runner = match.runner;
    match.pairs = games / 2;
    runner.has_odd_game = games % 2 == 1;
    runner.games_an_opening = games_an_opening(settings);
    runner.games_before = before;
    // The newcomer of a pyramid has the first move.
    const bool is_second_first = settings.tournament == Tournament::Pyramid;
    const bool is_turned = settings.swaps && before % 2 == 1;
    runner.begins_reversed = (settings.is_reversed != is_turned) != is_second_first;
}

harness::TournamentKind kind_of(Tournament tournament) {
    using harness::TournamentKind;
    switch (tournament) {
        case Tournament::Gauntlet:
            return TournamentKind::Gauntlet;
        case Tournament::Knockout:
            return TournamentKind::Knockout;
        case Tournament::Pyramid:
            return TournamentKind::Pyramid;
        case Tournament::RoundRobin:
            break;
    }
    return TournamentKind::RoundRobin;
}

/// The games of an encounter become pairs where their number is even; else each stands alone, as
/// the next encounter of the two goes on with other sides.
void set_tournament(const RunnerSettings& settings, const std::string& folder,
                    harness::RunPlan& plan) {
    using harness::PairingOrder;
    harness::TournamentPlan& tournament = plan.tournament.emplace();
    tournament.match = shared_plan(settings, folder);
    tournament.kind = kind_of(settings.tournament);
    plan.name = harness::name_of(tournament.kind);
    const bool is_fastchess = settings.runner == Runner::Fastchess;
    tournament.order = is_fastchess ? PairingOrder::Fastchess : PairingOrder::Cutechess;
    constexpr std::int64_t kMost = 1'000'000;
    const int games = static_cast<int>(std::min(kMost, settings.games));
    tournament.rounds = static_cast<int>(std::min(kMost, settings.rounds));
    tournament.games = games % 2 == 0 ? 2 : 1;
    tournament.openings = games / tournament.games;
    const bool is_round = settings.openings.policy == OpeningSettings::Policy::Round;
    tournament.policy =
        is_round ? harness::OpeningPolicy::Round : harness::OpeningPolicy::Encounter;
    tournament.games_an_opening = is_fastchess ? 0 : games_an_opening(settings);
    if (tournament.kind == harness::TournamentKind::Knockout) {
        tournament.games_an_encounter = games;
        tournament.openings = 1;
    }
    tournament.seeds = static_cast<std::size_t>(seeds_of(settings));
    for (const EngineSettings& engine : settings.engines)
        tournament.time.push_back(time_of(engine.limits));
    harness::expand_tournament(plan);
}

}  // namespace

std::int64_t games_of(const RunnerSettings& settings) {
    return encounters_a_round(settings) * settings.games * settings.rounds;
}

int games_an_opening(const RunnerSettings& settings) {
    if (settings.runner == Runner::Fastchess) return settings.games == 2 ? 2 : 1;
    const bool is_kept = settings.openings.policy != OpeningSettings::Policy::Default;
    const std::int64_t games =
        is_kept ? settings.games : std::max<std::int64_t>(1, settings.repetitions);
    return static_cast<int>(std::min<std::int64_t>(games, std::numeric_limits<int>::max()));
}

bool is_tournament(const RunnerSettings& settings) {
    return settings.engines.size() > 2 || settings.tournament == Tournament::Knockout;
}

std::string not_planned(const RunnerSettings& settings) {
    const std::vector<EngineSettings>& engines = settings.engines;
    if (engines.size() > harness::kMostEntrants)
        return fmt::format(
            "a tournament of more than {} engines is not available in assay: leave some out",
            harness::kMostEntrants);
    if (is_tournament(settings) && settings.sprt.is_on)
        return engines.size() > 2
                   ? "-sprt with more than two engines is not available in assay: play the two "
                     "that it is about in a match of their own"
                   : "-sprt in a knockout is not available in assay: leave out -tournament";
    const auto ponders = [&](const EngineSettings& engine) {
        return engine.ponders == engines.front().ponders;
    };
    if (!std::ranges::all_of(engines, ponders))
        return "ponder of some engines alone is not available in assay: give it with -each";
    return "";
}

harness::RunPlan runner_plan(const RunnerSettings& settings, const Surroundings& surroundings,
                             const std::string& folder) {
    harness::RunPlan plan;
    for (const EngineSettings& engine : settings.engines)
        plan.programs.push_back(program_of(engine, surroundings, folder));
    if (settings.is_chess960 && settings.runner == Runner::Fastchess)
        std::ranges::for_each(plan.programs, set_chess960);
    if (is_tournament(settings))
        set_tournament(settings, folder, plan);
    else
        set_match(settings, folder, plan);
    if (!settings.event.empty() && settings.event != kFastchessEvent) plan.name = settings.event;
    plan.seed = settings.seed;
    plan.failures_in_a_row = kNoRowOfFailures;
    plan.start_limit = of_ms(static_cast<std::int64_t>(settings.startup_ms));
    plan.ready_limit = of_ms(static_cast<std::int64_t>(settings.new_game_ms));
    return plan;
}

}  // namespace assay::configs::dropin
