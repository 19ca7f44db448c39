#include "reports/text/history_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "reports/history/history_tables.h"
#include "reports/text/table_text.h"

namespace assay::reports {

namespace {

std::string text_of(const HistoryTable& table) {
    if (table.rows.empty()) return "";
    std::vector<std::vector<std::string>> rows(1);
    std::vector<bool> is_right;
    for (const HistoryTable::Column& column : table.columns) {
        rows[0].push_back(printable_utf8(column.title));
        is_right.push_back(column.is_right);
    }
    for (const std::vector<std::string>& row : table.rows) {
        rows.emplace_back();
        for (const std::string& cell : row) rows.back().push_back(printable_utf8(cell));
    }
    std::string text = "\n" + table_text(rows, is_right, 2);
    if (!table.note.empty()) text += "\n  " + table.note + "\n";
    return text;
}

std::string match_text(const History& history, bool is_one_of_several) {
    std::string text;
    if (is_one_of_several)
        text = fmt::format("\nmatch {}: {}\n", printable_utf8(history.match),
                           printable_utf8(pairing_text(history)));
    text += printable_utf8(history_sentence(history)) + "\n";
    return text + text_of(steps_table(history)) + text_of(nights_table(history));
}

}  // namespace

std::string history_text(const History& history) {
    const bool has_several = !history.others.empty();
    std::string text = fmt::format("history of {}\n", printable_utf8(history.name));
    text += match_text(history, has_several);
    for (const History& other : history.others) text += match_text(other, has_several);
    return text;
}

}  // namespace assay::reports
