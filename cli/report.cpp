#include <cstdio>

#include "base/diagnostic.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/play.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/run_json.h"
#include "reports/summary.h"
#include "reports/terminal.h"
#include "reports/web/run_page.h"

namespace assay::cli {

namespace {

constexpr const char* kExamples = R"(examples:
  assay report                          the latest run
  assay report 12 --format html -o report.html
  assay report 12 --format pgn -o games.pgn
  assay report nightly --format markdown)";

struct ReportFlags {
    std::string run;
    std::string format = "text";
    std::string output;
    std::string store = "assay.db";
};

std::string rendered(const ReportFlags& flags, const StoredRun& stored) {
    const reports::RunView view = stored.view();
    if (flags.format == "json") return reports::run_json(view);
    if (flags.format == "markdown") return reports::markdown_report(view);
    if (flags.format == "junit") return reports::junit_report(view);
    if (flags.format == "html") return reports::web::run_page(view, stored.store());
    const bool colour = flags.output.empty() && reports::terminal_style(1).has_colour;
    return reports::run_summary(view, colour);
}

void print(const ReportFlags& flags) {
    const auto stored = StoredRun::load(flags.store, flags.run);
    const std::string target = flags.output.empty() ? "-" : flags.output;
    if (flags.format == "pgn") {
        print_games(*stored, target, GameFormat::Pgn);
    } else if (flags.format == "csv") {
        print_games(*stored, target, GameFormat::Csv);
    } else if (flags.output.empty()) {
        std::fputs(rendered(flags, *stored).c_str(), stdout);
    } else {
        write_file(flags.output, rendered(flags, *stored));
    }
}

}  // namespace

void add_report(CLI::App& app, Exit&) {
    const auto flags = std::make_shared<ReportFlags>();
    CLI::App* const command = app.add_subcommand("report", "print a stored run again");
    command->add_option("run", flags->run, "a number, 'latest', or a config's name")
        ->type_name("RUN");
    command->add_option("--format", flags->format, "what to print")
        ->check(CLI::IsMember({"text", "html", "markdown", "junit", "json", "pgn", "csv"}))
        ->capture_default_str();
    command->add_option("-o,--output", flags->output, "a file instead of standard output")
        ->type_name("FILE");
    command->add_option("--db", flags->store, "the store")
        ->type_name("FILE")
        ->capture_default_str();
    command->footer(kExamples);
    command->callback([flags] { print(*flags); });
}

}  // namespace assay::cli
