// Suites, diagnostics, warnings, and how to play a run again.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/checks.h"
#include "reports/plot/scale.h"
#include "reports/verdict.h"
#include "reports/web/run_parts.h"
#include "reports/words.h"

namespace assay::reports::web {

namespace {

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

/// Those of every report, and the speed's.
std::vector<Check> page_checks(const MatchPage& match) {
    std::vector<Check> checks = checks_of(match.tally());
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
        for (const Check& check : page_checks(match)) {
            Values row;
            row.set("name", matches.size() > 1 ? fmt::format("{}: {}", match.index + 1, check.name)
                                               : check.name);
            row.set("value", plot::with_minus(check.value)).set("limit", check.limit);
            row.set("reading", plot::with_minus(check.reading)).show("alarm", check.is_alarm);
            page.lists["diagnostics"].push_back(row);
            alarms += check.is_alarm ? 1 : 0;
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
