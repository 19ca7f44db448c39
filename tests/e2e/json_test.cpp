#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"

using assay::test::count_at;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// A program that speaks JSON lines against one that speaks UCI.
std::string config(RunFolder& folder, const std::string& options, const std::string& match) {
    return "programs:\n  lines: {command: [" + folder.program("json_player") +
           "], protocol: json, options: {Seed: 5" + options + "}}\n  uci: {command: [" +
           folder.program("instant") +
           "], options: {Seed: 2}}\nmatch: {between: [lines, uci], seed: 3, " + match + "}\n";
}

}  // namespace

TEST_CASE("JSON lines: a match against a UCI program, with clocks, both protocols in the logs") {
    RunFolder folder;
    folder.write("m.yaml", config(folder, "", "time: 10+0.1, pairs: 4, concurrency: 2"));
    const Finished finished = folder.assay({"run", "m.yaml", "--json", "--log", "lines"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const auto run = parsed(finished.out);
    CHECK(run.at("pairs").as_int64() == 4);
    CHECK(count_at(run, "terminations", "illegal_move") == 0);
    CHECK(count_at(run, "terminations", "crash") == 0);
    const std::string told = assay::read_file(folder.root() + "/lines/lines.log");
    CHECK(told.find("> {\"type\":\"hello\",\"version\":1}") != std::string::npos);
    CHECK(told.find("\"left_us\":[") != std::string::npos);
    CHECK(assay::read_file(folder.root() + "/lines/uci.log").find("> ucinewgame") !=
          std::string::npos);
    // The score was said from the first player's view: as the second one it is the mover's loss.
    const std::string csv = folder.assay({"replay", "latest", "1"}).out;
    CHECK(csv.find("+0.10") != std::string::npos);
    const std::string swapped = folder.assay({"replay", "latest", "2"}).out;
    CHECK(swapped.find("-0.10") != std::string::npos);
    CHECK(folder.is_quiet());
}

TEST_CASE("JSON lines: a replay tells a program the same again") {
    RunFolder folder;
    folder.write("m.yaml", config(folder, "", "time: {depth: 1}, pairs: 1"));
    REQUIRE(folder.assay({"run", "m.yaml"}).code == 0);
    const Finished again = folder.assay({"replay", "latest", "1", "100", "--run"});
    REQUIRE_MESSAGE(again.code == 0, again.err);
    for (const char* const ply : {"100", "101"}) {
        const Finished one = folder.assay({"replay", "latest", "1", ply, "--run"});
        CHECK_MESSAGE(one.code == 0, one.err);
        const bool is_json = one.out.find("\"type\":\"go\"") != std::string::npos;
        CHECK(one.out.find(is_json ? "{\"type\":\"move\"" : "bestmove ") != std::string::npos);
        CHECK(one.out.find("answered after") != std::string::npos);
    }
}

TEST_CASE("JSON lines: a program resigns, and two agree to a draw; neither is a failure") {
    RunFolder folder;
    folder.write("m.yaml", config(folder, ", ResignAt: 3", "time: {depth: 1}, pairs: 2"));
    const Finished resigns = folder.assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(resigns.code == 0, resigns.err);
    const auto run = parsed(resigns.out);
    CHECK(count_at(run, "terminations", "claim_resign") == 4);
    CHECK(run.at("wdl").as_array().at(2).as_int64() == 4);

    const std::string player = folder.program("json_player");
    folder.write("d.yaml", "each: {protocol: json, command: [" + player +
                               "]}\nprograms:\n  a: {options: {Seed: 1, DrawAt: 2}}\n"
                               "  b: {options: {Seed: 2, DrawAt: 4, Noise: true}}\n"
                               "match: {between: [a, b], seed: 3, time: {nodes: 5}, pairs: 2}\n");
    const Finished agreed = folder.assay({"run", "d.yaml", "--json"});
    REQUIRE_MESSAGE(agreed.code == 0, agreed.err);
    const auto draws = parsed(agreed.out);
    CHECK(count_at(draws, "terminations", "claim_draw") == 4);
    CHECK(draws.at("wdl").as_array().at(1).as_int64() == 4);
}

TEST_CASE("JSON lines: what the protocol cannot do is refused before the first game") {
    RunFolder folder;
    folder.write("m.yaml", config(folder, "", "time: 10+0.1, ponder: true, pairs: 1"));
    const Finished ponder = folder.assay({"run", "m.yaml"});
    CHECK(ponder.code == 2);
    CHECK(ponder.err.find("program 'lines' cannot keep 'ponder': its protocol, JSON lines, lacks "
                          "pondering") != std::string::npos);
    const Finished ping = folder.assay({"run", "m.yaml", "--set", "match.ponder=false", "--set",
                                        "programs.lines.ping_before_go=true"});
    CHECK(ping.code == 2);
    CHECK(ping.err.find("lacks a way to ask whether a program is ready") != std::string::npos);
}
