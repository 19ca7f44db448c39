#pragma once
#include <string>

#include "cli/frame/command.h"

namespace assay::cli {

/// The same table as --help in other forms, of `app` with all commands below it that are shown.

/// A manual page, assay(1), in the man macros of troff.
[[nodiscard]] std::string man_page(const Command& app, const std::string& version);

/// Completion of subcommands, flags, fixed values and files.
[[nodiscard]] std::string bash_completion(const Command& app);
[[nodiscard]] std::string zsh_completion(const Command& app);
[[nodiscard]] std::string fish_completion(const Command& app);
/// All commands with their flags and words, one JSON array on a line: for tests and other tools.
[[nodiscard]] std::string commands_json(const Command& app);

}  // namespace assay::cli
