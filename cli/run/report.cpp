#include <cstdio>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/packing.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/target.h"
#include "cli/frame/values.h"
#include "cli/run/play.h"
#include "reports/files/badge.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/files/tournament_files.h"
#include "reports/history/history.h"
#include "reports/text/history_text.h"
#include "reports/text/markdown.h"
#include "reports/text/summary.h"
#include "reports/text/terminal.h"
#include "reports/web/history_page.h"
#include "reports/web/run_page.h"

namespace assay::cli {

namespace {

constexpr const char* kReportExamples = R"(examples:
  assay report                          the latest run
  assay report 12 --format html -o report.html
  assay report 12 --format pgn -o games.pgn
  assay report nightly --format markdown
  assay report cup --format standings -o table.csv
  assay report nightly --history --format html -o history.html --with-runs)";

constexpr std::size_t kRunPages = 60;

struct ReportFlags {
    std::string run;
    std::string format = "text";
    std::string output;
    std::string store = "assay.db";
    bool history = false;
    bool with_runs = false;
};

std::string rendered(const ReportFlags& flags, const reports::StoredRun& stored) {
    const reports::RunView view = stored.view();
    if (flags.format == "json") return reports::run_json(view);
    if (flags.format == "markdown") return reports::markdown_report(view);
    if (flags.format == "junit") return reports::junit_report(view);
    if (flags.format == "html") return reports::web::run_page(view, stored.store());
    if (flags.format == "standings") {
        if (view.tournament == nullptr)
            throw Error(
                fmt::format("report: run {} is no tournament: it has no standings", view.run.id),
                2);
        return reports::tournament_csv(*view.tournament);
    }
    if (flags.format == "badge") return reports::badge_json(view);
    if (flags.format == "openmetrics") return reports::open_metrics(view);
    const reports::TerminalStyle style = reports::terminal_style(1);
    const bool colour = flags.output.empty() && style.has_colour;
    const int width = flags.output.empty() && style.width ? style.width() : 0;
    return reports::run_summary(view, colour, width);
}

void put(const ReportFlags& flags, const std::string& text) {
    if (flags.output.empty()) {
        (void)std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
        write_file(flags.output, pack(text, packing_of_name(flags.output)));
    }
}

/// The files that a run has read or written, as far as they are known.
std::vector<std::string> files_of(const harness::RunRecord& run) {
    std::vector<std::string> files;
    for (const std::string_view word : split_words(run.command_line)) files.emplace_back(word);
    for (const harness::VersionRecord& version : run.versions) {
        files.push_back(version.path);
        for (const auto& [path, hash] : version.files) files.push_back(path);
    }
    for (const harness::MatchPlan& match : run.plan.matches) files.push_back(match.openings.book);
    std::erase(files, "");
    return files;
}

void check_output(const ReportFlags& flags, std::vector<std::string> inputs) {
    inputs.push_back(flags.store);
    check_target(flags.output, inputs);
}

std::string run_file(std::int64_t run) {
    return fmt::format("run-{}.html", run);
}

/// Writes the pages of the latest runs next to the history's page; returns these runs.
std::set<std::int64_t> write_run_pages(const ReportFlags& flags, const reports::History& history) {
    std::set<std::int64_t> written;
    const std::filesystem::path folder = std::filesystem::path(flags.output).parent_path();
    for (std::size_t i = history.nights.size(); i-- > 0 && written.size() < kRunPages;) {
        const std::int64_t run = history.nights[i].run;
        if (run == 0) continue;
        const auto stored = reports::StoredRun::load(flags.store, fmt::format("{}", run));
        const std::string file = (folder / run_file(run)).string();
        check_target(file);
        write_file(file, reports::web::run_page(stored->view(), stored->store()));
        written.insert(run);
    }
    return written;
}

void print_history(const ReportFlags& flags) {
    if (flags.with_runs && (flags.format != "html" || flags.output.empty()))
        throw Error("report: --with-runs needs --format html and -o FILE", 2);
    check_output(flags, {});
    const harness::Store store(flags.store, harness::Store::Access::Read);
    const reports::History history = reports::history_of(store, flags.run);
    if (flags.format == "html") {
        const std::set<std::int64_t> pages =
            flags.with_runs ? write_run_pages(flags, history) : std::set<std::int64_t>();
        put(flags, reports::web::history_page(history, {flags.store, [&pages](std::int64_t run) {
                                                            return pages.contains(run)
                                                                       ? run_file(run)
                                                                       : std::string();
                                                        }}));
    } else if (flags.format == "json") {
        put(flags, reports::history_json(history));
    } else if (flags.format == "csv") {
        put(flags, reports::history_csv(history));
    } else if (flags.format == "markdown") {
        put(flags, reports::history_markdown(history));
    } else if (flags.format == "text") {
        put(flags, reports::history_text(history));
    } else if (flags.format == "benchmark") {
        put(flags, reports::history_benchmark(history));
    } else {
        throw Error("report: a history can be text, html, json, csv, markdown or benchmark, not " +
                        flags.format,
                    2);
    }
}

void print(const ReportFlags& flags) {
    if (flags.history) {
        print_history(flags);
        return;
    }
    if (flags.format == "benchmark")
        throw Error("report: 'benchmark' is a format of the history: add --history", 2);
    const auto stored = reports::StoredRun::load(flags.store, flags.run);
    check_output(flags, files_of(stored->view().run));
    const std::string target = flags.output.empty() ? "-" : flags.output;
    if (flags.format == "pgn") {
        print_games(*stored, target, reports::GameFormat::Pgn);
    } else if (flags.format == "csv") {
        print_games(*stored, target, reports::GameFormat::Csv);
    } else {
        put(flags, rendered(flags, *stored));
    }
}

}  // namespace

void add_report(Command& app, Exit&) {
    const auto flags = std::make_shared<ReportFlags>();
    Command* const command = app.add_subcommand("report", "print a stored run in any format");
    command->add_option("run", flags->run, "a number, 'latest', or a config's name")
        ->type_name("RUN");
    command->add_option("--format", flags->format, "output format")
        ->transform(one_of({"text", "html", "markdown", "junit", "json", "pgn", "csv", "badge",
                            "openmetrics", "standings", "benchmark"}))
        ->capture_default_str();
    command->add_option("-o,--output", flags->output, "write to FILE instead of standard output")
        ->type_name("FILE");
    command->add_option("--db", flags->store, "the store")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_flag("--history", flags->history,
                      "all runs of that config: text, html, json, csv, markdown, benchmark");
    command->add_flag("--with-runs", flags->with_runs,
                      "with a history's page, also write those of its latest 60 runs");
    command->footer(kReportExamples);
    command->callback([flags] { print(*flags); });
}

}  // namespace assay::cli
