#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"

namespace assay::cli {

/// Throws Error where a word stands for a command that there is not, and says which was meant.
void check_commands(const Command& app, const std::vector<std::string>& words);

/// Why the parser cannot take the words.
struct Refusal {
    enum class Kind { Value, Count, Extra, Missing, Other };

    Kind kind = Kind::Other;
    std::string text;  // the parser's own sentence; of an extra word, that word
};

/// One line on why the words behind "assay" cannot be taken, and what to do: which flag there is
/// not and which one was probably meant, what a value must be, which word is missing.
[[nodiscard]] std::string usage_error(const Command& app, const std::vector<std::string>& words,
                                      const Refusal& refusal);

}  // namespace assay::cli
