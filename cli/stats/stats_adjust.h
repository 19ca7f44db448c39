#pragma once
#include <CLI/CLI.hpp>

namespace assay::cli {

/// `assay stats adjust`: corrections for many tests.
void add_adjust(CLI::App& stats);

}  // namespace assay::cli
