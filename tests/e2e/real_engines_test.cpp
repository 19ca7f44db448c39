#include <array>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/e2e/bench_run.h"

using assay::test::count_at;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;
using assay::test::warning_in;

namespace {

/// A Debian engine with what its defaults need to play fair.
struct Engine {
    const char* name;
    const char* command;
    const char* options;
    const char* time;
};

constexpr std::array kEngines{
    Engine{"stockfish", "[/usr/games/stockfish]", "{Hash: 16, Threads: 1}", "{depth: 4}"},
    Engine{"fairy", "[/usr/games/fairy-stockfish]", "{Hash: 16, Threads: 1}", "{depth: 4}"},
    Engine{"gnuchess", "[/usr/games/gnuchess, --uci]", "{OwnBook: false}", "{depth: 4}"},
    Engine{"toga", "[/usr/games/toga2]", "{OwnBook: false}", "2+0.1"},
    Engine{"glaurung", "[/usr/games/glaurung]", "{OwnBook: false, Ponder: false, Threads: 1}",
           "{depth: 4}"},
};

}  // namespace

TEST_CASE("Real engines: each plays a short paired match without a warning that is our fault") {
    for (const Engine& engine : kEngines) {
        CAPTURE(engine.name);
        const std::string command = engine.command;
        const std::string path = command.substr(1, command.find_first_of(",]") - 1);
        if (!std::filesystem::exists(path) || !std::filesystem::exists("/usr/games/stockfish")) {
            MESSAGE("skipped: " << path << " or stockfish is not installed");
            continue;
        }
        RunFolder folder;
        folder.write("m.yaml", std::string("programs:\n  ") + engine.name + ": {command: " +
                                   engine.command + ", options: " + engine.options +
                                   "}\n  fish: {command: [/usr/games/stockfish], options: {Hash: "
                                   "16, Threads: 1}}\n" +
                                   "match: {between: [" + engine.name + ", fish], time: {" +
                                   engine.name + ": " + engine.time +
                                   ", fish: {depth: 2}}, pairs: 2, seed: 4, adjudicate: {resign: "
                                   "{moves: 3, score: 600, sides: one}, length: 80}}\n");
        const Finished finished = folder.assay({"run", "m.yaml", "--json"}, 200);
        CAPTURE(finished.err);
        REQUIRE(finished.code == 0);
        const auto run = parsed(finished.out);
        CHECK(run.at("games").as_int64() == 4);
        for (const char* failure :
             {"time", "illegal_move", "crash", "disconnect", "stall", "no_start"}) {
            CHECK(count_at(run, "terminations", failure) == 0);
        }
        CHECK(warning_in(finished.err) == "");
    }
}
