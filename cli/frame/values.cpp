#include "cli/frame/values.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace detail {

std::string refusal(const std::string& asked, const std::string& found) {
    return "expected " + asked + ", found '" + printable_utf8(found) + "'";
}

}  // namespace detail

namespace {

/// "a, b or c".
std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += words[i];
    }
    return text;
}

/// "{a,b,c}"
std::string braced(const std::vector<std::string>& words) {
    std::string text = "{";
    for (const std::string& word : words) text += (text.size() > 1 ? "," : "") + word;
    return text + "}";
}

}  // namespace

Check one_of(std::vector<std::string> words) {
    const auto correct = [words](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        const std::vector<std::string_view> names(words.begin(), words.end());
        return detail::refusal(listed(words), text) + did_you_mean(text, names);
    };
    std::string asked = braced(words);
    return {std::move(asked), std::move(words), correct};
}

std::string game_help() {
    std::vector<std::string> games = rules::game_names();
    games.emplace_back("a file of rules");
    return listed(games);
}

}  // namespace assay::cli
