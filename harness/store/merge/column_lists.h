#pragma once
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/store/sql.h"

// Lists of columns as text of SQL: tables are copied and compared by what their schema has.
namespace assay::harness {

/// The names of a table's columns, in their order.
[[nodiscard]] inline std::vector<std::string> columns_of(SQLite::Database& database,
                                                         const std::string& table) {
    SQLite::Statement rows(database, "SELECT name FROM pragma_table_info(?) ORDER BY cid");
    rows.bind(1, table);
    std::vector<std::string> names;
    while (rows.executeStep()) names.push_back(rows.getColumn(0).getString());
    return names;
}

/// "a, b, c" of the columns, with `prefix` before each and some replaced by an expression.
[[nodiscard]] inline std::string column_list(
    const std::vector<std::string>& columns, const std::string& prefix,
    const std::vector<std::pair<std::string, std::string>>& replaced = {}) {
    std::string text;
    for (const std::string& column : columns) {
        if (!text.empty()) text += ", ";
        const auto found =
            std::ranges::find(replaced, column, &std::pair<std::string, std::string>::first);
        text += found == replaced.end() ? prefix + column : found->second;
    }
    return text;
}

[[nodiscard]] inline std::vector<std::string> without(std::vector<std::string> columns,
                                                      const std::set<std::string>& left_out) {
    std::erase_if(columns, [&](const std::string& column) { return left_out.contains(column); });
    return columns;
}

/// "s.a IS NOT m.a OR …"
[[nodiscard]] inline std::string any_differs(const std::vector<std::string>& columns,
                                             const std::string& left, const std::string& right) {
    std::string text;
    for (const std::string& column : columns) {
        if (!text.empty()) text += " OR ";
        text += fmt::format("{0}.{2} IS NOT {1}.{2}", left, right, column);
    }
    return text;
}

}  // namespace assay::harness
