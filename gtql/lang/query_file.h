#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gtql/lang/parser.h"
#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// What must hold of a query's number (its count, or its value; false is 0 and true is 1). All
/// absent: the answer is only reported.
struct Bounds {
    std::optional<double> min;
    std::optional<double> max;
    std::string against_baseline;  // as it was written, such as "+10%"; empty: no such bound
};

struct NamedQuery {
    Query query;  // query.name is the name of the '#!' line; empty where there is none
    Bounds bounds;
    std::size_t line = 0;  // of the query's first line, from 1
};

/// Reads a .gtql file. A query ends with its line, unless the next line that is not blank begins
/// with a part that comes after 'node:'; '#' begins a comment; a line
/// `#! name: quiescence explosion, max: 0` speaks of the query that follows, with the keys name,
/// min, max and against_baseline. Throws SyntaxError with what is wrong in each query (at most 20).
[[nodiscard]] std::vector<NamedQuery> parse_query_file(const std::string& path,
                                                       const std::string& text,
                                                       const ParseOptions& options = {});

}  // namespace assay::gtql
