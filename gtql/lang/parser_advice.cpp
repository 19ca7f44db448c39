#include "gtql/lang/parser_advice.h"

#include <array>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::gtql {

std::string advice_after_expression(std::string_view text) {
    const std::string word = lower(text.substr(0, 40));
    if (word.starts_with("group")) return "; a table is written as in 'count(*) by type'";
    if (word == "order" || word == "sort") return "; rows are ordered by their keys";
    if (word == "where") {
        return "; write the condition inside the function, as in 'count(type = 1)' or "
               "'max(depth where type = 1)'";
    }
    constexpr std::array<std::string_view, 4> kWords{"and", "or", "by", "in"};
    return did_you_mean(word, kWords);
}

std::string advice_for_truth(std::string_view text, Op last, bool is_lone_call,
                             std::string_view next) {
    const std::string word = lower(text.substr(0, 40));
    if (last == Op::BitOr) return "; did you mean '&'?";
    if (is_lone_call) {
        return "; a function alone is allowed only in 'node:'; compare it, as in 'count(*) > 0'";
    }
    if (next == "by" || word == "count") {
        return "; use a function, as in 'count(*)' or 'count(*) by type'";
    }
    if (word == "not") return "; did you mean 'not'?";
    if (next == "not") return "; write 'not' before it, as in 'not type in (1, 2)'";
    if (next == "in") return "; 'in' takes a list, as in 'type in (1, 2)'";
    return "; compare it, as in '" + printable_utf8(text.substr(0, 40)) + " = 1'";
}

}  // namespace assay::gtql
