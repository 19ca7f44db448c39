#pragma once
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace assay::cli {

/// What help, completions, messages and tests ask of the commands and their flags.

/// A command with the words that lead to it, "rules perft".
struct Entry {
    std::string path;
    const CLI::App* app = nullptr;
};

/// All shown commands below `app`, each before those below it.
[[nodiscard]] std::vector<Entry> entries_of(const CLI::App& app);
[[nodiscard]] std::vector<const CLI::App*> shown_subcommands(const CLI::App& app);

/// Flags and words, in the order in which they were added; hidden ones are left out.
[[nodiscard]] std::vector<const CLI::Option*> options_of(const CLI::App& app);
/// A word of the command line that no flag stands before.
[[nodiscard]] bool is_positional(const CLI::Option& option);
[[nodiscard]] bool takes_value(const CLI::Option& option);
/// Whether it may stand several times, and its value does not show that ("P,P,...", "TREE...
/// QUERY").
[[nodiscard]] bool is_repeated(const CLI::Option& option);
/// "-o", "--output": as typed.
[[nodiscard]] std::vector<std::string> flags_of(const CLI::Option& option);
/// The only words it takes, where there are such.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);
/// What its check asks for, "a whole number from 0 to 65535"; empty where there is none.
[[nodiscard]] std::string asked_of(const CLI::Option& option);
/// The word that stands for its value, "FILE" or "pass|fail"; empty for a flag without one.
[[nodiscard]] std::string value_of(const CLI::Option& option);

[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view between);

}  // namespace assay::cli
