// Suites, diagnostics, warnings, and how to play a run again.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/plot/scale.h"
#include "reports/verdict.h"
#include "reports/web/run_parts.h"
#include "reports/words.h"

namespace assay::reports::web {

namespace {

using harness::MatchTally;
using plot::number_text;

Values expectation_row(const ExpectationView& one) {
    Mark mark{"inc", "– reported"};
    if (one.result == ExpectationView::Result::Holds) mark = {"acc", "▲ holds"};
    if (one.result == ExpectationView::Result::Fails) mark = {"rej", "▼ fails"};
    Values row;
    row.set("name", one.name).set("query", one.query).set("before", one.before);
    row.set("after", one.after).set("change", plot::with_minus(one.change));
    row.set("by_position", one.by_position).set("must", one.must);
    row.set("css", mark.css).set("word", mark.word);
    row.lists["examples"] = {};
    if (!one.example.empty()) {
        Values example;
        example.set("text", one.example).set("lines", one.lines).set("command", one.command);
        row.lists["examples"].push_back(example);
    }
    return row;
}

struct Check {
    std::string name;
    std::string value;
    std::string limit;
    std::string reading;
    bool alarm = false;
};

/// What pairing saves: the variance of pairs over that of their games taken apart.
std::optional<double> pair_correlation(const MatchTally& tally) {
    const auto n = static_cast<double>(tally.pairs());
    if (n < 2) return std::nullopt;
    double pair_sum = 0;
    double pair_squares = 0;
    double game_sum = 0;
    double game_squares = 0;
    for (int cell = 0; cell < 9; ++cell) {
        const auto count = static_cast<double>(tally.cells()[static_cast<std::size_t>(cell)]);
        const double first = cell / 3 / 2.0;
        const double second = cell % 3 / 2.0;
        pair_sum += count * (first + second);
        pair_squares += count * (first + second) * (first + second);
        game_sum += count * (first + second);
        game_squares += count * (first * first + second * second);
    }
    const double pair_variance = pair_squares / n - (pair_sum / n) * (pair_sum / n);
    const double mean = game_sum / (2 * n);
    const double game_variance = game_squares / (2 * n) - mean * mean;
    if (!(game_variance > 0)) return std::nullopt;
    return pair_variance / (2 * game_variance) - 1;
}

/// Correlation of neighbouring pairs' results, in schedule order.
std::optional<double> neighbour_correlation(const MatchPage& match) {
    std::vector<double> results;
    for (const harness::PairDigest& pair : match.pairs)
        if (pair.state == harness::PairState::Counted) results.push_back(pair.category());
    if (results.size() < 20) return std::nullopt;
    double mean = 0;
    for (const double one : results) mean += one / static_cast<double>(results.size());
    double variance = 0;
    double product = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        variance += (results[i] - mean) * (results[i] - mean);
        if (i > 0) product += (results[i] - mean) * (results[i - 1] - mean);
    }
    if (!(variance > 0)) return std::nullopt;
    return product / variance;
}

void add_correlations(std::vector<Check>& checks, const MatchPage& match) {
    if (const auto rho = pair_correlation(match.tally())) {
        checks.push_back({"correlation within pairs, ρ", number_text(*rho, 2, true), "–",
                          *rho < -0.005
                              ? fmt::format("pairing saves {:.0f} % of the games", -100 * *rho)
                              : "pairing saves nothing here"});
    }
    if (const auto lag = neighbour_correlation(match)) {
        const double limit = 3.3 / std::sqrt(static_cast<double>(match.tally().pairs()));
        const bool alarm = std::abs(*lag) > limit;
        checks.push_back({"neighbouring pairs, lag 1", number_text(*lag, 2, true),
                          fmt::format("{:.3f}", limit),
                          alarm ? "pairs depend on those before them" : "as independent", alarm});
    }
}

void add_counts(std::vector<Check>& checks, const MatchPage& match) {
    const MatchTally& tally = match.tally();
    const std::int64_t duplicates = tally.duplicates();
    checks.push_back({"duplicate pairs", grouped(duplicates), "–",
                      duplicates == 0
                          ? "none repeats an earlier one"
                          : fmt::format("{} distinct pairs are counted", grouped(tally.pairs()))});
    checks.push_back(
        {"pairs after the stop", grouped(tally.after_stop()), "–", "stored, not counted"});
    checks.push_back({"pairs voided", grouped(tally.voided()), "1 %",
                      tally.is_voided_too_often() ? "the machine is too busy: see assay doctor"
                      : tally.voided() == 0       ? "no loss on time was the harness’s"
                                                  : "replayed",
                      tally.is_voided_too_often()});
    checks.push_back({"taint", tally.is_tainted() ? "yes" : "none", "any",
                      tally.is_changed_by_failures() ? "failures would change the verdict"
                                                     : "all readings agree",
                      tally.is_tainted()});
}

std::vector<Check> checks_of(const MatchPage& match) {
    std::vector<Check> checks;
    add_correlations(checks, match);
    add_counts(checks, match);
    for (std::size_t program = 0; program < 2; ++program) {
        const auto drift = match.survey.speed_drift(program);
        if (!drift) continue;
        const bool alarm = std::abs(*drift) > 2;
        checks.push_back({fmt::format("drift of {}’s nodes/s", match.names[program]),
                          number_text(*drift, 1, true) + " %", "2 %",
                          alarm ? "its speed changed within the run" : "steady", alarm});
    }
    return checks;
}

void add_fact(Values& page, std::string name, std::string value) {
    if (value.empty()) return;
    Values fact;
    fact.set("name", std::move(name)).set("value", std::move(value));
    page.lists["environment"].push_back(fact);
}

void add_command(Values& page, std::string command, std::string note) {
    std::vector<Values>& commands = page.lists["commands"];
    Values one;
    one.set("i", fmt::format("{}", commands.size() + 1)).set("command", std::move(command));
    one.set("note", std::move(note));
    commands.push_back(one);
}

std::string short_hash(const std::string& hash) {
    if (hash.size() < 16) return hash;
    return hash.substr(0, 12) + "…";
}

void add_programs(Values& page, const harness::RunRecord& run) {
    for (std::size_t i = 0; i < run.plan.programs.size(); ++i) {
        const harness::ProgramPlan& plan = run.plan.programs[i];
        std::string text;
        if (i < run.versions.size()) {
            const harness::VersionRecord& version = run.versions[i];
            text = version.path;
            if (version.source)
                text = fmt::format("{} “{}” · {}", version.source->short_id(),
                                   version.source->subject, text);
            if (!version.id_name.empty()) text += " · " + version.id_name;
            if (version.build && !version.build->compiler.empty())
                text += " · " + version.build->compiler;
            if (version.bench && version.bench->nodes)
                text += " · bench " + grouped(static_cast<std::int64_t>(*version.bench->nodes));
            if (!version.sha256.empty()) text += " · sha256 " + short_hash(version.sha256);
        }
        for (std::size_t k = 0; k < plan.options.size(); ++k)
            text += fmt::format("{}{} {}", k == 0 ? " · " : ", ", plan.options[k].first,
                                plan.options[k].second);
        add_fact(page, plan.name, text);
    }
}

std::string machine_text(const harness::MachineRecord& machine) {
    std::string text = machine.host;
    if (!machine.cpu.empty()) text += " · " + machine.cpu;
    if (machine.logical_cores > 0)
        text +=
            fmt::format(" · {} cores ({} physical)", machine.logical_cores, machine.physical_cores);
    if (machine.memory_bytes > 0)
        text += fmt::format(" · {:.0f} GiB",
                            static_cast<double>(machine.memory_bytes) / (1024.0 * 1024 * 1024));
    return text;
}

/// The command that plays the same openings in the same order again.
std::string again_command(const harness::RunRecord& run) {
    std::string command = printable_utf8(run.command_line);
    if (command.empty()) command = fmt::format("assay run {}.yaml", printable_utf8(run.name));
    const std::size_t resume = command.find(" --resume");
    if (resume != std::string::npos) command.erase(resume, 9);
    if (run.plan.seed && command.find("seed") == std::string::npos)
        command += fmt::format(" --seed {}", *run.plan.seed);
    return command;
}

}  // namespace

void add_suites(Values& page, const RunView& view, const std::vector<MatchPage>& matches) {
    std::vector<Values>& suites = page.lists["suites"];
    for (const SuiteView& suite : view.suites) {
        std::size_t failed = 0;
        Values values;
        values.set("s", suites.empty() ? "" : fmt::format("-{}", suites.size() + 1));
        values.set("first", matches.empty() ? "head" : matches[0].names[0]);
        values.set("second", matches.empty() ? "base" : matches[0].names[1]);
        for (const bool want_failed : {true, false}) {
            for (const ExpectationView& one : suite.expectations) {
                const bool is_failed = one.result == ExpectationView::Result::Fails;
                if (is_failed != want_failed) continue;
                failed += is_failed ? 1 : 0;
                values.lists["expectations"].push_back(expectation_row(one));
            }
        }
        values.set("title", failed == 0 ? fmt::format("Suite {}: all {} expectations hold",
                                                      suite.name, suite.expectations.size())
                                        : fmt::format("Suite {}: {} of {} expectations fail{}",
                                                      suite.name, failed, suite.expectations.size(),
                                                      failed == 1 ? "s" : ""));
        values.set("caption", suite.caption);
        suites.push_back(values);
    }
}

void add_diagnostics(Values& page, const std::vector<MatchPage>& matches) {
    int alarms = 0;
    for (const MatchPage& match : matches) {
        for (const Check& check : checks_of(match)) {
            Values row;
            row.set("name", matches.size() > 1 ? fmt::format("{}: {}", match.index + 1, check.name)
                                               : check.name);
            row.set("value", check.value).set("limit", check.limit);
            row.set("reading", check.reading).show("alarm", check.alarm);
            page.lists["diagnostics"].push_back(row);
            alarms += check.alarm ? 1 : 0;
        }
    }
    page.set("diagnostics_title", alarms == 0   ? "Diagnostics: no alarm"
                                  : alarms == 1 ? "Diagnostics: one alarm"
                                                : fmt::format("Diagnostics: {} alarms", alarms));
}

void add_environment(Values& page, const RunView& view, const std::vector<MatchPage>& matches) {
    const harness::RunRecord& run = view.run;
    const bool is_deterministic = std::ranges::all_of(
        run.plan.matches, [](const harness::MatchPlan& plan) { return plan.deterministic; });
    page.set("again_caption", is_deterministic
                                  ? "The same openings in the same order, and the same games."
                                  : "The same openings in the same order; clocks make single games "
                                    "differ.");
    add_command(page, again_command(run), "plays it again");
    if (run.state == harness::RunState::Interrupted || run.state == harness::RunState::Failed)
        add_command(page, resume_command(run), "goes on with it");
    add_command(page, fmt::format("assay report {} --format pgn -o games.pgn", run.id),
                "all games with scores and clocks");
    add_fact(page, "machine", machine_text(run.machine));
    add_fact(page, "kernel", run.machine.kernel);
    add_programs(page, run);
    for (const MatchPage& match : matches) {
        const harness::MatchPlan& plan = match.tally().plan();
        const std::string hash =
            match.index < run.book_hashes.size() ? run.book_hashes[match.index] : "";
        const std::string lead = matches.size() > 1 ? fmt::format("{} ", match.index + 1) : "";
        add_fact(page, lead + "time", time_text(run, plan));
        add_fact(page, lead + "book",
                 plan.openings.book + (hash.empty() ? "" : " · sha256 " + short_hash(hash)));
    }
    add_fact(page, "seed", run.plan.seed ? fmt::format("{}", *run.plan.seed) : "");
    add_fact(page, "assay",
             fmt::format("{} · store {} · plan {}", run.assay_version, view.store_path,
                         short_hash(run.plan_hash)));
    if (!run.end_reason.empty()) add_fact(page, "ended", run.end_reason);
}

void add_warnings(Values& page, const RunView& view) {
    std::vector<Values> warnings;
    std::vector<std::string> sentences = view.warnings;
    if (!view.run.findings.control.empty()) sentences.push_back(view.run.findings.control);
    sentences.insert(sentences.end(), view.run.findings.drift.begin(),
                     view.run.findings.drift.end());
    for (const std::string& sentence : sentences) {
        Values one;
        one.set("text", sentence);
        one.lists["commands"] = {};
        warnings.push_back(one);
    }
    for (const MatchView& match : view.matches) {
        for (const FailedGame& game : match.failed) {
            if (warnings.size() >= 12) break;
            Values one;
            const std::string what =
                game.reason.empty()
                    ? fmt::format("{}: {}", game.program, harness::words_of(game.termination))
                    : game.reason;
            one.set("text",
                    fmt::format("Game {}, ply {}: {}", grouped(game.number), game.ply, what));
            Values command;
            command.set("command", replay_command(view.run, game, view.store_path));
            one.lists["commands"].push_back(command);
            warnings.push_back(one);
        }
    }
    if (warnings.empty()) return;
    Values section;
    section.set("title", counted(static_cast<std::int64_t>(warnings.size()), "warning"));
    section.lists["warnings"] = warnings;
    page.lists["warned"] = {section};
}

}  // namespace assay::reports::web
