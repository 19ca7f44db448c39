#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "reports/history/history.h"

namespace assay::reports {

/// A table of a history, for all forms that have tables. Cells are plain text, as they came.
struct HistoryTable {
    struct Column {
        std::string title;
        bool is_right = false;    // aligned to the right
        bool is_foreign = false;  // holds text of others, which each form makes harmless
    };

    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
    std::string note;  // a sentence below; empty: none
};

/// The last steps of one match; no rows where it has none.
[[nodiscard]] HistoryTable steps_table(const History& history);

/// The last nights, newest first: of one match, or of a suite alone.
[[nodiscard]] HistoryTable nights_table(const History& history);

/// "head against base".
[[nodiscard]] std::string pairing_text(const History& history);

}  // namespace assay::reports
