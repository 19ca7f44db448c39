#pragma once
#include <string_view>

#include "rules/multigame/syntax/problems.h"
#include "rules/multigame/syntax/tree.h"

namespace assay::rules::multigame {

inline constexpr int kMostNested = 500;         // brackets and statements within statements
inline constexpr std::size_t kMostTerms = 500;  // of an expression
inline constexpr std::size_t kLongestReason = 63;

/// True of a reason or a player's name: 1 to 63 printable characters of UTF-8.
[[nodiscard]] bool is_said(std::string_view text);

/// The tree of a file. Errors are reported, and reading goes on at the next declaration or rule.
[[nodiscard]] Tree parsed(std::string_view text, int file, Problems& problems);

}  // namespace assay::rules::multigame
