#pragma once
#include <string>

#include <CLI/CLI.hpp>

namespace assay::cli {

/// What a subcommand leaves for main(): the process's exit code (ARCHITECTURE: exit codes).
struct Exit {
    int code = 0;
    std::string command_line;  // as it was typed, words with blanks quoted
};

/// Each adds one subcommand with its help, examples and callback, in a file of its own name.
/// `app` and `exit` outlive the call.
void add_bisect(CLI::App& app, Exit& exit);
void add_gate(CLI::App& app, Exit& exit);
void add_query(CLI::App& app, Exit& exit);
void add_report(CLI::App& app, Exit& exit);
void add_book(CLI::App& app, Exit& exit);
void add_check(CLI::App& app, Exit& exit);
void add_doctor(CLI::App& app, Exit& exit);
void add_help_page(CLI::App& app, Exit& exit);
void add_init(CLI::App& app, Exit& exit);
void add_merge(CLI::App& app, Exit& exit);
void add_replay(CLI::App& app, Exit& exit);
void add_rules(CLI::App& app, Exit& exit);
void add_runs(CLI::App& app, Exit& exit);
void add_serve(CLI::App& app, Exit& exit);
void add_run(CLI::App& app, Exit& exit);
void add_stats(CLI::App& app, Exit& exit);
void add_tree(CLI::App& app, Exit& exit);

}  // namespace assay::cli
