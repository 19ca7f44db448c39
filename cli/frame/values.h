#pragma once
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "base/text.h"

namespace assay::cli {

/// What a flag's value must be. A refusal says what is expected and what was found: "--port:
/// expected a whole number from 0 to 65535, found 'x'". Whole numbers are rewritten in plain
/// digits.
struct Check {
    std::string asked;                 // "a whole number from 0 to 65535"
    std::vector<std::string> choices;  // the only words that pass, where there are such
    /// Rewrites a value that passes; else gives the sentence that refuses it.
    std::function<std::string(std::string&)> correct;
};

namespace detail {

[[nodiscard]] std::string refusal(const std::string& asked, const std::string& found);

template <class Number>
std::string number_text(Number value) {
    if constexpr (std::is_floating_point_v<Number>) {
        return plain_number(value);
    } else {
        return std::to_string(value);
    }
}

/// "a whole number from 1 to 9", "a number from 0"; the limits of the type are left out.
template <class Number>
std::string asked_number(Number least, Number most) {
    std::string asked = std::is_integral_v<Number> ? "a whole number" : "a number";
    const bool has_least =
        std::is_unsigned_v<Number> || least != std::numeric_limits<Number>::lowest();
    if (has_least) asked += " from " + number_text(least);
    if (most != std::numeric_limits<Number>::max()) {
        asked += (has_least ? " to " : " up to ") + number_text(most);
    } else if (has_least) {
        asked += " on";
    }
    return asked;
}

}  // namespace detail

/// A finite number in [least, most]; a plus sign in front is allowed.
template <class Number>
[[nodiscard]] Check number(Number least = std::numeric_limits<Number>::lowest(),
                           Number most = std::numeric_limits<Number>::max()) {
    const std::string asked = detail::asked_number(least, most);
    return {asked, {}, [least, most, asked](std::string& text) {
                const std::string_view plus_less =
                    text.size() > 1 && text[0] == '+' && text[1] != '-'
                        ? std::string_view(text).substr(1)
                        : text;
                const auto value = to_number<Number>(plus_less);
                if (!value || !(*value >= least) || !(*value <= most))
                    return detail::refusal(asked, text);
                if constexpr (std::is_integral_v<Number>) text = std::to_string(*value);
                return std::string();
            }};
}

/// The names of every flag that takes a position, whatever the game calls its texts.
inline constexpr const char* kPositionFlags = "--fen,--text,--position";

/// What a flag that takes a game says of it: the games by name, or a file of rules.
[[nodiscard]] std::string game_help();

/// One of these words exactly; the refusal of a similar word suggests the one that was meant.
[[nodiscard]] Check one_of(std::vector<std::string> words);

}  // namespace assay::cli
