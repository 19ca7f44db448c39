#pragma once
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace assay::reports {

/// "\x1b[32maccepted\x1b[0m" for the words that have a colour, else the word.
[[nodiscard]] inline std::string painted(std::string_view word, bool colour) {
    const char* code = word == "accepted"                            ? "32"
                       : word == "rejected" || word == "stopped"     ? "31"
                       : word == "inconclusive" || word == "tainted" ? "33"
                       : word == "warning"                           ? "33"
                                                                     : nullptr;
    if (!colour || code == nullptr) return std::string(word);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, word);
}

}  // namespace assay::reports
