#include <cstdio>
#include <exception>

#include "base/diagnostic.h"
#include "cli/commands.h"

int main(int argc, char** argv) {
    CLI::App app("assay tests game-playing programs: paired matches with a verdict.", "assay");
    app.set_version_flag("--version", "assay " ASSAY_VERSION);
    app.require_subcommand(1);
    assay::cli::Exit exit;
    assay::cli::add_run(app, exit);
    assay::cli::add_gate(app, exit);
    assay::cli::add_report(app, exit);
    assay::cli::add_book(app, exit);
    assay::cli::add_check(app, exit);
    assay::cli::add_doctor(app, exit);
    assay::cli::add_help_page(app, exit);
    assay::cli::add_init(app, exit);
    assay::cli::add_replay(app, exit);
    assay::cli::add_rules(app, exit);
    assay::cli::add_runs(app, exit);
    assay::cli::add_stats(app, exit);
    try {
        app.parse(argc, argv);
        return exit.code;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const assay::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return error.exit_code();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "assay: internal error: %s\n", error.what());
        return 4;
    }
}
