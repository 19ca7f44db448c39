#pragma once
#include <string>
#include <vector>

namespace assay::cli {

/// Rows of equally many cells.
using Table = std::vector<std::vector<std::string>>;

/// Prints the rows to standard output with two blanks between columns, each line behind `indent`
/// blanks. `is_right`: by column, whether its cells are aligned to the right.
void print_table(const Table& table, const std::vector<bool>& is_right, int indent = 0);

}  // namespace assay::cli
