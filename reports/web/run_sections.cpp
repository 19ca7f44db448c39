// The sections of a run's page about suites, diagnostics, warnings and reproduction.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/credentials.h"
#include "base/text.h"
#include "harness/plan/protocol_fit.h"
#include "harness/run/same_programs.h"
#include "reports/plot/scale.h"
#include "reports/text/solved_text.h"
#include "reports/text/suite_text.h"
#include "reports/view/assumption_checks.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "reports/web/run_parts.h"
#include "reports/web/suite_boards.h"

namespace assay::reports::web {

namespace {

constexpr std::size_t kMostWarnings = 12;

using plot::number_text;

/// A node that breaks an expectation: a link to the board, its moves and position, and its picture
/// for readers without scripts.
Values node_values(const NodeBoard& board, bool has_picture) {
    Values node;
    node.set("id", board.id).set("text", board.text).set("path", board.path);
    node.set("position", board.position);
    node.show("moved", !board.path.empty());
    node.show("open", board.packed.columns > 0);
    node.show("plain", board.packed.columns == 0);
    const bool is_drawn = has_picture && board.packed.columns > 0;
    node.show("drawn", is_drawn);
    if (is_drawn)
        node.lists["drawn"][0].set(
            "picture",
            board_picture(board.packed, board.packed.changes.size(), "Board of " + board.text));
    if (board.packed.columns > 0) node.lists["open"][0].set("id", board.id).set("text", board.text);
    return node;
}

/// `number`: of the expectation in the suite, from 1.
Values expectation_row(const RunView& view, const harness::ExpectationResult& one,
                       std::size_t number) {
    const harness::SuitePlan& suite = *view.run.plan.suite;
    const Mark mark = mark_of(one.holds);
    const bool has_figures = one.counted > 0;
    Values row;
    row.set("name", expectation_name(view, one)).set("query", expectation_query(view, one));
    row.set("before", has_figures && suite.has_baseline() ? total_text(one, one.before) : "");
    row.set("after", has_figures ? total_text(one, one.after) : "");
    row.set("change", plot::with_minus(change_text(one)));
    const std::string solved = solved_by_text(view, one);
    row.set("by_position", solved.empty() ? direction_text(one) : solved);
    row.set("must", plot::with_minus(bound_text(suite.expectations[one.expectation])));
    row.set("css", mark.css).set("word", mark.word);
    row.lists["examples"] = {};
    // One that holds has a reason where its figures alone would say that it does not.
    if (one.reason.empty() || one.holds == harness::Holds::Report) return row;
    Values example;
    example.set("text", plot::with_minus(printable_utf8(one.reason)));
    example.lists["shown"] = {};
    example.lists["nodes"] = {};
    for (const NodeBoard& board : node_boards(view, one, number))
        example.lists["nodes"].push_back(node_values(board, example.lists["nodes"].empty()));
    if (one.holds == harness::Holds::No && !one.shown.empty() &&
        one.measure == harness::SuiteMeasure::Query)
        example.lists["shown"].emplace_back().set_command(
            "command", query_command(view, one, one.shown.front()));
    row.lists["examples"].push_back(example);
    return row;
}

/// Those of every report, and the speed's.
std::vector<Check> page_checks(const MatchPage& match, const harness::RunRecord& run) {
    std::vector<Check> checks = checks_of(match.tally(), run);
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

void add_command(Values& page, const std::string& command, std::string note) {
    std::vector<Values>& commands = page.lists["commands"];
    Values one;
    one.set("i", fmt::format("{}", commands.size() + 1)).set_command("command", command);
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
                                without_credentials(plan.options[k].second));
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

/// Whether the command names its seed, as a flag or by --set.
bool has_seed(const std::string& command) {
    return std::ranges::any_of(split_words(command), [](std::string_view word) {
        return word == "--seed" || word.starts_with("--seed=") || word.starts_with("seed=") ||
               word.starts_with("--set=seed=");
    });
}

/// Sets that pin each program to the commit that was built, where its ref may name another one by
/// now. A tree with changes is in no commit.
std::string pinned_refs(const harness::RunRecord& run) {
    std::string flags;
    for (std::size_t i = 0; i < std::min(run.versions.size(), run.plan.programs.size()); ++i) {
        const harness::ProgramPlan& plan = run.plan.programs[i];
        const auto& source = run.versions[i].source;
        if (!plan.git || !source || source->commit.empty() || plan.git->ref == source->commit)
            continue;
        const bool has_dots = plan.name.find('.') != std::string::npos;
        flags += " --set " + shell_word(printable_utf8(fmt::format(
                                 "programs.{}.git.ref={}",
                                 has_dots ? '"' + plan.name + '"' : plan.name, source->commit)));
    }
    return flags;
}

bool has_changed_tree(const harness::RunRecord& run) {
    return std::ranges::any_of(run.versions, [](const harness::VersionRecord& version) {
        return version.source && !version.source->tree.empty();
    });
}

/// The command that plays the same openings in the same order again.
std::string again_command(const harness::RunRecord& run) {
    std::string command = printable_utf8(run.command_line);
    if (command.empty()) command = fmt::format("assay run {}.yaml", printable_utf8(run.name));
    const std::size_t resume = command.find(" --resume");
    if (resume != std::string::npos) command.erase(resume, 9);
    if (run.plan.seed && !has_seed(command)) command += fmt::format(" --seed {}", *run.plan.seed);
    return command + pinned_refs(run);
}

/// The time of all programs, or that of each where they differ.
void add_tournament_times(Values& page, const harness::RunRecord& run) {
    const std::vector<harness::TimeControl>& times = run.plan.tournament->time;
    const bool is_one = std::ranges::all_of(
        times, [&times](const harness::TimeControl& time) { return time == times.front(); });
    if (is_one) {
        add_fact(page, "time", harness::to_text(times.front()));
        return;
    }
    for (std::size_t i = 0; i < times.size(); ++i)
        add_fact(page, "time of " + printable_utf8(run.plan.programs.at(i).name),
                 harness::to_text(times[i]));
}

}  // namespace

void add_suite(Values& page, const RunView& view) {
    page.lists["suites"] = {};
    if (view.suite == nullptr) return;
    const harness::SuitePlan& suite = *view.run.plan.suite;
    Values values;
    const std::size_t judged = suite.programs.size() - (suite.has_baseline() ? 1 : 0);
    values.set("first", judged == 1 ? suite_program(view, 0) : "build");
    values.set("second", suite.has_baseline() ? suite_program(view, judged) : "");
    // Failed expectations come first.
    for (const bool fails : {true, false}) {
        for (std::size_t i = 0; i < view.suite->expectations.size(); ++i) {
            const harness::ExpectationResult& one = view.suite->expectations[i];
            if ((one.holds == harness::Holds::No) == fails)
                values.lists["expectations"].push_back(expectation_row(view, one, i + 1));
        }
    }
    std::string sentence = suite_sentence(view);
    sentence = sentence.substr(0, sentence.find(": "));
    values.set("title", fmt::format("Suite {}{}{}", suite_name(view), sentence.empty() ? "" : ": ",
                                    sentence));
    values.set("caption", suite_caption(view) + (view.suite->is_whole()
                                                     ? std::string(".")
                                                     : fmt::format(", {} of {} searches are done.",
                                                                   view.suite->searches.size(),
                                                                   view.suite->planned)));
    add_solved(values, view);
    page.lists["suites"].push_back(values);
}

void add_diagnostics(Values& page, const std::vector<MatchPage>& matches,
                     const harness::RunRecord& run) {
    int alarms = 0;
    for (const MatchPage& match : matches) {
        for (const Check& check : page_checks(match, run)) {
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

void add_machines(Values& page, const std::vector<MatchPage>& matches,
                  const harness::RunRecord& run) {
    for (const MatchPage& match : matches) {
        const std::vector<MachineRow> rows =
            shown_machines(machine_rows(match.tally(), run), kMostMachines);
        const std::string hours = slot_hours_text(match.tally(), run);
        if (rows.empty() && hours.empty()) continue;
        Values table;
        table.set("hours", hours).show("has_hours", !hours.empty()).show("has_rows", !rows.empty());
        table.set("title", matches.size() > 1 ? fmt::format("{}: machines", match.index + 1)
                                              : std::string("Machines"));
        const auto cells = machine_cells(rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::vector<std::string>& cell = cells[i + 1];
            Values row;
            row.set("name", rows[i].name).set("cpu", rows[i].cpu);
            row.set("pairs", cell[1])
                .set("games", cell[2])
                .set("nps", cell[3])
                .set("factor", cell[4]);
            row.set("time_losses", cell[5]).set("crashes", cell[6]);
            row.set("late", cell[7]).set("lost", cell[8]);
            const std::string remarks = rows[i].remarks();
            row.set("trouble", plot::with_minus(remarks)).show("unlike", rows[i].is_unlike());
            row.show("has_trouble", !remarks.empty());
            table.lists["rows"].push_back(row);
        }
        page.lists["machines"].push_back(table);
    }
}

/// How far a run of the same plan has the same games, behind a sentence without its full stop.
std::string_view what_differs(const harness::RunPlan& plan) {
    const auto has_time = [](const harness::TimeControl& time) { return !time.is_deterministic(); };
    if (std::ranges::any_of(plan.matches, [&](const harness::MatchPlan& match) {
            return std::ranges::any_of(match.time, has_time);
        }))
        return "; clocks make single games differ";
    const bool has_threads =
        std::ranges::any_of(plan.matches, [&](const harness::MatchPlan& match) {
            return std::ranges::any_of(match.between, [&](std::size_t program) {
                return !harness::is_single_threaded(plan.programs.at(program));
            });
        });
    return has_threads ? "; programs of several threads make single games differ"
                       : ", and the same games";
}

void add_environment(Values& page, const RunView& view) {
    const harness::RunRecord& run = view.run;
    const bool has_matches = !view.matches.empty();
    if (!has_matches) {
        page.set("again_caption", "The same positions, limits and queries.");
    } else {
        page.set("again_caption",
                 fmt::format("The same openings in the same order{}.", what_differs(run.plan)));
    }
    if (has_changed_tree(run))
        page.text["again_caption"] +=
            " The files that were changed since the commit are not stored.";
    add_command(page, again_command(run), !has_matches ? "searches it again" : "plays it again");
    if (run.state == harness::RunState::Interrupted || run.state == harness::RunState::Failed)
        add_command(page, resume_command(run), "continues it");
    if (has_matches)
        add_command(page,
                    fmt::format("assay report {} --format pgn -o games.pgn{}", run.id,
                                store_flag(view.store_path)),
                    "all games with scores and clocks");
    add_fact(page, "machine", machine_text(run.machine));
    add_fact(page, "kernel", run.machine.kernel);
    add_programs(page, run);
    // The matches of a tournament share all of it but the times.
    const std::size_t shown = view.tournament != nullptr ? 1 : run.plan.matches.size();
    for (std::size_t index = 0; index < shown && has_matches; ++index) {
        const harness::MatchPlan& plan = run.plan.matches[index];
        const std::string hash = run.book_hash(index);
        const std::string lead = shown > 1 ? fmt::format("{} ", index + 1) : "";
        add_fact(page, lead + "game", printable_utf8(harness::game_text(plan.game)));
        if (view.tournament != nullptr) {
            add_tournament_times(page, run);
        } else {
            add_fact(page, lead + "time", time_text(run, plan));
        }
        if (const std::string same = harness::sameness_text(run, plan); !same.empty())
            add_fact(page, lead + "programs", same);
        add_fact(page, lead + "book",
                 words_of(plan.openings) + (hash.empty() ? "" : " · sha256 " + short_hash(hash)));
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
    if (view.tournament != nullptr)
        sentences.insert(sentences.end(), view.tournament->warnings.begin(),
                         view.tournament->warnings.end());
    if (!view.run.findings.control.empty()) sentences.push_back(view.run.findings.control);
    sentences.insert(sentences.end(), view.run.findings.drift.begin(),
                     view.run.findings.drift.end());
    for (const std::string& sentence : sentences) {
        Values one;
        one.set("text", plot::with_minus(sentence));
        one.lists["commands"] = {};
        warnings.push_back(one);
    }
    bool is_whole = true;
    for (const MatchView& match : view.matches) {
        for (const FailedGame& game : match.failed) {
            is_whole = warnings.size() < kMostWarnings;
            if (!is_whole) break;
            Values one;
            const std::string what =
                game.reason.empty()
                    ? fmt::format("{}: {}", game.program, harness::words_of(game.termination))
                    : game.reason;
            one.set("text",
                    fmt::format("Game {}, ply {}: {}", grouped(game.number), game.ply, what));
            Values command;
            command.set_command("command", replay_command(view.run, game, view.store_path));
            one.lists["commands"].push_back(command);
            warnings.push_back(one);
        }
    }
    if (warnings.empty()) return;
    Values section;
    const std::string count = grouped(static_cast<std::int64_t>(warnings.size()), "warning");
    section.set("title", is_whole ? count : "The first " + count);
    section.lists["warnings"] = warnings;
    page.lists["warned"] = {section};
}

}  // namespace assay::reports::web
