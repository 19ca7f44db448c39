#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"

namespace assay::cli {

/// Throws Error where a word names an unknown command, with the one that was probably meant.
void check_commands(const Command& app, const std::vector<std::string>& words);

/// Why the parser refuses the words.
struct Refusal {
    enum class Kind { Value, Count, Extra, Missing, Other };

    Kind kind = Kind::Other;
    std::string text;  // the parser's own sentence; of an extra word, that word
};

/// One line on why the words after "assay" are refused, and what to do: an unknown flag and the one
/// that was probably meant, what a value must be, which word is missing.
[[nodiscard]] std::string usage_error(const Command& app, const std::vector<std::string>& words,
                                      const Refusal& refusal);

}  // namespace assay::cli
