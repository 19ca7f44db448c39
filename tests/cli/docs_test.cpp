// Every `assay …` in a user's documents and in --help is a command that there is, with flags and
// fixed words that it takes.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/cli/frame/commands.h"

using assay::read_file;
using assay::test::all_commands;
using assay::test::shell;
using assay::test::text_at;

namespace {

/// A command line in a document.
struct Quoted {
    std::string where;  // "docs/gate.md:23"
    std::string line;   // from "assay" on
};

/// The words as a shell would see them, up to what ends the command: a pipe, a comment, …
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool is_word = false;
    char quote = 0;
    for (const char c : line) {
        if (quote != 0) {
            if (c == quote) {
                quote = 0;
            } else {
                word += c;
            }
        } else if (c == '\'' || c == '"') {
            quote = c;
            is_word = true;
        } else if (c == ' ' || c == '\t') {
            if (is_word) words.push_back(word);
            word.clear();
            is_word = false;
        } else if (std::string_view("|>;&)").find(c) != std::string_view::npos ||
                   (c == '#' && !is_word)) {
            break;
        } else {
            word += c;
            is_word = true;
        }
    }
    if (is_word) words.push_back(word);
    return words;
}

/// What stands before a command in a block of text.
std::string_view without_prompt(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    for (const std::string_view before : {"$ ", "git bisect run ", "report: ", "resume: ",
                                          "again: ", "run: ", "- ", "build/release/"})
        if (line.starts_with(before)) line.remove_prefix(before.size());
    return line;
}

void add_spans(std::vector<Quoted>& found, const std::string& where, std::string_view text) {
    constexpr std::string_view kBegin = "`assay ";
    for (std::size_t at = text.find(kBegin); at != std::string_view::npos;
         at = text.find(kBegin, at + 1)) {
        const std::size_t end = text.find('`', at + 1);
        if (end == std::string_view::npos) return;
        std::string line(text.substr(at + 1, end - at - 1));
        std::replace(line.begin(), line.end(), '\n', ' ');
        found.push_back({where, line});
    }
}

/// Lines of blocks that begin with "assay", and spans of text that do.
std::vector<Quoted> commands_in(const std::string& name, const std::string& text) {
    std::vector<Quoted> found;
    std::istringstream lines(text);
    std::string prose;
    bool is_block = !name.ends_with(".md");
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string where = name + ":" + std::to_string(number);
        if (without_prompt(line).starts_with("```")) {
            add_spans(found, where, prose);
            prose.clear();
            is_block = !is_block;
            continue;
        }
        while (is_block && line.ends_with('\\')) {
            line.pop_back();
            std::string more;
            if (!std::getline(lines, more)) break;
            ++number;
            line += more;
        }
        if (!is_block) {
            prose += line + "\n";
        } else if (without_prompt(line).starts_with("assay ")) {
            found.push_back({where, std::string(without_prompt(line))});
        }
    }
    add_spans(found, name, prose);
    return found;
}

const boost::json::value* find_command(const boost::json::array& all, const std::string& path) {
    for (const auto& command : all)
        if (text_at(command, "command") == path) return &command;
    return nullptr;
}

const boost::json::value* find_flag(const boost::json::value& command, const std::string& name) {
    for (const auto& flag : command.at("flags").as_array())
        for (const auto& one : flag.at("names").as_array())
            if (one.as_string() == name) return &flag;
    return nullptr;
}

/// Whether the flag takes this value, where it takes but a few words.
bool takes(const boost::json::value& flag, const std::string& value) {
    const std::string asked = text_at(flag, "asked");
    if (!asked.starts_with('{')) return true;
    return ("," + asked.substr(1, asked.size() - 2) + ",").find("," + value + ",") !=
           std::string::npos;
}

bool is_flag(const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word[1] != '.' && (word[1] < '0' || word[1] > '9');
}

/// What is wrong with the flags among `words` from `at` on; empty: nothing.
std::string wrong_flag(const boost::json::value& command, const std::vector<std::string>& words,
                       std::size_t at) {
    for (; at < words.size(); ++at) {
        if (words[at] == "--") return "";
        // Flags of one dash and several letters are those of another program too.
        const bool is_foreign = words[at].size() > 2 && words[at][0] == '-' && words[at][1] != '-';
        if (is_foreign && command.at("hands_on").as_bool()) return "";
        if (!is_flag(words[at])) {
            if (command.at("hands_on").as_bool()) return "";  // its program's from here on
            continue;
        }
        const std::size_t equals = words[at].find('=');
        const auto* const flag = find_flag(command, words[at].substr(0, equals));
        if (flag == nullptr) return "there is no flag " + words[at];
        if (text_at(*flag, "value").empty()) continue;
        const bool is_apart = equals == std::string::npos;
        if (is_apart && ++at == words.size()) return "";  // a flag named without its value
        const std::string value = is_apart ? words[at] : words[at].substr(equals + 1);
        if (!takes(*flag, value)) return "the flag does not take " + value;
    }
    return "";
}

/// What is wrong with the command line; empty: nothing.
std::string wrong_in(const boost::json::array& all, const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    std::string path;
    std::size_t at = 1;
    for (; at < words.size(); ++at) {
        const std::string below = path.empty() ? words[at] : path + " " + words[at];
        if (find_command(all, below) == nullptr) break;
        path = below;
    }
    const bool is_flag_next = at < words.size() && is_flag(words[at]);
    if (path.empty() && !is_flag_next) return "there is no such command";
    return wrong_flag(*find_command(all, path), words, at);
}

std::vector<std::string> documents() {
    namespace fs = std::filesystem;
    const fs::path root = ASSAY_SOURCE_DIR;
    std::vector<std::string> paths{"README.md", "CONTRIBUTING.md"};
    for (const char* const folder : {"docs", "docs/ci"}) {
        for (const auto& entry : fs::directory_iterator(root / folder)) {
            const std::string end = entry.path().extension();
            if (end == ".md" || end == ".yml")
                paths.push_back(folder + ("/" + entry.path().filename().string()));
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace

TEST_CASE("documents: every command, flag and fixed word in them is one that there is") {
    const boost::json::array all = all_commands();
    std::size_t seen = 0;
    for (const std::string& path : documents()) {
        const std::string text = read_file(std::string(ASSAY_SOURCE_DIR "/") + path);
        for (const Quoted& one : commands_in(path, text)) {
            ++seen;
            INFO(one.where, ": ", one.line);
            CHECK(wrong_in(all, one.line) == "");
        }
    }
    CHECK(seen > 100);
}

TEST_CASE("documents: what --help shows as examples is there, too") {
    const boost::json::array all = all_commands();
    std::size_t seen = 0;
    for (const auto& command : all) {
        const std::string page =
            shell("/", "$ASSAY " + text_at(command, "command") + " --help").out;
        const std::size_t begin = std::min(page.find("examples:"), page.size());
        for (const Quoted& one : commands_in("help", page.substr(begin))) {
            ++seen;
            INFO(one.line);
            CHECK(wrong_in(all, one.line) == "");
        }
    }
    CHECK(seen > 60);
}

TEST_CASE("documents: the check sees what is wrong") {
    const boost::json::array all = all_commands();
    CHECK(wrong_in(all, "assay run x.yaml --pairs 4 | tee --no-flag") == "");
    CHECK(wrong_in(all, "assay check ./engine --its-own") == "");
    CHECK(wrong_in(all, "assay stats sprt --elo0 -1.75") == "");
    CHECK(wrong_in(all, "assay frob") == "there is no such command");
    CHECK(wrong_in(all, "assay rules perft chess --dept 3") == "there is no flag --dept");
    CHECK(wrong_in(all, "assay report --format htm") == "the flag does not take htm");
    CHECK(commands_in("a.md", "text `assay run\nx.yaml` text\n```\n$ assay gate\nassay: no\n```\n")
              .size() == 2);
}
