#include "configs/loader/config_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"
#include "configs/loader/yaml_writer.h"
#include "harness/conditions/judgement.h"
#include "harness/plan/protocol_fit.h"

namespace assay::configs {

namespace {

using harness::MatchPlan;
using harness::ProgramPlan;
using harness::RunPlan;
using harness::StopPlan;
using harness::SuiteExpectation;
using harness::SuitePlan;
using harness::TimeControl;
using harness::TournamentPlan;

void put_names(YamlBlock& block, std::string_view key,
               const std::vector<std::pair<std::string, std::string>>& names) {
    if (names.empty()) return;
    YamlBlock inner = block.block(key);
    for (const auto& [name, value] : names) inner.put(yaml_scalar(name), yaml_scalar(value));
}

std::string duration(Micros time) {
    return yaml_scalar(harness::duration_text(time));
}

std::string minutes_text(Micros time) {
    return plain_number(static_cast<double>(time.count()) / 60e6);
}

void put_git(YamlBlock& block, const harness::GitPlan& git) {
    const harness::GitPlan usual;
    YamlBlock inner = block.block("git");
    inner.put("repo", yaml_scalar(git.repo));
    inner.put("ref", yaml_scalar(git.ref));
    if (!git.build.empty()) {
        std::string steps;
        for (const auto& step : git.build) steps += (steps.empty() ? "" : ", ") + yaml_list(step);
        inner.put("build", "[" + steps + "]");
    }
    if (git.limit != usual.limit) inner.put("limit", duration(git.limit));
    if (git.memory_bytes > 0) inner.put("memory", std::to_string(git.memory_bytes));
}

void put_bench(YamlBlock& block, const harness::BenchPlan& bench) {
    if (bench == harness::BenchPlan()) {
        block.put("bench", "{}");
        return;
    }
    YamlBlock inner = block.block("bench");
    if (!bench.command.empty()) inner.put("command", yaml_list(bench.command));
    if (bench.signature_in_commit) inner.put("signature", "commit");
    if (bench.signature) inner.put("signature", std::to_string(*bench.signature));
    if (!bench.nodes.empty()) inner.put("nodes", yaml_scalar(bench.nodes));
    if (!bench.nodes_per_second.empty())
        inner.put("nodes_per_second", yaml_scalar(bench.nodes_per_second));
}

void put_confinement(YamlBlock& program, const harness::ConfinementPlan& plan) {
    if (plan == harness::ConfinementPlan()) {
        program.put("sandbox", "bubblewrap");
        return;
    }
    YamlBlock block = program.block("sandbox");
    if (plan.network) block.put("network", "true");
    if (plan.processes) block.put("processes", "true");
    if (!plan.write.empty()) block.put("write", yaml_scalar(plan.write.front()));
}

void put_program(YamlBlock& programs, const ProgramPlan& program) {
    YamlBlock block = programs.block(yaml_scalar(program.name));
    block.put("command", yaml_list(program.command));
    if (!program.dir.empty()) block.put("dir", yaml_scalar(program.dir));
    if (program.git) put_git(block, *program.git);
    if (program.bench) put_bench(block, *program.bench);
    if (program.protocol != harness::kDefaultProtocol)
        block.put("protocol", yaml_scalar(program.protocol));
    put_names(block, "options", program.options);
    put_names(block, "env", program.env);
    if (!program.sandbox.empty()) block.put("sandbox", yaml_list(program.sandbox));
    if (program.confinement) put_confinement(block, *program.confinement);
    if (program.memory_bytes > 0) block.put("memory", std::to_string(program.memory_bytes));
    if (program.margin) block.put("margin", duration(*program.margin));
    if (program.ping_before_go) block.put("ping_before_go", "true");
}

std::string time_text(const TimeControl& time) {
    if (time.kind == TimeControl::Kind::Infinite)
        return fmt::format("{{infinite: {}}}", duration(time.wall_limit));
    return yaml_scalar(harness::to_text(time));
}

/// A program and its time in a match.
using ProgramTime = std::pair<const ProgramPlan*, const TimeControl*>;

/// Times, and what all programs share of them. A program's own margin stands with the program.
void put_times(YamlBlock& block, const std::vector<ProgramTime>& times) {
    const TimeControl& first = *times.front().second;
    const auto is_shared = [&](auto value) {
        return std::ranges::all_of(
            times, [&](const ProgramTime& one) { return value(*one.second) == value(first); });
    };
    if (is_shared(time_text)) {
        block.put("time", time_text(first));
    } else {
        YamlBlock inner = block.block("time");
        for (const auto& [program, time] : times)
            inner.put(yaml_scalar(program->name), time_text(*time));
    }
    const auto common = std::ranges::find_if(
        times, [](const ProgramTime& one) { return !one.first->margin.has_value(); });
    if (common != times.end() && common->second->margin > Micros(0))
        block.put("margin", duration(common->second->margin));
    const bool has_wall_limit = first.wall_limit != TimeControl().wall_limit;
    if (has_wall_limit && is_shared([](const TimeControl& time) { return time.wall_limit; }))
        block.put("wall_limit", duration(first.wall_limit));
}

void put_openings(YamlBlock& block, const harness::OpeningsPlan& openings) {
    YamlBlock inner = block.block("openings");
    if (openings.book == harness::kRandomOpenings) {
        inner.put_number("random", openings.plies);
    } else {
        inner.put("book", yaml_scalar(openings.book));
        if (openings.order == harness::OpeningsPlan::Order::Sequential)
            inner.put("order", "sequential");
        if (openings.scheme == harness::OpeningsPlan::Scheme::Shuffled)
            inner.put("scheme", "fastchess");
        inner.put_number("plies", openings.plies);
    }
    if (openings.start > 1) inner.put("start", std::to_string(openings.start));
}

void put_tablebase(YamlBlock& adjudicate, const harness::AdjudicatePlan::Tables& tables) {
    using Result = harness::AdjudicatePlan::Tables::Result;
    YamlBlock block = adjudicate.block("tablebase");
    block.put("path", yaml_scalar(tables.path));
    if (tables.pieces > 0) block.put("pieces", std::to_string(tables.pieces));
    if (!tables.counts_quiet_moves) block.put("rule50", "false");
    if (tables.result != Result::Both)
        block.put("result", tables.result == Result::Win ? "win" : "draw");
}

void put_adjudicate(YamlBlock& block, const harness::AdjudicatePlan& plan) {
    if (plan == harness::AdjudicatePlan()) return;
    YamlBlock inner = block.block("adjudicate");
    if (plan.tablebase) put_tablebase(inner, *plan.tablebase);
    if (plan.draw)
        inner.put("draw", fmt::format("{{from: {}, moves: {}, score: {}}}", plan.draw->from,
                                      plan.draw->moves, plan.draw->score));
    if (plan.resign)
        inner.put("resign",
                  fmt::format("{{moves: {}, score: {}, sides: {}}}", plan.resign->moves,
                              plan.resign->score, plan.resign->both_sides ? "both" : "one"));
    inner.put_number("length", plan.length);
    if (!plan.flag_is_draw_if_none_can_win) inner.put("flag_vs_bare_king", "loss");
}

std::string_view key_of(StopPlan::Rule rule) {
    return enum_names<StopPlan::Rule>("none", "closing", "capped", "sprt", "fixed", "anytime")
        .of(rule);
}

void put_bounds(YamlBlock& block, const StopPlan& stop) {
    if (!stop.preset.empty()) {
        block.put("preset", yaml_scalar(stop.preset));
        return;
    }
    if (!stop.e0 || !stop.e1) return;
    const bool is_normalized = stop.model == StopPlan::Model::Normalized;
    block.put(is_normalized ? "nelo" : "elo",
              fmt::format("[{}, {}]", plain_number(*stop.e0), plain_number(*stop.e1)));
    if (stop.model == StopPlan::Model::Bayesian) block.put("model", "bayesian");
}

void put_stop(YamlBlock& match, const StopPlan& stop) {
    if (stop == StopPlan()) {
        match.put("stop", "none");
        return;
    }
    YamlBlock block = match.block("stop");
    if (stop.rule != StopPlan::Rule::None) {
        const bool is_preset_alone =
            !stop.preset.empty() && !stop.alpha && !stop.beta && stop.batch == 0;
        if (is_preset_alone) {
            block.put(key_of(stop.rule), yaml_scalar(stop.preset));
        } else if (stop.rule == StopPlan::Rule::Fixed && !stop.alpha) {
            block.put("fixed", "{}");
        } else {
            YamlBlock inner = block.block(key_of(stop.rule));
            put_bounds(inner, stop);
            inner.put_number("alpha", stop.alpha);
            inner.put_number("beta", stop.beta);
            if (stop.shape == StopPlan::Shape::Symmetric) inner.put("shape", "symmetric");
            if (stop.batch > 0) inner.put("batch", std::to_string(stop.batch));
        }
    }
    if (stop.minutes) block.put("minutes", minutes_text(*stop.minutes));
}

void put_require(YamlBlock& match, const harness::RequirePlan& require) {
    if (require == harness::RequirePlan()) return;
    YamlBlock block = match.block("require");
    block.put_number("crashes", require.crashes);
    block.put_number("time_losses", require.time_losses);
    block.put_number("illegal_moves", require.illegal_moves);
    if (require.speed_percent)
        block.put("speed", yaml_scalar(plain_number(*require.speed_percent) + "%"));
}

void put_game(YamlBlock& block, const rules::GameSource& game) {
    if (game == MatchPlan().game) return;
    block.put("game", yaml_scalar(game.path.empty() ? game.name : game.path));
}

std::string affinity_text(const MatchPlan& match) {
    if (match.cpus.empty()) return "true";
    std::vector<std::string> numbers;
    for (const int cpu : match.cpus) numbers.push_back(std::to_string(cpu));
    return yaml_list(numbers);
}

/// What a match and all those of a tournament have. `pairs` 0: it is not said.
void put_settings(YamlBlock& block, const RunPlan& plan, const MatchPlan& match,
                  const std::vector<ProgramTime>& times, std::int64_t pairs) {
    put_game(block, match.game);
    if (match.chance == rules::Drawing::Deal) block.put("chance", "deal");
    put_times(block, times);
    put_openings(block, match.openings);
    if (pairs > 0) block.put("pairs", std::to_string(pairs));
    if (plan.seed) block.put("seed", std::to_string(*plan.seed));
    if (match.concurrency > 0) block.put("concurrency", std::to_string(match.concurrency));
    if (match.affinity) block.put("affinity", affinity_text(match));
    if (match.ponder) block.put("ponder", "true");
    if (!match.check_pv) block.put("check_pv", "false");
    put_adjudicate(block, match.adjudicate);
}

void put_match(YamlBlock& block, const RunPlan& plan, const MatchPlan& match) {
    const ProgramPlan& first = plan.programs[match.between[0]];
    const ProgramPlan& second = plan.programs[match.between[1]];
    block.put("name", yaml_scalar(match.name));
    block.put("between", yaml_list({first.name, second.name}));
    put_settings(block, plan, match, {{&first, &match.time[0]}, {&second, &match.time[1]}},
                 match.pairs);
    put_stop(block, match.stop);
    put_require(block, match.require);
}

std::string until_text(const stats::RatingGoal& until) {
    std::string text = until.elo ? fmt::format("±{} Elo", plain_number(*until.elo)) : "";
    if (until.orders) text += text.empty() ? "orders" : " and orders";
    return text;
}

void put_condition(YamlBlock& require, const harness::TournamentCondition& condition) {
    YamlBlock one = require.element();
    one.put("program", yaml_scalar(condition.program));
    if (!condition.over.empty()) one.put("over", yaml_scalar(condition.over));
    one.put(harness::name_of(condition.kind), plain_number(condition.limit));
}

void put_tournament(YamlBlock& top, const RunPlan& plan, const TournamentPlan& tournament) {
    const TournamentPlan usual;
    YamlBlock block = top.block("tournament");
    block.put("kind", harness::name_of(tournament.kind));
    if (tournament.kind != harness::TournamentKind::Knockout && tournament.rounds > 0)
        block.put("rounds", std::to_string(tournament.rounds));
    block.put("openings", std::to_string(tournament.openings));
    if (tournament.games != usual.games) block.put("games", std::to_string(tournament.games));
    block.put("opening_policy", harness::name_of(tournament.policy));
    if (tournament.seeding != usual.seeding)
        block.put("seeding", harness::name_of(tournament.seeding));
    if (tournament.kind == harness::TournamentKind::Gauntlet)
        block.put("seeds", std::to_string(tournament.seeds));
    if (tournament.replays > 0) block.put("replays", std::to_string(tournament.replays));
    if (tournament.armageddon) block.put("armageddon", "true");
    if (tournament.armageddon_time)
        block.put("armageddon_time", time_text(*tournament.armageddon_time));
    if (tournament.until.is_set()) block.put("until", until_text(tournament.until));
    if (!tournament.require.empty()) {
        YamlBlock require = block.block("require");
        for (const harness::TournamentCondition& one : tournament.require)
            put_condition(require, one);
    }
    YamlBlock match = top.block("match");
    std::vector<ProgramTime> times;
    for (std::size_t i = 0; i < plan.programs.size(); ++i)
        times.emplace_back(&plan.programs[i], &tournament.time[i]);
    put_settings(match, plan, tournament.match, times, 0);
    if (const auto& minutes = tournament.match.stop.minutes)
        top.block("stop").put("minutes", minutes_text(*minutes));
}

std::string change_text(const SuiteExpectation::Change& change) {
    const auto percent = [](double value, bool is_down) {
        return yaml_scalar((is_down ? "-" : "+") + plain_number(std::abs(value)) + "%");
    };
    const bool is_range = change.least && change.most;
    if (is_range)
        return fmt::format("[{}, {}]", percent(*change.least, *change.least < 0),
                           percent(*change.most, *change.most < 0));
    // Alone, the sign says which way: -0% is a bound below.
    return change.least ? percent(*change.least, true) : percent(change.most.value_or(0), false);
}

void put_expectation(YamlBlock& expect, const SuiteExpectation& one) {
    YamlBlock block = expect.element();
    block.put("name", yaml_scalar(one.name));
    if (one.is_query()) {
        block.put("query", yaml_scalar(one.query));
    } else {
        block.put("measure", harness::name_of(one.measure));
    }
    block.put_number("min", one.min);
    block.put_number("max", one.max);
    block.put_number("exactly", one.exactly);
    if (one.against_baseline) block.put("against_baseline", change_text(*one.against_baseline));
    if (one.scope == one.change_scope)
        block.put("per", one.scope == SuiteExpectation::Scope::Suite ? "suite" : "position");
}

void put_suite(YamlBlock& top, const RunPlan& plan, const SuitePlan& suite) {
    YamlBlock block = top.block("suite");
    put_game(block, suite.game);
    block.put("positions", yaml_scalar(suite.place.path.empty() ? suite.source : suite.place.path));
    block.put("limit", time_text(suite.limit));
    block.put("wall_limit", duration(suite.limit.wall_limit));
    if (suite.logs_trees) {
        YamlBlock log = block.block("log");
        log.put("nodes", std::to_string(suite.log_nodes));
        if (suite.log_from_ply > 0) log.put("from_ply", std::to_string(suite.log_from_ply));
    }
    if (suite.keep == SuitePlan::Keep::All) block.put("keep", "all");
    if (suite.keep == SuitePlan::Keep::Failed) block.put("keep", "failed");
    std::vector<std::string> names;
    for (const std::size_t program : suite.programs) names.push_back(plan.programs[program].name);
    block.put("programs", yaml_list(names));
    if (suite.concurrency > 0) block.put("concurrency", std::to_string(suite.concurrency));
    if (suite.expectations.empty()) return;
    YamlBlock expect = block.block("expect");
    for (const SuiteExpectation& one : suite.expectations) put_expectation(expect, one);
}

void put_slurm(YamlBlock& top, const harness::SlurmPlan& plan) {
    const harness::SlurmPlan usual;
    YamlBlock executor = top.block("executor");
    if (plan.reference > 0) executor.put("reference", fmt::format("{:.0f}", plan.reference));
    if (!plan.scale) executor.put("scale", "false");
    if (!plan.ships) executor.put("ship", "false");
    YamlBlock block = executor.block("slurm");
    block.put("folder", yaml_scalar(plan.folder));
    block.put("slots", std::to_string(plan.slots));
    block.put("cpus", std::to_string(plan.cpus));
    block.put("time", duration(plan.time));
    if (plan.batch) block.put("batch", std::to_string(*plan.batch));
    if (!plan.partition.empty()) block.put("partition", yaml_scalar(plan.partition));
    if (!plan.options.empty()) block.put("options", yaml_list(plan.options));
    if (plan.check != usual.check) block.put("check", duration(plan.check));
    if (!plan.submits) block.put("submit", "false");
}

}  // namespace

std::string config_text(const RunPlan& plan) {
    const RunPlan usual;
    std::string out;
    YamlBlock top(out);
    top.put("name", yaml_scalar(plan.name));
    if (!plan.programs.empty()) {
        YamlBlock programs = top.block("programs");
        for (const ProgramPlan& program : plan.programs) put_program(programs, program);
    }
    if (plan.tournament) {
        put_tournament(top, plan, *plan.tournament);
    } else if (plan.matches.size() == 1) {
        YamlBlock match = top.block("match");
        put_match(match, plan, plan.matches[0]);
    } else if (!plan.matches.empty()) {
        YamlBlock matches = top.block("matches");
        for (const MatchPlan& match : plan.matches) {
            YamlBlock one = matches.element();
            put_match(one, plan, match);
        }
    }
    if (plan.suite) put_suite(top, plan, *plan.suite);
    if (plan.skip_if == harness::SkipIf::SameBench) top.put("skip_if", "same_bench");
    if (plan.control) top.put("control", "true");
    if (plan.failures_in_a_row != usual.failures_in_a_row)
        top.put("failures_in_a_row", std::to_string(plan.failures_in_a_row));
    if (plan.start_limit != usual.start_limit) top.put("start_limit", duration(plan.start_limit));
    if (plan.slurm) put_slurm(top, *plan.slurm);
    if (!plan.at_end.empty()) top.put("at_end", yaml_list(plan.at_end));
    return out;
}

}  // namespace assay::configs
