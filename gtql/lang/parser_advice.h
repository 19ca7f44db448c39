#pragma once
#include <string>
#include <string_view>

#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// What a message adds for a person who wrote something else than what is meant; each begins with
/// "; " or is empty.

/// What may be meant by a word where an expression has ended.
[[nodiscard]] std::string advice_after_expression(std::string_view text);

/// What may be meant by a number or a move where a truth value is wanted: `text` is its spelling,
/// `last` the last operator in it, `is_lone_call` true of a function outside `node:`, `next` the
/// word behind it, or empty.
[[nodiscard]] std::string advice_for_truth(std::string_view text, Op last, bool is_lone_call,
                                           std::string_view next);

}  // namespace assay::gtql
