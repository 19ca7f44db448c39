#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay::rules::multigame {

/// Pieces of C text.

/// A string literal.
[[nodiscard]] inline std::string c_string(std::string_view text) {
    std::string all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        // "??" would begin a trigraph.
        all += c == '?' ? std::string("\\?") : std::string(1, c);
    }
    return all + "\"";
}

[[nodiscard]] inline std::string c_character(char c) {
    return std::to_string(static_cast<int>(c));
}

/// A table that is constant, in lines of 100 columns at most.
[[nodiscard]] inline std::string c_table(const std::string& type, const std::string& name,
                                         const std::vector<std::string>& values) {
    std::string text = "static const " + type + " " + name + "[] = {";
    std::size_t width = 100;
    for (const std::string& value : values) {
        if (width + value.size() > 96) {
            text += "\n    ";
            width = 4;
        }
        text += value + ", ";
        width += value.size() + 2;
    }
    return text + "};\n";
}

template <class Numbers>
[[nodiscard]] std::vector<std::string> as_text(const Numbers& numbers) {
    std::vector<std::string> texts;
    for (const auto number : numbers) texts.push_back(std::to_string(static_cast<int>(number)));
    return texts;
}

}  // namespace assay::rules::multigame
