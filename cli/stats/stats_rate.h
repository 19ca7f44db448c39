#pragma once
#include <CLI/CLI.hpp>

namespace assay::cli {

/// `assay stats rate`: ratings of several programs from a PGN, a run or a table of results.
void add_rate(CLI::App& stats);

}  // namespace assay::cli
