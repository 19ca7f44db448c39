#include "cli/frame/table.h"

#include <fmt/format.h>

#include "reports/text/table_text.h"

namespace assay::cli {

void print_table(const Table& table, const std::vector<bool>& is_right, int indent) {
    fmt::print("{}", reports::table_text(table, is_right, indent));
}

}  // namespace assay::cli
