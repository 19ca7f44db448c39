#include "reports/text/table_text.h"

#include <algorithm>
#include <cstddef>

#include "reports/view/number_text.h"

namespace assay::reports {

std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<bool>& is_right, int indent) {
    std::vector<std::size_t> widths(is_right.size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columns(row[i]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line(static_cast<std::size_t>(indent), ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string blanks(widths[i] - columns(row[i]), ' ');
            line += (is_right[i] ? blanks + row[i] : row[i] + blanks) + "  ";
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

}  // namespace assay::reports
