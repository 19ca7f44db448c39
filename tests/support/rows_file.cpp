#include "tests/support/rows_file.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "rules/make_game.h"
#include "tests/support/tic_tac_toe.h"

namespace assay::tests {

namespace {

constexpr std::string_view kBasedOn = "based on ";

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string resolved(const std::string& path) {
    const std::string text = read_file(path);
    std::string out;
    for (const std::string_view line : lines_of(text)) {
        if (line.starts_with(kBasedOn)) {
            const auto folder = std::filesystem::path(path).parent_path();
            out += resolved((folder / line.substr(kBasedOn.size())).string());
        } else {
            out += std::string(line) + "\n";
        }
    }
    return out;
}

std::unique_ptr<rules::Game> game_of_text(const rules::GameSource& source) {
    std::string name = "rows";
    std::vector<std::string> players{"X", "O"};
    std::size_t number = 0;
    for (const std::string_view line : lines_of(source.text)) {
        ++number;
        const auto words = split_words(line);
        if (words.size() == 2 && words[0] == "game") {
            name = words[1];
        } else if (words.size() > 1 && words[0] == "players") {
            players.assign(words.begin() + 1, words.end());
        } else {
            throw SyntaxError(Source(source.path, source.text)
                                  .at_line(number, 1, line.size(), "expected 'game' or 'players'"));
        }
    }
    return make_tic_tac_toe(name, std::move(players));
}

}  // namespace

void register_rows_files() {
    rules::register_game_files({".rows", resolved, game_of_text});
}

}  // namespace assay::tests
