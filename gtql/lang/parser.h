#pragma once
#include <string>

#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// Level 1 is the language of Isleifsdottir and Bjornsson (2008) and nothing more; level 2 adds
/// relations upward and sideways, functions, arithmetic, moves, tables and statements.
struct ParseOptions {
    int level = 2;
};

/// Limits that keep a hostile query from a stack overflow or from all memory.
inline constexpr int kDeepestNesting = 1'000;
inline constexpr std::size_t kMostCalls = 1'000;
inline constexpr std::size_t kMostColumns = 100;

/// Reads one query. Throws SyntaxError. Names are not looked up: see bind().
[[nodiscard]] Query parse_query(const std::string& path, const std::string& text,
                                const ParseOptions& options = {});

/// The same for a part of a text.
[[nodiscard]] Query parse_query(std::shared_ptr<const QueryText> text, Span range,
                                const ParseOptions& options);

}  // namespace assay::gtql
