// EPD suites with real programs: `assay suite`, its reports, and the lasting solution counted
// again.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::read_file;
using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

namespace json = boost::json;

constexpr const char* kStockfish = "/usr/games/stockfish";
constexpr const char* kFairy = "/usr/games/fairy-stockfish";

bool has(const char* program) {
    if (std::filesystem::exists(program)) return true;
    MESSAGE("skipped: " << program << " is not installed");
    return false;
}

/// Some lines of a shipped suite.
void write_part(const RunFolder& folder, const std::string& suite, std::size_t count) {
    std::istringstream all(read_file(ASSAY_SOURCE_DIR "/configs/suites/" + suite));
    std::string text;
    std::string line;
    while (count-- > 0 && std::getline(all, line)) text += line + "\n";
    folder.write(suite, text);
}

std::map<std::string, json::value> by_position(const json::value& run, const std::string& program) {
    std::map<std::string, json::value> out;
    for (const json::value& search : run.at("suite").at("searches").as_array())
        if (search.at("program").as_string() == program)
            out.emplace(search.at("position").as_string(), search);
    return out;
}

std::vector<std::string> texts(const json::value& list) {
    std::vector<std::string> out;
    for (const json::value& one : list.as_array()) out.emplace_back(one.as_string());
    return out;
}

bool is_in(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// What a log of protocol lines says of one search.
struct Logged {
    std::vector<std::pair<std::string, std::uint64_t>> lines;  // first move of a pv, nodes
    std::string answer;
};

/// By position's text.
std::map<std::string, Logged> read_log(const std::string& path) {
    std::map<std::string, Logged> out;
    std::map<std::string, std::string> position_of;  // by process
    std::istringstream all(read_file(path));
    std::string line;
    while (std::getline(all, line)) {
        std::istringstream words(line);
        std::string seconds;
        std::string process;
        std::string direction;
        std::string word;
        words >> seconds >> process >> direction >> word;
        std::string rest;
        std::getline(words, rest);
        rest = assay::trim(rest);
        if (direction == ">" && word == "position") position_of[process] = rest.substr(4);
        if (direction != "<") continue;
        Logged& search = out[position_of[process]];
        if (word == "bestmove") search.answer = rest.substr(0, rest.find(' '));
        const std::size_t pv = rest.find(" pv ");
        const std::size_t nodes = rest.find("nodes ");
        if (word != "info" || pv == std::string::npos || nodes == std::string::npos) continue;
        const std::string move = rest.substr(pv + 4, rest.find(' ', pv + 4) - pv - 4);
        search.lines.emplace_back(move, std::stoull(rest.substr(nodes + 6)));
    }
    return out;
}

}  // namespace

TEST_CASE("EPD suite: the lasting solution is the one that the protocol lines show") {
    if (!has(kStockfish)) return;
    RunFolder folder;
    write_part(folder, "endings.epd", 8);
    const Finished finished = folder.assay({"suite", "endings.epd", "--program", kStockfish,
                                            "--nodes", "30000", "--json", "--log", "lines"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const json::value run = parsed(finished.out);
    const auto searches = by_position(run, "stockfish");
    const auto logged = read_log(folder.root() + "/lines/stockfish.log");
    std::int64_t solved = 0;
    for (const json::value& position : run.at("suite").at("solving").at("positions").as_array()) {
        const std::string id(position.at("position").as_string());
        CAPTURE(id);
        const auto best = texts(position.at("best"));
        const auto avoid = texts(position.at("avoid"));
        const auto is_solution = [&](const std::string& move) {
            return (best.empty() || is_in(best, move)) && !is_in(avoid, move);
        };
        const Logged& log = logged.at(std::string(position.at("fen").as_string()));
        // From the end, as far back as the move is a solution.
        std::uint64_t nodes = 0;
        for (auto line = log.lines.rbegin(); line != log.lines.rend() && is_solution(line->first);
             ++line)
            nodes = line->second;
        const json::value& solution = searches.at(id).at("solution");
        CHECK(searches.at(id).at("best_move").as_string() == log.answer);
        CHECK(solution.at("solved").as_bool() == is_solution(log.answer));
        if (!is_solution(log.answer)) {
            CHECK(solution.at("nodes").is_null());
            continue;
        }
        ++solved;
        CHECK(solution.at("nodes").to_number<std::uint64_t>() == nodes);
        CHECK(solution.at("seconds").to_number<double>() <=
              searches.at(id).at("seconds").to_number<double>());
    }
    CHECK(solved > 0);
    const json::value& counted = run.at("suite").at("solving").at("programs").at(0);
    CHECK(counted.at("solved").to_number<std::int64_t>() == solved);
    CHECK(counted.at("known").to_number<int>() == 8);
    CHECK(folder.is_quiet());
}

TEST_CASE("EPD suite: two real programs are compared, and every report tells of it") {
    if (!has(kStockfish) || !has(kFairy)) return;
    RunFolder folder;
    write_part(folder, "tactics.epd", 8);
    const Finished finished =
        folder.assay({"suite", "tactics.epd", "--program", kStockfish, "--program", kFairy,
                      "--nodes", "20000", "--option", "Threads=1", "--json"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    CHECK(finished.err.find("McNemar p = ") != std::string::npos);
    const json::value run = parsed(finished.out);
    const json::value& solved = run.at("expectations").at(0);
    CHECK(solved.at("measure").as_string() == "solved");
    CHECK(solved.at("state").as_string() == "report");
    const json::value& test = solved.at("mcnemar");
    const auto count = [&](const char* key) { return test.at(key).to_number<std::int64_t>(); };
    CHECK(count("both") + count("only_before") + count("only_after") + count("neither") == 8);
    const json::value& programs = run.at("suite").at("solving").at("programs");
    CHECK(programs.at(0).at("solved").to_number<std::int64_t>() ==
          count("both") + count("only_after"));
    CHECK(programs.at(1).at("solved").to_number<std::int64_t>() ==
          count("both") + count("only_before"));
    CHECK(run.at("expectations").as_array().size() == 4);
    const std::map<std::string, std::string> in_format{
        {"text", "mean depth"},
        {"markdown", "| program | solved | time | nodes | mean depth |"},
        {"junit", "name=\"expectation: solved\""},
        {"json", "\"solution_nodes\""},
        {"html", "Position by position"}};
    for (const auto& entry : in_format) {
        const auto& format = entry.first;
        const auto& part = entry.second;
        CAPTURE(format);
        const Finished report = folder.assay({"report", "latest", "--format", format});
        CHECK(report.code == 0);
        CHECK(report.out.find(part) != std::string::npos);
    }
    // No tree is logged.
    CHECK_FALSE(std::filesystem::exists(folder.root() + "/assay.db.trees/1"));
}

TEST_CASE("EPD suite: versions of our player differ by their faults, and an expectation says so") {
    RunFolder folder;
    write_part(folder, "tactics.epd", 12);
    const std::string player = folder.program("player");
    const auto suite = [&](const std::string& fault, const std::string& expect) {
        return folder.assay(
            {"suite", "tactics.epd", "--nodes", "5000", "--set", "programs.new.command=" + player,
             "--set", "programs.old.command=" + player, "--set",
             "programs.new.options.Fault=" + fault, "--set", "suite.expect=" + expect, "--json"});
    };
    // The same build solves the same positions with the same nodes.
    const Finished same = suite("none",
                                "[{measure: solved, against_baseline: [-0%, +0%]}, "
                                "{measure: solution_nodes, against_baseline: [-0%, +0%]}]");
    CAPTURE(same.err);
    CHECK(same.code == 0);
    const json::value run = parsed(same.out);
    CHECK(run.at("expectations").at(0).at("state").as_string() == "holds");
    CHECK(run.at("expectations").at(1).at("paired").at("equal").to_number<int>() == 12);
    // Five thousand nodes do not solve all of them.
    const Finished broken = suite("none", "[{measure: solved, min: 12}]");
    CAPTURE(broken.err);
    CHECK(broken.code == 1);
    CHECK(broken.err.find("FAIL  solved") != std::string::npos);
    CHECK(broken.err.find("played ") != std::string::npos);
    CHECK(folder.is_quiet());
}

TEST_CASE("EPD suite: what was searched before a kill is not searched again") {
    RunFolder folder;
    write_part(folder, "endings.epd", 8);
    const std::string player = folder.program("player");
    const std::vector<std::string> words{"suite",     "endings.epd", "--program", player,
                                         "--program", player,        "--depth",   "7",
                                         "--resume",  "--events",    "e.jsonl"};
    {
        Child child(folder.assay_argv(words), folder.root());
        folder.write("e.jsonl", "");
        (void)child.until([&] { return contains(folder.read("e.jsonl"), "search"); });
        child.signal(SIGKILL);
        (void)child.wait();
    }
    const Finished rest = folder.assay(words);
    REQUIRE_MESSAGE(rest.code == 0, rest.err);
    const Finished report = folder.assay({"report", "1", "--format", "json"});
    const json::value run = parsed(report.out);
    CHECK(run.at("suite").at("searches").as_array().size() == 16);
    CHECK(run.at("expectations").at(0).at("counted").to_number<int>() == 8);
}

TEST_CASE("EPD suite: wrong positions and wrong flags are exit 2 with the place and what to do") {
    RunFolder folder;
    const std::string player = folder.program("player");
    folder.write("bad.epd",
                 "8/8/8/8/8/2k5/2p5/2K5 b - - am Kd3; id \"two\";\n"
                 "2kr4/ppp5/8/8/8/8/5PPP/3R2K1 w - - bm Rxd9+; id \"two\";\n"
                 "2kr4/ppp5/8/8/8/8/5PPP/3R2K1 w - - bn Rxd8+;\n");
    const Finished bad = folder.assay({"suite", "bad.epd", "--program", player, "--nodes", "100"});
    CHECK(bad.code == 2);
    CAPTURE(bad.err);
    CHECK(bad.err.find("bad.epd:2:39: error: 'Rxd9+' is no legal move here; did you mean "
                       "'Rxd8+'?") != std::string::npos);
    CHECK(bad.err.find("bad.epd:3:45: error: expected a solution") != std::string::npos);
    CHECK(bad.err.find("did you mean 'bm'?") != std::string::npos);
    const auto said = [&](const std::vector<std::string>& words) {
        const Finished finished = folder.assay(words);
        CHECK(finished.code == 2);
        return finished.err;
    };
    CHECK(said({"suite", "bad.epd", "--program", player}).find("add --nodes 200000") !=
          std::string::npos);
    CHECK(said({"suite", "bad.epd", "--nodes", "1"}).find("name a program with --program") !=
          std::string::npos);
    CHECK(said({"suite", "x.yaml", "--program", player, "--nodes", "1"}).find("assay run x.yaml") !=
          std::string::npos);
    CHECK(said({"suite", "bad.epd", "--program", player, "--nodes", "1", "--depth", "1"})
              .find("give one of --depth, --nodes and --time") != std::string::npos);
    CHECK(said({"suite", "none.epd", "--program", player, "--nodes", "1"})
              .find("none.epd: cannot open") != std::string::npos);
}
