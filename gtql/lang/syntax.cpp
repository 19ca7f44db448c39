#include "gtql/lang/syntax.h"

#include "base/enum_names.h"
#include "base/text.h"

namespace assay::gtql {

std::string_view name_of(AnswerKind kind) {
    return enum_names<AnswerKind>("count", "nodes", "table", "value", "bool").of(kind);
}

std::string Query::one_line() const {
    std::string out;
    bool is_comment = false;
    bool is_quoted = false;
    for (const char c : spelled(range)) {
        if (c == '\n') is_comment = false;
        if (c == '"' && !is_comment) is_quoted = !is_quoted;
        if (c == '#' && !is_quoted) is_comment = true;
        const bool is_blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
        if (is_comment) continue;
        if (!is_blank) {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    return std::string(trim(out));
}

}  // namespace assay::gtql
