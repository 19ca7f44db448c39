#pragma once
#include <string>
#include <vector>

namespace assay::reports {

/// Rows of equally many cells, with two blanks between columns, each line behind `indent` blanks.
/// `is_right`: by column, whether its cells are aligned to the right.
[[nodiscard]] std::string table_text(const std::vector<std::vector<std::string>>& rows,
                                     const std::vector<bool>& is_right, int indent = 0);

}  // namespace assay::reports
