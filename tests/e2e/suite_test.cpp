#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <string>

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"

using assay::read_file;
using assay::test::Child;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// Three of the shipped positions, the shipped queries, and our player as build and baseline.
void write_suite(RunFolder& folder) {
    const std::string configs = ASSAY_SOURCE_DIR "/configs";
    const std::string book = assay::read_file(configs + "/suites/lct2.epd");
    std::string positions;
    std::size_t from = 0;
    for (int line = 1; from < book.size(); ++line) {
        const std::size_t end = book.find('\n', from) + 1;
        if (line == 2 || line == 3 || line == 5) positions += book.substr(from, end - from);
        from = end;
    }
    folder.write("few.epd", positions);
    folder.write("health.gtql", assay::read_file(configs + "/queries/search-health.gtql"));
    folder.write("s.yaml",
                 "each: {command: [" + folder.program("player") +
                     "]}\n"
                     "programs: {new: {options: {Hash: 16}}, old: {options: {Hash: 16}}}\n"
                     "suite:\n  positions: few.epd\n  limit: {depth: 3}\n  programs: [new, old]\n"
                     "  expect: [{queries: health.gtql}]\n");
}

/// By name: whether an expectation holds.
std::map<std::string, std::string> expectations(const Finished& finished) {
    std::map<std::string, std::string> out;
    const auto run = parsed(finished.out);
    for (const auto& value : run.at("expectations").as_array()) {
        const auto& one = value.as_object();
        out.emplace(one.at("name").as_string(), boost::json::serialize(one));
    }
    return out;
}

bool fails(const std::map<std::string, std::string>& all, const std::string& name) {
    const auto found = all.find(name);
    return found != all.end() && found->second.find("\"fails\"") != std::string::npos;
}

}  // namespace

TEST_CASE("Suite: the shipped queries pass a healthy search and tell each planted fault apart") {
    RunFolder folder;
    write_suite(folder);
    const std::map<std::string, std::string> guilty{
        {"none", ""},
        {"bad_order", "late cut-offs"},
        {"quiescence_without_stop", "quiescence explosion"},
        {"research_loop", "re-search loop"}};
    for (const auto& entry : guilty) {
        const auto& fault = entry.first;
        const auto& query = entry.second;
        CAPTURE(fault);
        const Finished finished = folder.assay(
            {"run", "s.yaml", "--json", "--set", "programs.new.options.Fault=" + fault}, 250);
        CAPTURE(finished.err);
        CAPTURE(finished.out);
        CHECK(finished.code == (query.empty() ? 0 : 1));
        const auto all = expectations(finished);
        CHECK(all.size() == 7);
        for (const auto& [other, name] : guilty) {
            if (!name.empty()) CHECK((fails(all, name) == (name == query) || fault == "bad_order"));
        }
        if (!query.empty()) CHECK(fails(all, query));
    }
    CHECK(folder.is_quiet());
}

TEST_CASE("Suite: a gate exits by it, every report tells of it, and its trees can be asked again") {
    RunFolder folder;
    write_suite(folder);
    // The match is over at once and says nothing; the suite decides.
    folder.write("gate.yaml", read_file(folder.root() + "/s.yaml") +
                                  "  keep: all\n"
                                  "match: {between: [new, old], time: {depth: 1}, pairs: 1}\n"
                                  "stop: {fixed: {alpha: 0.05}}\n");
    const Finished sound = folder.assay({"gate", "gate.yaml", "--json"});
    CAPTURE(sound.err);
    CHECK(sound.code == 3);  // one pair is inconclusive
    const Finished broken =
        folder.assay({"gate", "gate.yaml", "--set", "programs.new.options.Fault=research_loop"});
    CAPTURE(broken.err);
    CHECK(broken.code == 1);
    CHECK(broken.out.find("FAIL  re-search loop") != std::string::npos);
    const std::map<std::string, std::string> in_format{
        {"text", "FAIL  re-search loop"},
        {"markdown", "1 of 4 expectations fails: re-search loop"},
        {"junit", "<testcase classname=\"assay.gate.suite\" name=\"expectation: re-search loop\""},
        {"json", "\"re-search loop\""},
        {"html", "Suite few: 1 of 4 expectations fails"}};
    for (const auto& entry : in_format) {
        const auto& format = entry.first;
        const auto& part = entry.second;
        CAPTURE(format);
        const Finished report = folder.assay({"report", "latest", "--format", format});
        CAPTURE(report.out);
        CHECK(report.code == 0);
        CHECK(report.out.find(part) != std::string::npos);
    }
    const Finished asked = folder.assay({"query", "run:2", "node: count(*)"});
    CAPTURE(asked.out);
    CAPTURE(asked.err);
    CHECK(asked.code == 0);
    // Three positions of two programs.
    CHECK(std::count(asked.out.begin(), asked.out.end(), '\n') >= 6);
}

TEST_CASE("Suite: any program that logs with treelog.h can be asked, here one in C99") {
    RunFolder folder;
    write_suite(folder);
    const std::string nim = ASSAY_BINARY_DIR "/tests/engines/nim_c99";
    folder.write("nim.sh",
                 "while read -r word rest; do case $word in\n"
                 "uci) echo uciok;; isready) echo readyok;; quit) exit;;\n"
                 "go) " +
                     nim +
                     " 6 3 4 5 >/dev/null; echo bestmove g1f3;;\n"
                     "esac; done\n");
    folder.write("n.yaml",
                 "programs: {nim: {command: [sh, nim.sh]}}\n"
                 "suite:\n  positions: few.epd\n  limit: {depth: 6}\n  programs: [nim]\n"
                 "  expect:\n    - {name: size, query: 'node: count(*)', min: 100}\n"
                 "    - {name: cuts, query: 'node: count(type = CUTNode)', max: 3}\n");
    const Finished finished = folder.assay({"run", "n.yaml", "--json"});
    CAPTURE(finished.out);
    CAPTURE(finished.err);
    CHECK(finished.code == 1);
    const auto all = expectations(finished);
    CHECK(all.at("size").find("\"holds\"") != std::string::npos);
    CHECK(fails(all, "cuts"));
}

TEST_CASE("Suite: the plan of --explain names its positions from anywhere") {
    RunFolder folder;
    write_suite(folder);
    const Finished explained = folder.assay({"run", "s.yaml", "--explain"});
    REQUIRE_MESSAGE(explained.code == 0, explained.err);
    CHECK(explained.out.find("positions: " + folder.root() + "/few.epd\n") != std::string::npos);
    std::filesystem::create_directories(folder.root() + "/sub");
    folder.write("sub/pasted.yaml",
                 explained.out.substr(explained.out.find("\n# the resolved plan") + 1));
    const Finished pasted = folder.assay({"run", "sub/pasted.yaml", "--explain"});
    CHECK_MESSAGE(pasted.code == 0, pasted.err);
}

TEST_CASE(
    "Suite: what was searched before a kill is not searched again, and the answers are the same") {
    RunFolder folder;
    write_suite(folder);
    const Finished whole = folder.assay({"run", "s.yaml", "--json", "--db", "whole.db"});
    REQUIRE_MESSAGE(whole.code == 0, whole.err);
    const std::string trees = folder.root() + "/cut.db.trees/1/";
    const std::string whole_tree = trees + "new/a.gtl.b.gtl";
    for (const int changes : {6, 12, 24}) {  // to files in the folder
        Child child(folder.assay_argv({"run", "s.yaml", "--resume", "--json", "--db", "cut.db"}),
                    folder.root());
        int left = changes;
        (void)child.until([&left] { return left-- == 0; });
        child.signal(SIGKILL);
        (void)child.wait();
        CHECK(folder.is_quiet());
        if (changes > 6) continue;
        // By the later ones nothing may be left to be searched, and nothing is looked at.
        std::filesystem::create_directories(trees + "new");
        folder.write("cut.db.trees/1/new/of-a-killed-one.gtl.log", "half a log");
        folder.write("cut.db.trees/1/new/a.gtl.b.gtl", "the tree of a position named so");
    }
    const Finished rest = folder.assay({"run", "s.yaml", "--resume", "--json", "--db", "cut.db"});
    REQUIRE_MESSAGE(rest.code == 0, rest.err);
    CHECK(expectations(rest) == expectations(whole));
    CHECK(std::filesystem::exists(whole_tree));
    for (const auto& file : std::filesystem::recursive_directory_iterator(trees)) {
        CAPTURE(file.path().string());
        CHECK((file.is_directory() || file.path().extension() == ".gtl"));
    }
}
