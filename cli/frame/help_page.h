#pragma once
#include <string>

#include <CLI/CLI.hpp>

namespace assay::cli {

/// The same source as --help in other forms: each walks `app` with all its subcommands. Hidden
/// ones (an empty group) are left out.

/// A manual page, assay(1), in the man macros of troff.
[[nodiscard]] std::string man_page(const CLI::App& app, const std::string& version);

/// Completion of subcommands, flags, fixed values and files.
[[nodiscard]] std::string bash_completion(const CLI::App& app);
[[nodiscard]] std::string zsh_completion(const CLI::App& app);
[[nodiscard]] std::string fish_completion(const CLI::App& app);
/// All commands with their flags and words, one JSON array on a line: for tests and other tools.
[[nodiscard]] std::string commands_json(const CLI::App& app);

}  // namespace assay::cli
