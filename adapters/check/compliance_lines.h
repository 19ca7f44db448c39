#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "adapters/uci/uci_options.h"

namespace assay::adapters {

/// What is wrong with a whole `option` line as a sentence fragment, or empty: no name, no or an
/// unknown type, a spin without bounds, a combo without choices.
[[nodiscard]] std::string option_line_complaint(std::string_view line);

/// What is wrong with the option's default, or empty: outside its bounds or choices.
[[nodiscard]] std::string default_complaint(const UciOption& option);

/// Names that occur twice, case ignored.
[[nodiscard]] std::vector<std::string> duplicate_names(const std::vector<UciOption>& options);

/// Defaults that spoil a match between programs, each as "own book on: set OwnBook=false".
[[nodiscard]] std::vector<std::string> match_default_complaints(
    const std::vector<UciOption>& options);

/// What is wrong with what follows `info`, or empty: a missing value, no number where one is due,
/// a number beyond what it could be.
[[nodiscard]] std::string info_complaint(std::string_view text);

/// True where an `info string` reads like a search result, so that a careless reader takes it for
/// one.
[[nodiscard]] bool looks_like_result(std::string_view info_text);

/// Bytes that no protocol line should have: "a NUL byte", "bytes that are not UTF-8", or empty.
[[nodiscard]] std::string_view byte_complaint(std::string_view line);

}  // namespace assay::adapters
