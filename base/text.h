#pragma once
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// ASCII only: bytes above 127 pass unchanged, whatever the locale.
[[nodiscard]] constexpr char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr bool is_letter(char c) {
    return to_lower(c) >= 'a' && to_lower(c) <= 'z';
}

[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);

/// Without leading and trailing spaces, tabs, CR and LF.
[[nodiscard]] std::string_view trim(std::string_view text);

/// Splits at any run of spaces and tabs; never yields an empty word.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text);

/// Takes the next word off the front of `rest`; empty at the end.
std::string_view take_word(std::string_view& rest);

/// The parts between marks: "a::b" has three, an empty text is one empty part.
[[nodiscard]] std::vector<std::string_view> split_at(std::string_view text, char mark);

/// Takes the next line off the front of `rest`, without its LF; the last one may have none.
std::string_view take_line(std::string_view& rest);

/// The whole text as a number, or nullopt: nothing may follow, no leading '+' or blank.
template <class Number>
[[nodiscard]] std::optional<Number> to_number(std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end) return std::nullopt;
    return value;
}

/// The value in plain digits, "0.5", "-3" or "1250": so many significant ones behind the point at
/// most, no zeros at the end there, and never an exponent; digits before the point are all written.
/// "inf" or "nan" where it is.
[[nodiscard]] std::string plain_number(double value, int significant = 6);

/// The word for so many: "is" or "are".
template <std::integral Count>
[[nodiscard]] std::string_view plural(Count count, std::string_view one, std::string_view many) {
    return count == 1 ? one : many;
}

/// "1 pair", "1804 pairs". `many`: the plural where it is not the noun with an s.
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view noun, std::string_view many = {}) {
    std::string text = std::to_string(count).append(" ").append(plural(count, noun, many));
    return many.empty() && count != 1 ? text.append(noun).append("s") : text;
}

/// Length of the well-formed UTF-8 sequence at the front, 0 where there is none. REQUIRES: not
/// empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Bytes that are no printable UTF-8, newlines, tabs, characters that are not seen (U+202E), and
/// what a CI log obeys ("::" in front, "##[") become \xNN: a terminal, log or JSON can carry it.
[[nodiscard]] std::string printable_utf8(std::string_view bytes);
/// The same, with newlines left as they are: for texts of several lines, such as diagnostics.
[[nodiscard]] std::string printable_lines(std::string_view bytes);

/// Each line of the text as `shown` writes it, with `between` between them.
[[nodiscard]] std::string each_line(std::string_view text, std::string_view between,
                                    std::string (*shown)(std::string_view));

/// The words with `between` between them.
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view between);

/// A word as a POSIX shell reads it back: in single quotes where it must be.
[[nodiscard]] std::string shell_word(std::string_view word);

/// A name as one part of a path: letters, digits, '-', '_' and inner '.' stay, all else becomes
/// %XX; at most 120 bytes. Different names give different parts.
[[nodiscard]] std::string file_part(std::string_view name);

}  // namespace assay
