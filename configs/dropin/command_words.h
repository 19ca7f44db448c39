#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::configs::dropin {

/// A word of a command line is refused: what() is the reason, in the words of that runner.
struct BadWord : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Numbers as fastchess reads them: the whole text, and nothing else. Throw BadWord.
[[nodiscard]] int int_of(const std::string& text);
[[nodiscard]] std::int64_t int64_of(const std::string& text);
[[nodiscard]] std::uint64_t uint64_of(const std::string& text);
[[nodiscard]] double double_of(const std::string& text);

/// Whether a program's lines can be searched for it.
[[nodiscard]] bool is_regular_expression(const std::string& text);

/// A decimal number of units of `unit_ms` milliseconds, rounded to a millisecond: "0.15" seconds
/// are 150. Throws BadWord.
[[nodiscard]] std::int64_t milliseconds_of(const std::string& text, std::int64_t unit_ms);

/// The two sides of the one `separator` in the text. Throws BadWord where there is not exactly one,
/// or a side is empty.
[[nodiscard]] std::pair<std::string, std::string> halves_of(const std::string& text,
                                                            char separator);

/// Splits a text into words as a shell does: blanks end a word, quotes and backslashes hold it
/// together.
[[nodiscard]] std::vector<std::string> shell_words(std::string_view text);

/// A path's file name without its last ending: "engine" of "./bin/engine.exe".
[[nodiscard]] std::string stem_of(const std::string& path);

}  // namespace assay::configs::dropin
