#pragma once
#include <string>

#include "cli/frame/command.h"

namespace assay::cli {

/// What main() and a subcommand tell each other.
struct Exit {
    int code = 0;
    std::string command_line;  // as it was typed, words with blanks quoted
};

/// Each adds one subcommand, from the source of the same name. `app` and `exit` outlive the call.
void add_bisect(Command& app, Exit& exit);
void add_fleet(Command& app, Exit& exit);
void add_gate(Command& app, Exit& exit);
void add_query(Command& app, Exit& exit);
void add_report(Command& app, Exit& exit);
void add_book(Command& app, Exit& exit);
void add_check(Command& app, Exit& exit);
void add_doctor(Command& app, Exit& exit);
void add_help_page(Command& app, Exit& exit);
void add_init(Command& app, Exit& exit);
void add_match(Command& app, Exit& exit);
void add_merge(Command& app, Exit& exit);
void add_replay(Command& app, Exit& exit);
void add_rules(Command& app, Exit& exit);
void add_runs(Command& app, Exit& exit);
void add_serve(Command& app, Exit& exit);
void add_run(Command& app, Exit& exit);
void add_stats(Command& app, Exit& exit);
void add_suite(Command& app, Exit& exit);
void add_tree(Command& app, Exit& exit);
void add_work(Command& app, Exit& exit);

}  // namespace assay::cli
