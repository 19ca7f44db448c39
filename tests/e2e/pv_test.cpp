// Programs whose lines of moves (pv) have each flaw, and real ones that have none.
#include <array>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

struct Lie {
    const char* flaw;
    const char* start;
    const char* line;
    const char* play;
};

constexpr const char* kFoolsMate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
constexpr const char* kMateIn2 = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";

constexpr std::array kLies{
    Lie{"illegal_move", kFoolsMate, "score cp 0 pv d8h5", "a7a6"},
    Lie{"after_win", kFoolsMate, "score cp 0 pv d8h4 a2a3", "d8h4"},
    Lie{"after_draw", "7k/8/6K1/8/8/5Q2/8/8 w - - 0 1", "score cp 0 pv f3f7 h8g8", "f3f7"},
    Lie{"after_repetition", kFoolsMate,
        "score cp 0 pv g8f6 g1h3 f6g8 h3g1 g8f6 g1h3 f6g8 h3g1 a7a6", "g8f6"},
    Lie{"after_counter", "4k3/8/8/8/8/8/4P3/4K3 w - - 98 90", "score cp 0 pv e1d1 e8d8 d1e1",
        "e1d1"},
    Lie{"short_mate", kMateIn2, "score mate 2 pv f6f7 h8h7", "f6f7"},
    Lie{"long_mate", kMateIn2, "score mate 1 pv f6f7 h8h7 a1h1", "f6f7"},
    Lie{"no_mate", kMateIn2, "score mate 2 pv f6f7 h8h7 a1a2", "f6f7"},
    Lie{"other_move", kFoolsMate, "score cp 0 pv a7a6 a2a3", "b7b6"},
};

std::string config_of(RunFolder& folder, const Lie& lie, const std::string& more = "") {
    folder.write("one.epd", std::string(lie.start) + "\n");
    return "programs:\n  liar: {command: [" + folder.program("misbehave") +
           ", --at, '1', --line, '" + lie.line + "', --play, " + lie.play +
           "]}\n  good: {command: [" + folder.program("instant") +
           "]}\nmatch: {between: [liar, good], openings: one.epd, time: {nodes: 10}, pairs: 1, "
           "concurrency: 1, seed: 1, adjudicate: {length: 4}" +
           more + "}\n";
}

/// How many lines of the program have the flaw, by the run's JSON.
std::int64_t lines_with(const boost::json::value& run, const std::string& program,
                        const std::string& flaw) {
    for (const auto& one : run.at("pv_findings").as_array()) {
        if (one.at("program").as_string() == program.c_str() &&
            one.at("flaw").as_string() == flaw.c_str())
            return one.at("count").as_int64();
    }
    return 0;
}

}  // namespace

TEST_CASE("Lines of moves: each flaw is found, shown everywhere and costs no game") {
    for (const Lie& lie : kLies) {
        CAPTURE(lie.flaw);
        RunFolder folder;
        folder.write("lie.yaml", config_of(folder, lie));
        const Finished finished = folder.assay({"run", "lie.yaml", "--json"});
        REQUIRE_MESSAGE(finished.code == 0, finished.err);
        const auto run = parsed(finished.out);
        CHECK(lines_with(run, "liar", lie.flaw) >= 1);
        CHECK(run.at("games").as_int64() == 2);
        for (const auto& one : run.at("pv_findings").as_array()) {
            CHECK(one.at("program").as_string() == "liar");
            const auto& example = one.at("examples").as_array().at(0).as_object();
            CHECK(example.at("line").as_string() == (std::string("info ") + lie.line).c_str());
            CHECK(example.at("start").as_string() == lie.start);
        }
        // From the store, as another process reads it.
        const auto stored = parsed(folder.assay({"report", "--format", "json"}).out);
        CHECK(stored.at("pv_findings") == run.at("pv_findings"));
        CHECK(contains(folder.assay({"report"}).out, "lines of moves (pv) with flaws"));
        CHECK(contains(folder.assay({"report", "--format", "markdown"}).out,
                       "lines of moves (pv) with flaws"));
        CHECK(contains(folder.assay({"report", "--format", "html"}).out,
                       "Lines of moves with flaws"));
        CHECK(folder.is_quiet());
    }
}

TEST_CASE("Lines of moves: both programs announce their own mate, and each is told of") {
    RunFolder folder;
    const std::string liar = folder.program("misbehave") + ", --sin, mate-scores";
    folder.write("m.yaml", "programs: {a: {command: [" + liar + "]}, b: {command: [" + liar +
                               "]}}\nmatch: {between: [a, b], time: {nodes: 10}, pairs: 1, "
                               "concurrency: 1, seed: 1, adjudicate: {length: 3}}\n");
    const Finished finished = folder.assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const auto run = parsed(finished.out);
    // Some three moves each a game: all but the first contradict the one before.
    CHECK(lines_with(run, "a", "mate_sign") + lines_with(run, "b", "mate_sign") >= 8);
}

TEST_CASE("Lines of moves: check_pv: false finds nothing, and the default finds it") {
    RunFolder folder;
    folder.write("off.yaml", config_of(folder, kLies[0], ", check_pv: false"));
    const Finished off = folder.assay({"run", "off.yaml", "--json"});
    REQUIRE_MESSAGE(off.code == 0, off.err);
    CHECK(parsed(off.out).at("pv_findings").as_array().empty());

    folder.write("on.yaml", config_of(folder, kLies[0]));
    const Finished on = folder.assay({"run", "on.yaml", "--json"});
    REQUIRE_MESSAGE(on.code == 0, on.err);
    const std::int64_t before = lines_with(parsed(on.out), "liar", "illegal_move");
    CHECK(before >= 1);
}

TEST_CASE("Lines of moves: those of a real engine have no flaw in a short match") {
    if (!std::filesystem::exists("/usr/games/stockfish")) {
        MESSAGE("skipped: stockfish is not installed");
        return;
    }
    RunFolder folder;
    folder.write(
        "m.yaml",
        "start_limit: 60s\neach: {command: [/usr/games/stockfish], options: {Hash: 16, Threads: 1}}\n"
        "programs: {a: {}, b: {}}\nmatch: {between: [a, b], time: {a: {depth: 6}, b: "
        "{depth: 5}}, pairs: 4, seed: 4, adjudicate: {length: 20}}\n");
    const Finished finished = folder.assay({"run", "m.yaml", "--json"}, 200);
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const auto run = parsed(finished.out);
    CHECK(run.at("games").as_int64() == 8);
    CHECK_MESSAGE(run.at("pv_findings").as_array().empty(), finished.out);
}
