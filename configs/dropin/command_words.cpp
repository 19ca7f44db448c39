#include "configs/dropin/command_words.h"

#include <cmath>
#include <limits>
#include <regex>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::configs::dropin {

namespace {

[[noreturn]] void refuse_number(const std::string& text) {
    throw BadWord(fmt::format("Invalid numeric value: \"{}\"", text));
}

template <class Number>
Number number_of(const std::string& text) {
    std::string_view digits = text;
    if (digits.starts_with('+') && digits.size() > 1 && is_digit(digits[1]))
        digits.remove_prefix(1);
    const auto number = to_number<Number>(digits);
    if (!number) refuse_number(text);
    return *number;
}

[[noreturn]] void refuse_duration(const std::string& text) {
    throw BadWord(fmt::format("Invalid time control duration: \"{}\"", text));
}

}  // namespace

int int_of(const std::string& text) {
    return number_of<int>(text);
}

std::int64_t int64_of(const std::string& text) {
    return number_of<std::int64_t>(text);
}

std::uint64_t uint64_of(const std::string& text) {
    return number_of<std::uint64_t>(text);
}

double double_of(const std::string& text) {
    const double value = number_of<double>(text);
    if (!std::isfinite(value)) refuse_number(text);
    return value;
}

std::int64_t milliseconds_of(const std::string& text, std::int64_t unit_ms) {
    std::string number = text;
    if (unit_ms == 1000 && number.size() > 1 && number.back() == 's') number.pop_back();
    const double value = double_of(number);
    const double ms = value * static_cast<double>(unit_ms);
    constexpr double kMost = 1e15;
    if (value < 0 || ms > kMost) refuse_duration(number);
    // 0.002 s is 2 ms, although the nearest double is a little less.
    return static_cast<std::int64_t>(std::llround(ms));
}

std::pair<std::string, std::string> halves_of(const std::string& text, char separator) {
    const std::size_t at = text.find(separator);
    const bool is_bad = at == std::string::npos || at == 0 || at + 1 == text.size() ||
                        text.find(separator, at + 1) != std::string::npos;
    if (is_bad) throw BadWord(fmt::format("Invalid time control: \"{}\"", text));
    return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string> shell_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool is_open = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_escape = c == '\\' && quote != '\'' && i + 1 < text.size();
        if (is_escape) {
            word += text[++i];
            is_open = true;
        } else if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            is_open = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (is_open) words.push_back(std::exchange(word, {}));
            is_open = false;
        } else {
            word += c;
            is_open = true;
        }
    }
    if (is_open) words.push_back(word);
    return words;
}

std::string stem_of(const std::string& path) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    const std::size_t point = name.rfind('.');
    const bool is_whole = name == "." || name == ".." || point == std::string::npos || point == 0;
    return is_whole ? name : name.substr(0, point);
}

bool is_regular_expression(const std::string& text) {
    try {
        const std::regex tried(text);
        return true;
    } catch (const std::regex_error&) {
        return false;
    }
}

}  // namespace assay::configs::dropin
