#pragma once
#include <string>

#include "cli/frame/command.h"

namespace assay::cli {

/// --help of a command whose path is "assay rules perft": usage, flags by their groups, commands,
/// footer. Lines have at most 96 columns; footers are printed as they are.
[[nodiscard]] std::string help_text(const Command& command, const std::string& path);

}  // namespace assay::cli
