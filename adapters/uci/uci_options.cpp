// Option lines as programs write them: names and defaults of several words, keywords in any order,
// choices with blanks. Only the type tells where a default ends: that of a string may hold the
// words "min" or "var".
#include "adapters/uci/uci_options.h"

#include <algorithm>

#include "base/enum_names.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

UciOption::Type type_of(std::string_view word) {
    using Type = UciOption::Type;
    constexpr auto kTypes = enum_names<Type>("check", "spin", "combo", "button", "string");
    return kTypes.find(word).value_or(Type::Unknown);
}

// Words up to the next keyword, as written between the first's begin and the last's end.
struct Words {
    std::string_view rest;

    // Takes words until `is_end` says that a word begins something else; that word stays.
    template <class IsEnd>
    std::string_view until(const IsEnd& is_end) {
        const std::string_view all = rest;
        std::size_t begin = std::string_view::npos;
        std::size_t end = 0;
        while (true) {
            std::string_view after = rest;
            const std::string_view word = take_word(after);
            if (word.empty() || is_end(word)) break;
            const auto at = static_cast<std::size_t>(word.data() - all.data());
            begin = std::min(begin, at);
            end = at + word.size();
            rest = after;
        }
        return begin == std::string_view::npos ? std::string_view()
                                               : all.substr(begin, end - begin);
    }
};

bool is_in_range(const UciOption& option, std::string_view value) {
    const auto number = to_number<std::int64_t>(value);
    return number && *number >= option.min.value_or(*number) &&
           *number <= option.max.value_or(*number);
}

bool is_choice(const UciOption& option, std::string_view value) {
    return std::any_of(option.choices.begin(), option.choices.end(),
                       [value](const auto& choice) { return equal_ignoring_case(choice, value); });
}

}  // namespace

std::optional<UciOption> read_uci_option(std::string_view text) {
    UciOption option;
    Words words{text};
    if (take_word(words.rest) != "name") return std::nullopt;
    option.name = words.until([](std::string_view word) { return word == "type"; });
    if (option.name.empty()) return std::nullopt;
    take_word(words.rest);
    option.type = type_of(take_word(words.rest));
    // A string's default may hold any word, so only min, max and var of types that have them end
    // it.
    const bool is_text = option.type == UciOption::Type::String;
    const auto is_keyword = [is_text](std::string_view word) {
        return !is_text && (word == "default" || word == "min" || word == "max" || word == "var");
    };
    while (true) {
        const std::string_view word = take_word(words.rest);
        if (word.empty()) break;
        const std::string_view value = words.until(is_keyword);
        if (word == "default") option.default_value = value;
        if (word == "min") option.min = to_number<std::int64_t>(value);
        if (word == "max") option.max = to_number<std::int64_t>(value);
        if (word == "var") option.choices.emplace_back(value);
    }
    return option;
}

const UciOption* find_option(const std::vector<UciOption>& options, std::string_view name) {
    const auto found = std::find_if(options.begin(), options.end(), [name](const auto& option) {
        return equal_ignoring_case(option.name, name);
    });
    return found == options.end() ? nullptr : &*found;
}

std::string setoption_line(const UciOption* option, std::string_view name, std::string_view value) {
    const bool is_button = option != nullptr && option->type == UciOption::Type::Button;
    if (is_button && equal_ignoring_case(value, "false")) return "";
    std::string line = "setoption name ";
    line += option != nullptr ? std::string_view(option->name) : name;
    if (!is_button) line.append(" value ").append(value);
    // A line end inside would begin a command of its own.
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line + "\n";
}

std::string option_complaint(const UciOption& option, std::string_view value) {
    using Type = UciOption::Type;
    const std::string found = ", not '" + printable_utf8(value) + "'";
    if (option.type == Type::Check && value != "true" && value != "false") {
        return option.name + " is true or false" + found;
    }
    if (option.type == Type::Spin && !is_in_range(option, value)) {
        if (!to_number<std::int64_t>(value)) return option.name + " is a whole number" + found;
        return option.name + " is " + (option.min ? std::to_string(*option.min) : "any") + " to " +
               (option.max ? std::to_string(*option.max) : "any") + found;
    }
    if (option.type == Type::Combo && !is_choice(option, value)) {
        std::string known;
        for (const std::string& choice : option.choices) {
            known.append(known.empty() ? "" : ", ").append(choice);
        }
        return option.name + " is one of " + known + found;
    }
    return {};
}

}  // namespace assay::adapters
