#pragma once
#include <span>
#include <string>

namespace assay::cli {

/// The command line as runs keep it and reports show it: quoted so that a shell reads the same
/// words again, but without secrets. "***" stands for what --set gives to a program's environment,
/// and for passwords in URLs. `words`: without the program's name.
[[nodiscard]] std::string shown_command_line(std::span<const char* const> words);

}  // namespace assay::cli
