#include "engines/uci/option_table.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::engines {

void OptionTable::add_choice(std::string_view name, const std::vector<std::string_view>& choices,
                             std::size_t usual, const std::function<void(std::size_t)>& set) {
    std::string declaration = "type combo default " + std::string(choices[usual]);
    for (const std::string_view choice : choices) declaration += " var " + std::string(choice);
    const auto set_text = [choices, set](std::string_view value) -> std::optional<std::string> {
        const auto match = std::find_if(
            choices.begin(), choices.end(),
            [&](std::string_view choice) { return equal_ignoring_case(choice, value); });
        if (match == choices.end()) {
            return "does not take '" + printable_utf8(value) + "'" + did_you_mean(value, choices);
        }
        set(static_cast<std::size_t>(match - choices.begin()));
        return std::nullopt;
    };
    options_.push_back({name, declaration, set_text});
}

void OptionTable::add_check(std::string_view name, bool& value) {
    add_choice(name, {"false", "true"}, value ? 1 : 0, [&value](std::size_t i) { value = i == 1; });
    options_.back().declaration = std::string("type check default ") + (value ? "true" : "false");
}

void OptionTable::add_number(std::string_view name, long long usual, long long least,
                             long long most, const std::function<void(long long)>& set) {
    const std::string declaration = "type spin default " + std::to_string(usual) + " min " +
                                    std::to_string(least) + " max " + std::to_string(most);
    const auto set_text = [=](std::string_view value) -> std::optional<std::string> {
        const auto number = to_number<long long>(value);
        if (!number || *number < least || *number > most) {
            return "takes a number from " + std::to_string(least) + " to " + std::to_string(most) +
                   ", not '" + printable_utf8(value) + "'";
        }
        set(*number);
        return std::nullopt;
    };
    options_.push_back({name, declaration, set_text});
}

void OptionTable::add_text(std::string_view name, std::string& value) {
    const std::string usual = value.empty() ? "<empty>" : value;
    options_.push_back({name, "type string default " + usual,
                        [&value](std::string_view text) -> std::optional<std::string> {
                            value = text == "<empty>" ? "" : std::string(text);
                            return std::nullopt;
                        }});
}

std::string OptionTable::declaration() const {
    std::string text;
    for (const Option& option : options_) {
        text += "option name " + std::string(option.name) + " " + option.declaration + "\n";
    }
    return text;
}

std::optional<std::string> OptionTable::set(std::string_view name, std::string_view value) const {
    std::vector<std::string_view> names;
    names.reserve(options_.size());
    for (const Option& option : options_) {
        if (equal_ignoring_case(option.name, name)) {
            const auto wrong = option.set(value);
            if (!wrong) return std::nullopt;
            return "option " + std::string(option.name) + " " + *wrong;
        }
        names.push_back(option.name);
    }
    return "no option '" + printable_utf8(name) + "'" + did_you_mean(name, names);
}

}  // namespace assay::engines
