#include <chrono>
#include <csignal>
#include <map>
#include <string>
#include <thread>

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"

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
    for (const auto& [fault, query] : guilty) {
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

TEST_CASE(
    "Suite: what was searched before a kill is not searched again, and the answers are the same") {
    RunFolder folder;
    write_suite(folder);
    const Finished whole = folder.assay({"run", "s.yaml", "--json", "--db", "whole.db"});
    REQUIRE_MESSAGE(whole.code == 0, whole.err);
    for (const int after : {100, 200, 400}) {
        Child child(folder.assay_argv({"run", "s.yaml", "--resume", "--json", "--db", "cut.db"}),
                    folder.root());
        std::this_thread::sleep_for(std::chrono::milliseconds(after));
        child.signal(SIGKILL);
        (void)child.wait(10);
        CHECK(folder.is_quiet());
    }
    const Finished rest = folder.assay({"run", "s.yaml", "--resume", "--json", "--db", "cut.db"});
    REQUIRE_MESSAGE(rest.code == 0, rest.err);
    CHECK(expectations(rest) == expectations(whole));
}
