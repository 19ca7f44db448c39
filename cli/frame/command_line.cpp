#include "cli/frame/command_line.h"

#include <algorithm>
#include <string_view>

#include "base/credentials.h"
#include "base/text.h"

namespace assay::cli {

namespace {

constexpr std::string_view kSet = "--set=";
constexpr std::string_view kHidden = "***";

/// True where "env" stands in `text` as a whole word, as in "programs.a.env.KEY" and "{env: {}}".
bool has_env(std::string_view text) {
    constexpr std::string_view kWord = "env";
    const auto is_letter = [](char c) {
        const char small = to_lower(c);
        return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (std::size_t at = text.find(kWord); at != std::string_view::npos;
         at = text.find(kWord, at + 1)) {
        const std::size_t end = at + kWord.size();
        const bool is_word =
            (at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]));
        if (is_word) return true;
    }
    return false;
}

/// "KEY=VALUE" of --set.
std::string shown_setting(std::string_view setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos || !has_env(setting)) return without_credentials(setting);
    return std::string(setting.substr(0, equals + 1)).append(kHidden);
}

}  // namespace

std::string shown_command_line(std::span<const char* const> words) {
    std::string line = "assay";
    bool is_setting = false;
    for (const std::string_view word : words) {
        std::string shown = without_credentials(word);
        if (is_setting) shown = shown_setting(word);
        if (word.starts_with(kSet))
            shown = std::string(kSet).append(shown_setting(word.substr(kSet.size())));
        is_setting = word == kSet.substr(0, kSet.size() - 1);
        line += " " + shell_word(shown);
    }
    return line;
}

}  // namespace assay::cli
