#include "cli/frame/table.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace assay::cli {

void print_table(const Table& table, const std::vector<bool>& is_right, int indent) {
    std::vector<std::size_t> widths(is_right.size(), 0);
    for (const auto& row : table) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto& row : table) {
        std::string line(static_cast<std::size_t>(indent), ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += is_right[i] ? fmt::format("{:>{}}  ", row[i], widths[i])
                                : fmt::format("{:<{}}  ", row[i], widths[i]);
        }
        fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
}

}  // namespace assay::cli
