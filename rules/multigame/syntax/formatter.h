#pragma once
#include <string>
#include <string_view>

namespace assay::rules::multigame {

/// A file of rules in one style. Lines are kept as they are broken; indentation, blanks between
/// words, columns of `pieces` and `zones`, and the places of comments behind words are made anew.
/// No more than one empty line follows another. The words are the same, so the rules are the same;
/// formatting the result changes nothing. Throws SyntaxError for a text that the parser refuses.
[[nodiscard]] std::string formatted(const std::string& path, std::string_view text);

}  // namespace assay::rules::multigame
