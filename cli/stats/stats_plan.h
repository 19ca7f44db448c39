#pragma once
#include <CLI/CLI.hpp>

namespace assay::cli {

/// Adds `boundary`, `plan` and `simulate` to `assay stats`.
void add_planning(CLI::App& stats);

}  // namespace assay::cli
