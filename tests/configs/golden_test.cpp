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
#include "configs/loader/config_text.h"
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

TEST_CASE("Config: a plan written as a config loads as the same plan") {
    const std::filesystem::path folder = std::string(ASSAY_SOURCE_DIR) + "/tests/golden/configs";
    std::vector<std::string> configs{
        R"(name: "two words: and a colon"
programs:
  new.er: {command: [/bin/new, "--say=a b", "", "-x"], dir: /srv, env: {A: "1", B: "x\"y\\z"},
    options: {Hash: 016, "Clear Hash": "", "Book File": "/a b.bin"}, sandbox: [nice, -n, "5"],
    memory: 1G, margin: 20ms, ping_before_go: true}
  old: {command: /bin/old, git: {repo: /srv/repo, ref: merge-base main,
    build: [[make, -j2], [strip, old]], limit: 5min, memory: 2G},
    bench: {command: [./old, bench, "13"], signature: commit, nodes: 'n=(\d+)'}}
matches:
  - {name: "null", between: [old, new.er], time: {old: 8+0.08, new.er: {nodes: 1000}},
     margin: 10ms, wall_limit: 90s, seed: 7, pairs: 12, concurrency: 3, affinity: true,
     openings: {book: /books/a.pgn, order: sequential, plies: 8, start: 5},
     adjudicate: {draw: {from: 40, moves: 8, score: 10}, resign: {moves: 3, score: 500, sides: one},
       length: 200, flag_vs_bare_king: loss},
     stop: {closing: {nelo: [-1.5, 0.5], alpha: 0.01, beta: 0.1, shape: symmetric, batch: 4}},
     require: {crashes: 0, time_losses: 2, illegal_moves: 0}}
  - {name: b, between: [new.er, old], time: [40/60, 20/30, 10+0.1], ponder: true,
     openings: {random: 6}, stop: {sprt: {elo: [0, 5], model: bayesian}, minutes: 90}}
  - {name: c, between: [new.er, old], time: {infinite: 7s}, game: chess960, openings: none,
     stop: {sprt: {nelo: [0, 2.5]}}}
  - {name: d, between: [new.er, old], time: {hourglass: 60}, stop: {anytime: stronger}}
  - {name: e, between: [new.er, old], time: {main: 600, byoyomi: 30, periods: 3},
     stop: {anytime: {elo: [0, 4], beta: 0.2}}}
  - {name: f, between: [new.er, old], time: {main: 600, byoyomi: 300, stones: 25},
     stop: {capped: {preset: gain, alpha: 0.1}}, pairs: 500}
  - {name: g, between: [new.er, old], time: {move: 100ms}, stop: {fixed: {}, minutes: 0.5}}
  - {name: h, between: [new.er, old], time: {depth: 8}, stop: {capped: no_regression}, pairs: 90}
skip_if: same_bench
control: true
failures_in_a_row: 9
start_limit: 30s
at_end: [notify, "{verdict}", 'a "b"']
)",
        "programs: {a: {command: /bin/a}, b: {command: /bin/b, bench: {signature: 12}}}\n"
        "match: {time: 1:30:00+30, seed: 0, openings: balanced}\nstop: {minutes: 3}\n"
        "require: {speed: -2.5%}\n"};
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        for (const GoldenCase& golden : parse(read_file(entry.path().string())).cases)
            if (golden.expected.starts_with('{')) configs.push_back(golden.config);
    }
    CHECK(configs.size() >= 7);
    for (const std::string& config : configs) {
        CAPTURE(config);
        const auto plan = assay::configs::plan_from_text(config, "config.yaml", "/conf");
        const std::string text = assay::configs::config_text(plan);
        CAPTURE(text);
        const std::string again = outcome({0, "again.yaml", false, text, ""});
        CHECK_MESSAGE(again == to_json(plan) + "\n", difference(to_json(plan) + "\n", again));
    }
}

TEST_CASE("Config: a shipped config's plan can be pasted back as a config") {
    namespace fs = std::filesystem;
    const fs::path folder = std::string(ASSAY_SOURCE_DIR) + "/configs";
    std::size_t loaded = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".yaml") continue;
        CAPTURE(entry.path().string());
        ++loaded;
        auto plan = assay::configs::load_config({entry.path().string()});
        const std::string text = assay::configs::config_text(plan);
        CAPTURE(text);
        auto again = assay::configs::plan_from_text(text, "again.yaml", folder.string());
        // Queries of a file stand in the text now, and the positions' file with its whole path.
        for (auto* const one : {&plan, &again}) {
            if (!one->suite) continue;
            for (auto& expectation : one->suite->expectations) expectation.origin.clear();
            one->suite->source = (folder / one->suite->source).string();
        }
        CHECK(to_json(again) == to_json(plan));
    }
    CHECK(loaded >= 3);
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
