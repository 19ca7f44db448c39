#include "reports/files/run_json.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "base/credentials.h"
#include "harness/run/same_programs.h"
#include "reports/files/suite_json.h"
#include "reports/files/tournament_files.h"
#include "reports/view/assumption_checks.h"
#include "reports/view/estimates.h"
#include "reports/view/json_text.h"
#include "reports/view/machine_rows.h"
#include "reports/view/match_left.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;
using harness::MatchTally;

json::value trinomial(const Figures& figures) {
    if (!figures.null) return nullptr;
    return json::object{{"score", figures.balance},
                        {"sigma", json_number(figures.trinomial.sigma)},
                        {"white_win", json_number(figures.null->first_wins)},
                        {"draw", json_number(figures.null->draws)},
                        {"p_value", json_number(figures.trinomial.p_value)}};
}

json::object terminations(const MatchTally& tally) {
    json::object out;
    for (const auto& [termination, games] : tally.terminations())
        out[harness::name_of(termination)] = games;
    return out;
}

json::object harness_meters(const harness::RunMeters& meters) {
    return {{"cpu_us_per_ply", json_number(meters.delay.cpu_us_per_ply)},
            {"delay_us",
             {{"p50", json_number(meters.delay.p50_us)},
              {"p99", json_number(meters.delay.p99_us)},
              {"max", json_number(meters.delay.max_us)}}},
            {"wall_seconds", json_number(static_cast<double>(meters.wall_us) / 1e6)}};
}

json::array failed_games(const RunView& view, const std::vector<FailedGame>& games) {
    json::array out;
    for (const FailedGame& game : games) {
        out.push_back({{"game", game.number},
                       {"ply", game.ply},
                       {"program", json_string(game.program)},
                       {"termination", json_string(harness::name_of(game.termination))},
                       {"reason", json_string(game.reason)},
                       {"replay", json_string(replay_command(view.run, game, view.store_path))}});
    }
    return out;
}

json::value test_json(const MatchTally& tally) {
    const std::optional<stats::TestState> test = test_state(tally);
    if (!test) return nullptr;
    const bool has_bounds = !test->model.empty();
    const auto bound = [&](double value) { return has_bounds ? json_number(value) : nullptr; };
    return json::object{{"rule", json_string(test->rule)},
                        {"llr", json_number(test->llr)},
                        {"lower", json_number(test->lower)},
                        {"upper", json_number(test->upper)},
                        {"elo0", bound(test->elo0)},
                        {"elo1", bound(test->elo1)},
                        {"model", has_bounds ? json_string(test->model) : nullptr},
                        {"state", json_string(test->state)},
                        {"alpha", json_number(test->alpha)},
                        {"beta", bound(test->beta)},
                        {"corrected_lower", json_number(test->corrected_lower)},
                        {"corrected_upper", json_number(test->corrected_upper)},
                        {"at_cap", test->at_cap},
                        {"reason", json_string(test->reason)}};
}

json::value after_stop_json(const MatchTally& tally) {
    const std::optional<stats::AfterStop> post = after_stop(tally);
    if (!post) return nullptr;
    return json::object{{"nelo", json_estimate(post->nelo)},
                        {"elo", json_estimate(post->elo)},
                        {"p_value", json_number(post->p_value)},
                        {"los", json_number(post->los)},
                        {"reliable", post->reliable}};
}

json::array other_estimates_json(const Estimates& estimates) {
    json::array out;
    for (const KindOfEstimate& other : estimates.others) {
        out.push_back(json::object{{"kind", json_string(name_of(other.kind))},
                                   {"elo", json_estimate(other.elo)},
                                   {"nelo", json_estimate(other.nelo)},
                                   {"los", json_number(other.los)},
                                   {"meaning", json_string(other.meaning)}});
    }
    return out;
}

/// What the match still needs at its mean speed so far; null once the run or the match has ended.
json::value left_json(const RunView& view, const MatchTally& tally) {
    if (view.run.state == harness::RunState::Finished) return nullptr;
    return json_left(left_of(tally, mean_speed(tally)));
}

/// Flaws of the lines of moves that the programs said, with the first of each kind.
json::array pv_findings(const RunView& view, const MatchTally& tally) {
    json::array out;
    for (const PvRow& row : pv_rows(view.run, tally)) {
        json::array examples;
        for (const harness::PvFinding& one : row.counts->examples) {
            examples.push_back(json::object{{"game", one.game},
                                            {"ply", one.ply + 1},
                                            {"move", json_string(one.move)},
                                            {"line", json_string(one.line)},
                                            {"start", json_string(one.start)},
                                            {"moves", json_string(one.moves)}});
        }
        out.push_back(json::object{{"program", json_string(row.program)},
                                   {"flaw", json_string(harness::name_of(row.flaw))},
                                   {"count", row.counts->count},
                                   {"games", row.counts->games},
                                   {"examples", std::move(examples)}});
    }
    return out;
}

/// Adds a match's figures to `out`.
void add_match(json::object& out, const RunView& view, const MatchView& match) {
    const MatchTally& tally = *match.tally;
    const harness::MatchPlan& plan = tally.plan();
    const Figures figures = figures_of(tally);
    const Estimates estimates = estimates_of(tally);
    const std::string& first = program_name(view.run, plan, 0);
    const std::string& second = program_name(view.run, plan, 1);
    out["verdict"] = json_word(harness::name_of(tally.verdict()));
    out["tainted"] = tally.is_tainted();
    out["games"] = tally.games();
    out["pairs"] = tally.pairs();
    out["wdl"] = json::array{tally.wdl().wins, tally.wdl().draws, tally.wdl().losses};
    out["pentanomial"] = json_counts(tally.pentanomial());
    out["elo"] = json_estimate(estimates.quoted.elo);
    out["nelo"] = json_estimate(estimates.quoted.nelo);
    out["los"] = json_number(estimates.quoted.los);
    out["test"] = test_json(tally);
    out["trinomial"] = trinomial(figures);
    out["sign_flip"] = json::object{{"p_value", json_number(figures.sign_flip.p_value)},
                                    {"mid_p", json_number(figures.sign_flip.mid_p)}};
    out["terminations"] = terminations(tally);
    out["voided"] = tally.voided();
    out["harness_losses"] = tally.harness_losses();
    out["harness"] = harness_meters(tally.meters());
    out["expectations"] = json::array{};

    out["between"] = json::array{json_string(first), json_string(second)};
    out["time"] = json::array{json_string(harness::to_text(plan.time[0])),
                              json_string(harness::to_text(plan.time[1]))};
    out["same"] = json_word(harness::name_of(harness::sameness_of(view.run, plan)));
    out["planned"] = plan.pairs;
    out["duplicates"] = tally.duplicates();
    out["after_stop"] = tally.after_stop();
    out["waiting"] = tally.waiting();
    out["score"] = json_number(figures.strength.score);
    out["post"] = after_stop_json(tally);
    out["estimate"] = json_string(name_of(estimates.quoted.kind));
    out["other_estimates"] = other_estimates_json(estimates);
    out["left"] = left_json(view, tally);
    const auto failures = tally.all_failures();
    out["failures"] = json::array{json_failures(failures[0]), json_failures(failures[1])};
    out["failed_games"] = failed_games(view, match.failed);
    out["pv_findings"] = pv_findings(view, tally);
    out["pentanomial_without_failures"] = json_counts(tally.without_failures());
    out["checks"] = checks_json(tally, view.run);
    out["machines"] = machines_json(machine_rows(tally, view.run));
    out["slot_hours"] = slot_hours_json(tally, view.run);
    out["late"] = tally.late();
    out["book_exhausted"] = tally.is_book_exhausted();
    out["out_of_time"] = tally.is_out_of_time();
}

/// Commit, build and benchmark of a program from git.
void add_origin(json::object& program, const harness::VersionRecord& version) {
    if (version.source) {
        const harness::SourceRecord& source = *version.source;
        program["source"] = json::object{
            {"repo", json_string(source.repo)},       {"ref", json_string(source.ref)},
            {"commit", json_string(source.commit)},   {"tree", json_string(source.tree)},
            {"subject", json_string(source.subject)}, {"date", source.committed_us / 1'000'000}};
    }
    if (version.build) {
        const harness::BuildRecord& build = *version.build;
        program["build"] = json::object{{"compiler", json_string(build.compiler)},
                                        {"cached", build.was_cached},
                                        {"seconds", json_number(build.seconds)},
                                        {"log", json_string(build.log)},
                                        {"failure", json_string(build.failure)}};
    }
    if (version.bench) {
        const harness::BenchRecord& bench = *version.bench;
        const auto value = [](const auto& number) {
            return number ? json::value(*number) : json::value(nullptr);
        };
        program["bench"] = json::object{{"nodes", value(bench.nodes)},
                                        {"nps", value(bench.nodes_per_second)},
                                        {"declared", value(bench.declared)}};
    }
}

json::array programs(const harness::RunRecord& run) {
    json::array out;
    for (std::size_t i = 0; i < run.plan.programs.size(); ++i) {
        const harness::ProgramPlan& plan = run.plan.programs[i];
        json::object program{{"name", json_string(plan.name)}};
        if (i < run.versions.size()) {
            const harness::VersionRecord& version = run.versions[i];
            program["path"] = json_string(version.path);
            program["sha256"] = json_string(version.sha256);
            program["id_name"] = json_string(version.id_name);
            program["id_author"] = json_string(version.id_author);
            add_origin(program, version);
        }
        json::object options;
        for (const auto& [key, value] : plan.options)
            options[json_string(key).as_string()] = json_string(without_credentials(value));
        program["options"] = std::move(options);
        out.push_back(std::move(program));
    }
    return out;
}

json::object machine(const harness::MachineRecord& machine) {
    return {{"host", json_string(machine.host)},        {"cpu", json_string(machine.cpu)},
            {"kernel", json_string(machine.kernel)},    {"logical_cores", machine.logical_cores},
            {"physical_cores", machine.physical_cores}, {"memory_bytes", machine.memory_bytes}};
}

/// Of the first `count` matches.
json::array books(const harness::RunRecord& run, std::size_t count) {
    json::array out;
    for (std::size_t i = 0; i < std::min(count, run.plan.matches.size()); ++i) {
        const std::string hash = run.book_hash(i);
        out.push_back({{"book", json_string(run.plan.matches[i].openings.book)},
                       {"sha256", json_string(hash)}});
    }
    return out;
}

json::array speeds(const harness::RunFindings& findings) {
    json::array out;
    for (const harness::SpeedFinding& speed : findings.speed) {
        out.push_back(
            json::object{{"match", speed.match + 1},
                         {"percent", json_number(speed.percent)},
                         {"interval", json::array{json_number(speed.low), json_number(speed.high)}},
                         {"limit", json_number(speed.limit)},
                         {"runs", speed.pairs},
                         {"seconds", json_number(speed.seconds)},
                         {"nps", json::array{json_number(speed.nodes_per_second[0]),
                                             json_number(speed.nodes_per_second[1])}},
                         {"state", json_string(harness::name_of(speed.state))}});
    }
    return out;
}

json::array holm_json(const RunView& view) {
    json::array holm;
    for (const ListedTest& test : holm_of(view)) {
        holm.push_back({{"match", test.match},
                        {"p_value", json_number(test.p_value)},
                        {"adjusted", json_number(test.adjusted)},
                        {"holds", test.holds}});
    }
    return holm;
}

json::array matches_json(const RunView& view) {
    json::array matches;
    for (const MatchView& match : view.matches) {
        json::object one{{"name", json_string(match.tally->plan().name)}};
        add_match(one, view, match);
        matches.push_back(std::move(one));
    }
    return matches;
}

/// The verdict and its figures: those of the match that decides; a tournament has its own.
void add_result(json::object& out, const RunView& view) {
    const TournamentView* const tournament = view.tournament;
    if (view.matches.empty() || tournament != nullptr) {
        out["verdict"] = nullptr;
        out["tainted"] = false;
        out["games"] = tournament == nullptr ? 0 : tournament->games();
        out["pairs"] = tournament == nullptr ? 0 : tournament->pairs;
        out["deciding_match"] = nullptr;
        if (tournament != nullptr) out["tournament"] = tournament_json(*tournament);
    } else {
        const MatchView* const deciding = deciding_match(view);
        const MatchView& shown = deciding == nullptr ? view.matches.front() : *deciding;
        add_match(out, view, shown);
        out["deciding_match"] = (&shown - view.matches.data()) + 1;
    }
}

}  // namespace

std::string run_json(const RunView& view) {
    const harness::RunRecord& run = view.run;
    json::object out{{"schema", 1},
                     {"run", run.id},
                     {"uid", json_string(run.uid)},
                     {"shard", json_word(run.shard ? text_of(*run.shard) : "")}};
    const TournamentView* const tournament = view.tournament;
    add_result(out, view);
    out["expectations"] = expectations_json(view);
    out["suite"] = suite_json(view);
    out["name"] = json_string(run.name);
    out["state"] = json_string(harness::name_of(run.state));
    out["end_reason"] = json_string(run.end_reason);
    out["seed"] = run.plan.seed ? json::value(*run.plan.seed) : json::value(nullptr);
    out["plan_hash"] = json_string(run.plan_hash);
    out["programs"] = programs(run);
    out["books"] = books(run, tournament != nullptr ? 1 : run.plan.matches.size());
    out["machine"] = machine(run.machine);
    out["assay"] = json_string(run.assay_version);
    out["started"] = run.started_us / 1'000'000;
    out["ended"] = run.ended_us > 0 ? json::value(run.ended_us / 1'000'000) : nullptr;
    out["warnings"] = json_strings(view.warnings);
    out["broken_requirements"] = json_strings(broken_requirements(view));
    out["open_requirements"] = json_strings(open_requirements(view));
    const harness::Outcome outcome = outcome_of(view);
    out["outcome"] = json_word(harness::name_of(outcome.word));
    out["outcome_reason"] = json_word(harness::name_of(outcome.reason));
    out["exit_code"] = view.exit_code ? json::value(*view.exit_code) : json::value(nullptr);
    if (!run.findings.unchanged.empty())
        out["skipped"] = json_string("no change: " + run.findings.unchanged);
    out["speed"] = speeds(run.findings);
    out["control"] =
        run.findings.control.empty() ? json::value(nullptr) : json_string(run.findings.control);
    out["drift"] = json_strings(run.findings.drift);
    if (json::array holm = holm_json(view); !holm.empty()) out["holm"] = std::move(holm);
    if (view.matches.size() > 1 && tournament == nullptr) out["matches"] = matches_json(view);
    return json_text(out) + "\n";
}

std::string skipped_json(const std::string& reason) {
    return json_text(json::object{{"schema", 1},
                                  {"run", nullptr},
                                  {"verdict", nullptr},
                                  {"skipped", json_string(reason)}}) +
           "\n";
}

}  // namespace assay::reports
