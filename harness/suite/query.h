#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "harness/plan/suite_plan.h"

namespace assay::harness {

/// Checks that a part of a text is a query whose answer is a number, nodes or a statement (a table
/// cannot be judged). Names of attributes are known only with a log, so they are not looked at.
/// Throws SyntaxError whose places are those of the whole text.
void check_suite_query(const std::string& path, const std::string& text, Span range);

/// The queries of a .gtql file as expectations: what its `#!` lines say must hold. A query without
/// a name has its own text as name. Throws SyntaxError with all that is wrong, Error where the file
/// cannot be read or holds no query.
[[nodiscard]] std::vector<SuiteExpectation> read_suite_queries(const std::string& path);

/// An allowed change: "+10%" (at most), "-3%" (at least), "-10% to +10%". Nullopt where it is none.
[[nodiscard]] std::optional<SuiteExpectation::Change> parse_change(std::string_view text);

}  // namespace assay::harness
