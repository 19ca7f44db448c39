#pragma once
#include <string>
#include <vector>

#include "cli/frame/command.h"

namespace assay::cli {

/// Takes the words behind "assay": hands every flag and word to its variable and runs the action of
/// the last command named. Where help or the version is asked for, prints that and runs nothing.
/// Throws Error, with one line of advice, where the words cannot be taken. `app` serves one call.
void run_command_line(Command& app, const std::vector<std::string>& words);

}  // namespace assay::cli
