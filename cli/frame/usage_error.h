#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace assay::cli {

/// Throws Error where a word stands for a command that there is not, and says which was meant.
void check_commands(const CLI::App& app, const std::vector<std::string_view>& words);

/// One line on why the words behind "assay" cannot be taken, and what to do: which flag there is
/// not and which one was probably meant, what a value must be, which word is missing. `error` is
/// what CLI11 threw for them.
[[nodiscard]] std::string usage_error(const CLI::App& app,
                                      const std::vector<std::string_view>& words,
                                      const CLI::ParseError& error);

}  // namespace assay::cli
