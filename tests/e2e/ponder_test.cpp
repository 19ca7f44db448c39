#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::count_at;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;
using assay::test::warning_in;

using assay::test::times_in;

namespace {

std::string config_of(const std::string& program, const std::string& options, int other_seed,
                      const std::string& match) {
    return "each: {command: [" + program + "], options: {" + options + "}}\n" +
           "programs: {a: {options: {Seed: 1}}, b: {options: {Seed: " + std::to_string(other_seed) +
           "}}}\n" + "match: {between: [a, b], seed: 5, " + match + ", openings: {book: none}}\n";
}

}  // namespace

TEST_CASE("Ponder: hits and misses give the same games as no pondering at all") {
    for (const int other_seed : {1, 2}) {  // all are hits; nearly all are misses
        CAPTURE(other_seed);
        RunFolder folder;
        const std::string match = "time: 10+1, pairs: 1, concurrency: 1, adjudicate: {length: 30}";
        const std::string instant = folder.program("instant");
        folder.write("m.yaml", config_of(instant, "Ponder: true", other_seed, match));
        const Finished plain = folder.assay({"run", "m.yaml", "--json"});
        const Finished pondered = folder.assay({"run", "m.yaml", "--json", "--db", "pondered.db",
                                                "--set", "match.ponder=true", "--log", "lines"});
        REQUIRE_MESSAGE(plain.code == 0, plain.err);
        REQUIRE_MESSAGE(pondered.code == 0, pondered.err);
        CHECK(warning_in(pondered.err) == "");
        const auto first = parsed(plain.out);
        const auto second = parsed(pondered.out);
        CHECK(first.at("terminations") == second.at("terminations"));
        CHECK(first.at("wdl") == second.at("wdl"));
        CHECK(count_at(second, "terminations", "time") == 0);
        const std::string lines = assay::read_file(folder.root() + "/lines/a.log");
        CHECK(times_in(lines, "> go ponder") > 30);
        if (other_seed == 1) {
            CHECK(times_in(lines, "> ponderhit") > 30);
        } else {
            CHECK(times_in(lines, "> stop") > 30);
        }
        CHECK(folder.is_quiet());
    }
}

TEST_CASE("Ponder: a pinged program ponders too") {
    RunFolder folder;
    folder.write("m.yaml",
                 config_of(folder.program("instant"), "Ponder: true", 1,
                           "time: 10+1, pairs: 1, ponder: true, adjudicate: {length: 30}"));
    const Finished finished = folder.assay(
        {"run", "m.yaml", "--json", "--set", "programs.a.ping_before_go=true", "--log", "lines"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    CHECK(parsed(finished.out).at("failures").at(0).at("time_losses") == 0);
    const std::string lines = assay::read_file(folder.root() + "/lines/a.log");
    CHECK(times_in(lines, "> ponderhit") > 30);
    CHECK(times_in(lines, "> isready") > times_in(lines, "> go"));
}

TEST_CASE("Ponder: stockfish ponders through a match without a warning") {
    const std::string stockfish = "/usr/games/stockfish";
    if (!std::filesystem::exists(stockfish)) {
        MESSAGE("skipped: stockfish is not installed");
        return;
    }
    RunFolder folder;
    folder.write("m.yaml", "each: {command: [" + stockfish + "], options: {Ponder: true}}\n" +
                               "programs: {a: {}, b: {}}\nmatch: {between: [a, b], time: 2+0.1, "
                               "pairs: 1, ponder: true, adjudicate: {length: 10}}\n");
    const Finished finished = folder.assay({"run", "m.yaml", "--json", "--log", "lines"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    CHECK(warning_in(finished.err) == "");
    const auto run = parsed(finished.out);
    CHECK(run.at("games") == 2);
    for (const std::size_t program : {0U, 1U})
        CHECK(run.at("failures").at(program).at("stalls") == 0);
    const std::string lines = assay::read_file(folder.root() + "/lines/a.log");
    CHECK(times_in(lines, "> go ponder") > 5);
    CHECK(folder.is_quiet());
}
