// tests/golden/configs/*.test hold configs and what loading each must give: the error message, or
// the plan as JSON where nothing is wrong. A case is
//
//     config NAME [escaped]      NAME is the file name in messages
//     the text of the config
//     ----
//     the expected text
//
// Cases are separated by an empty line; lines before the first case are comments. In an `escaped`
// case, both texts are written with `\xNN` for a byte and `\\` for a backslash.
// ASSAY_UPDATE_GOLDEN=1 rewrites the expected texts; read the difference before you commit it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "configs/loader/loader.h"

namespace {

using assay::read_file;
using assay::write_file;
using Lines = std::vector<std::string>;

struct GoldenCase {
    std::size_t line = 0;  // of its header, from 1
    std::string name;
    bool is_escaped = false;
    std::string config;
    std::string expected;
};

struct GoldenFile {
    Lines comment;
    std::vector<GoldenCase> cases;
};

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string unescaped(const std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            bytes += text[i];
        } else if (text.compare(i, 2, "\\x") == 0) {
            bytes += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
            i += 3;
        } else {
            bytes += text[++i];
        }
    }
    return bytes;
}

std::string escaped(const std::string& bytes) {
    std::string text;
    for (const char byte : bytes) {
        if (byte == '\\') {
            text += "\\\\";
        } else if (byte == '\n' || (byte >= ' ' && byte <= '~')) {
            text += byte;
        } else {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        }
    }
    return text;
}

bool is_header(const std::string& line) {
    return line.starts_with("config ");
}

GoldenFile parse(const std::string& text) {
    const Lines lines = lines_of(text);
    GoldenFile file;
    std::size_t at = 0;
    while (at < lines.size() && !is_header(lines[at])) file.comment.push_back(lines[at++]);
    while (at < lines.size()) {
        GoldenCase golden;
        golden.line = at + 1;
        std::istringstream header(lines[at++].substr(7));
        std::string option;
        header >> golden.name >> option;
        golden.is_escaped = option == "escaped";
        while (at < lines.size() && lines[at] != "----") golden.config += lines[at++] + "\n";
        REQUIRE_MESSAGE(at < lines.size(), golden.name << " has no line '----'");
        ++at;
        while (at < lines.size()) {
            if (lines[at].empty() && at + 1 < lines.size() && is_header(lines[at + 1])) break;
            golden.expected += lines[at++] + "\n";
        }
        ++at;
        if (golden.is_escaped) {
            golden.config = unescaped(golden.config);
            golden.expected = unescaped(golden.expected);
        }
        file.cases.push_back(golden);
    }
    return file;
}

std::string text_of(const GoldenFile& file) {
    std::string text;
    for (const std::string& line : file.comment) text += line + "\n";
    for (const GoldenCase& golden : file.cases) {
        const auto written = [&](const std::string& bytes) {
            return golden.is_escaped ? escaped(bytes) : bytes;
        };
        if (&golden != &file.cases.front()) text += "\n";
        text += "config " + golden.name + (golden.is_escaped ? " escaped\n" : "\n") +
                written(golden.config) + "----\n" + written(golden.expected);
    }
    return text;
}

std::string outcome(const GoldenCase& golden) {
    try {
        return to_json(assay::configs::plan_from_text(golden.config, golden.name, "/conf")) + "\n";
    } catch (const assay::Error& error) {
        return std::string(error.what()) + "\n";
    }
}

// The lines that differ, `-` as expected and `+` as found, without the lines that both texts have
// at their beginnings and ends.
std::string difference(const std::string& expected, const std::string& found) {
    const Lines old_lines = lines_of(expected);
    const Lines new_lines = lines_of(found);
    const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
    std::size_t before = 0;
    while (before < shorter && old_lines[before] == new_lines[before]) ++before;
    std::size_t after = 0;
    while (after < shorter - before &&
           old_lines[old_lines.size() - 1 - after] == new_lines[new_lines.size() - 1 - after])
        ++after;
    std::string text;
    for (std::size_t i = before; i < old_lines.size() - after; ++i)
        text += "-" + old_lines[i] + "\n";
    for (std::size_t i = before; i < new_lines.size() - after; ++i)
        text += "+" + new_lines[i] + "\n";
    return text;
}

}  // namespace

TEST_CASE("Config: every case of the golden files loads, or is refused, as its file says") {
    const std::filesystem::path folder = std::string(ASSAY_SOURCE_DIR) + "/tests/golden/configs";
    const bool updates = std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr;
    std::size_t cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string path = entry.path().string();
        const std::string text = read_file(path);
        GoldenFile file = parse(text);
        CHECK_MESSAGE(text_of(file) == text, path << " is not in its normal form");
        for (GoldenCase& golden : file.cases) {
            ++cases;
            const std::string found = outcome(golden);
            const bool is_same = found == golden.expected;
            CHECK_MESSAGE(is_same, entry.path().filename().string()
                                       << ":" << golden.line << ": " << golden.name << "\n"
                                       << difference(golden.expected, found));
            golden.expected = found;
        }
        if (updates) write_file(path, text_of(file));
    }
    CHECK(cases >= 131);
}

TEST_CASE("Config: a file holds at most 10,000 values") {
    const auto ones = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += "1,";
        return text + "]\n";
    };
    CHECK(outcome({0, "yaml_many.yaml", false, "name: [" + ones(10001), ""}) ==
          "yaml_many.yaml:1:20002: error: more than 10000 values in one file\n  " + ones(54) +
              std::string(102, ' ') + "^\n1 error; nothing was started\n");
}
