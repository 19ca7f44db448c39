#pragma once
#include <span>
#include <string_view>

namespace assay::rules::multigame {

/// All reserved words of the language, in alphabetical order: no rule, piece, zone or variable may
/// have one as its name, except the piece `mark`.
[[nodiscard]] std::span<const std::string_view> reserved_words();

[[nodiscard]] bool is_reserved(std::string_view word);

/// Words with which a declaration begins.
[[nodiscard]] std::span<const std::string_view> declaration_words();

/// Words with which a statement begins.
[[nodiscard]] std::span<const std::string_view> statement_words();

}  // namespace assay::rules::multigame
