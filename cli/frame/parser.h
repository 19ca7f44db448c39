#pragma once
#include <string>
#include <vector>

#include "cli/frame/command.h"

namespace assay::cli {

/// Parses the words after "assay": sets the variable of every flag and word, and runs the action of
/// the last command named. With --help or --version it prints that and runs nothing. Throws Error,
/// with one line of advice, where the words are refused. Call it once for each `app`.
void run_command_line(Command& app, const std::vector<std::string>& words);

}  // namespace assay::cli
