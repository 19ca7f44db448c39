// Scalars keep their spelling until the schema says what they are: YAML's own guesses (010 is 8,
// `no` is false) never reach a plan.
#include "configs/loader/scalar.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/plan/time_control.h"

namespace assay::configs {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50U;
constexpr std::uint64_t kMostCount = 1'000'000'000'000'000;
constexpr double kMostMinutes = 60.0 * 24 * 366;

struct Expected {
    Form form;
    std::string_view text;  // {0} and {1} are the key's least and most
};

constexpr std::array kExpectations{
    Expected{Form::Text, "text"},
    Expected{Form::Path, "a path"},
    Expected{Form::Game, "the name of a game or the path of a file of rules"},
    Expected{Form::Whole, "a whole number from {0} to {1}"},
    Expected{Form::Seed, "a whole number from 0 to 18446744073709551615"},
    Expected{Form::Count, "a whole number such as 20000, 500k or 50M"},
    Expected{Form::Size, "a number of bytes such as 500M or 2G"},
    Expected{Form::Number, "a number above 0 and below 1"},
    Expected{Form::Elo, "Elo from {0} to {1}, such as -5"},
    Expected{Form::Percent, "a percentage from {0}% to {1}%, such as -3%"},
    Expected{Form::Duration, "a time with a unit such as 100ms, 8s or 2min"},
    Expected{Form::Minutes, "a number of minutes above 0, or a time with a unit such as 90s or 2h"},
    Expected{Form::Truth, "true or false"},
    Expected{Form::Words, "a word or a list of words"},
    Expected{Form::Steps, "a list of words such as [make, -j2], or a list of such lists"},
    Expected{Form::Bounds, "a list of two numbers from {0} to {1} such as [0, 5]"},
    Expected{Form::Names, "a map of names and values"},
};

/// A leading zero would be octal to some readers and decimal to others.
bool has_leading_zero(std::string_view text) {
    return text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

std::optional<double> finite(std::string_view text) {
    const auto value = to_number<double>(text);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    return value;
}

template <class Number>
std::optional<Number> whole(std::string_view text) {
    return has_leading_zero(text) ? std::nullopt : to_number<Number>(text);
}

/// A whole number whose last letter may be one of `suffixes`: the first stands for `factor`, the
/// second for its square, and so on.
std::optional<std::uint64_t> scaled(std::string_view text, std::string_view suffixes,
                                    std::uint64_t factor, std::uint64_t most) {
    std::uint64_t unit = 1;
    const std::size_t power =
        text.empty() ? std::string_view::npos : suffixes.find(to_lower(text.back()));
    if (power != std::string_view::npos) {
        for (std::size_t i = 0; i <= power; ++i) unit *= factor;
        text.remove_suffix(1);
    }
    const auto value = to_number<std::uint64_t>(trim(text));
    if (!value || *value > most / unit) return std::nullopt;
    return *value * unit;
}

/// 500M, 2G, 2 GB, 2GiB: a unit is 1024 of the one before it in any case.
std::optional<std::uint64_t> bytes(std::string_view text) {
    for (const char letter : {'b', 'i'})
        if (!text.empty() && to_lower(text.back()) == letter) text.remove_suffix(1);
    const auto size = scaled(text, "kmgt", 1024, kMostBytes);
    return size == 0U ? std::nullopt : size;
}

std::optional<Micros> minutes(std::string_view text) {
    if (const auto number = finite(text)) {
        if (*number <= 0 || *number > kMostMinutes) return std::nullopt;
        return Micros(std::llround(*number * 60 * 1'000'000));
    }
    const auto value = harness::parse_duration(text, false);
    return value > Micros(0) ? value : std::nullopt;
}

/// The number of "+3%" or "-3 %"; nullopt without the sign of percent.
std::optional<double> percentage(std::string_view text) {
    text = trim(text);
    if (text.empty() || text.back() != '%') return std::nullopt;
    text.remove_suffix(1);
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    return finite(trim(text));
}

/// "+3" or "-2.5".
std::optional<double> signed_number(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    return finite(text);
}

template <class Number>
std::optional<ScalarValue> within(const std::optional<Number>& value, const Key& key) {
    if (!value || *value < static_cast<Number>(key.least) || *value > static_cast<Number>(key.most))
        return std::nullopt;
    return ScalarValue(*value);
}

std::string hint_for_whole(std::string_view text) {
    const auto holds_only = [&](std::string_view letters) {
        return text.find_first_not_of(letters) == std::string_view::npos;
    };
    if (has_leading_zero(text) && holds_only("0123456789")) return "; leave out the leading zero";
    const bool has_digits = text.find_first_of("0123456789") != std::string_view::npos;
    const bool has_separators = text.find_first_of("_,' ") != std::string_view::npos;
    if (has_digits && has_separators && holds_only("0123456789_,' "))
        return "; write the digits alone";
    return "";
}

/// What a YAML 1.1 user means by yes and off.
std::string hint_for_truth(std::string_view text) {
    for (const std::string_view yes : {"y", "yes", "on", "true", "1"})
        if (equal_ignoring_case(text, yes)) return "; write true";
    for (const std::string_view no : {"n", "no", "off", "false", "0"})
        if (equal_ignoring_case(text, no)) return "; write false";
    return "";
}

}  // namespace

std::optional<ScalarValue> parse_scalar(const Key& key, std::string_view text) {
    switch (key.form) {
        case Form::Text:
            if (trim(text).empty()) return std::nullopt;
            return std::string(text);
        case Form::Choice:
            if (!is_one_of(key.words, text)) return std::nullopt;
            return std::string(text);
        case Form::Whole:
            return within(whole<std::int64_t>(text), key);
        case Form::Seed:
            return whole<std::uint64_t>(text);
        case Form::Count:
            if (has_leading_zero(text) || text.find(' ') != std::string_view::npos)
                return std::nullopt;
            return scaled(text, "kmg", 1000, kMostCount);
        case Form::Size:
            return bytes(text);
        case Form::Number: {
            const auto value = finite(text);
            if (!value || *value <= 0 || *value >= 1) return std::nullopt;
            return *value;
        }
        case Form::Elo:
            return within(signed_number(text), key);
        case Form::Percent:
            return within(percentage(text), key);
        case Form::Duration:
            return text == "0" ? Micros(0) : harness::parse_duration(text, false);
        case Form::Minutes:
            return minutes(text);
        case Form::Truth:
            if (text != "true" && text != "false") return std::nullopt;
            return text == "true";
        default:
            break;
    }
    ASSAY_CHECK(false);
    return std::nullopt;
}

std::string expected_of(const Key& key) {
    const auto* const known = std::find_if(kExpectations.begin(), kExpectations.end(),
                                           [&](const Expected& e) { return e.form == key.form; });
    const std::string_view text = known == kExpectations.end() ? "a map of keys" : known->text;
    const bool has_words = !key.words.empty() && key.form != Form::Path;
    std::string words = has_words ? alternatives(key.words) : "";
    if (key.form == Form::Choice) return words;
    if (has_words) words += " or ";
    return words + fmt::format(fmt::runtime(text), key.least, key.most);
}

std::string hint_for(const Key& key, std::string_view text) {
    switch (key.form) {
        case Form::Choice:
        case Form::Block: {
            const auto words = split_words(key.words);
            return words.size() > 1 ? did_you_mean(text, words) : "";
        }
        case Form::Whole:
        case Form::Seed:
        case Form::Count:
            return hint_for_whole(text);
        case Form::Percent:
            return percentage(fmt::format("{}%", text)) ? fmt::format("; write {}%", trim(text))
                                                        : "";
        case Form::Duration:
            return harness::parse_duration(text, true) ? fmt::format("; write {0}ms or {0}s", text)
                                                       : "";
        case Form::Truth:
            return hint_for_truth(text);
        default:
            return "";
    }
}

bool is_one_of(std::string_view words, std::string_view word) {
    const auto all = split_words(words);
    return std::find(all.begin(), all.end(), word) != all.end();
}

std::string alternatives(std::string_view words) {
    const auto all = split_words(words);
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out += i + 1 == all.size() ? " or " : ", ";
        out += fmt::format("'{}'", all[i]);
    }
    return out;
}

}  // namespace assay::configs
