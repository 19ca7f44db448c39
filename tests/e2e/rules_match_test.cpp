// Matches whose rules are a text, beside what is known otherwise: the built-in rules of the same
// game, a program of others that knows the game, and an end that was a crash.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/store/store.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/how_many.h"

using assay::test::Child;
using assay::test::count_at;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::rules_file;
using assay::test::RunFolder;
namespace harness = assay::harness;

namespace rules_matches {

namespace {

/// Moves, result and ending of each game of a store.
std::vector<std::string> games_of(const std::string& store) {
    std::vector<std::string> games;
    const harness::Store opened(store, harness::Store::Access::Read);
    opened.for_each_game(1, 0, [&](const harness::GameRecord& game) {
        std::string line = std::to_string(game.number) + " " + game.start + ":";
        for (const harness::MoveRecord& move : game.moves) line += " " + move.name;
        games.push_back(line + " " + std::to_string(game.scores[0]) + " " +
                        std::string(harness::name_of(game.termination)));
    });
    std::ranges::sort(games);
    return games;
}

/// No program lost by its own fault.
void check_faultless(const Finished& finished) {
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const auto run = parsed(finished.out);
    for (const char* failure :
         {"time", "illegal_move", "crash", "disconnect", "stall", "no_start"}) {
        CHECK(count_at(run, "terminations", failure) == 0);
    }
    CHECK(run.at("voided").as_int64() == 0);
}

}  // namespace

TEST_CASE("Rules match: the built-in rules and a text of the same game give the same match") {
    RunFolder folder;
    const std::string player = folder.program("player");
    folder.write("book.epd",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                 "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n"
                 "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n"
                 "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    std::vector<std::vector<std::string>> played;
    for (const std::string& game : {std::string("chess"), rules_file("chess")}) {
        folder.write(
            "m.yaml",
            "each: {command: [" + player +
                "]}\nprograms:\n  a: {}\n  b: {options: {Evaluation: "
                "material}}\nmatch: {between: [a, b], game: " +
                game +
                ", openings: {book: book.epd, order: sequential}, seed: 3, "
                "time: {nodes: 300}, pairs: 4, concurrency: 2, adjudicate: {length: 150}}\n");
        const std::string store = std::to_string(played.size()) + ".db";
        check_faultless(folder.assay({"run", "m.yaml", "--json", "--db", store}));
        played.push_back(games_of(folder.root() + "/" + store));
    }
    REQUIRE(played[0].size() == 8);
    for (std::size_t n = 0; n < played[0].size(); ++n) {
        // The text has a word of its own for this ending.
        if (played[0][n].ends_with(" fifty")) played[0][n] += " moves";
        // A text does not know dead positions: there the game goes on.
        const std::size_t dead = played[0][n].find(" 0.5");
        const bool is_dead = played[0][n].ends_with(" insufficient");
        CHECK(played[0][n].substr(0, is_dead ? dead : std::string::npos) ==
              played[1][n].substr(0, is_dead ? dead : std::string::npos));
    }
}

TEST_CASE("Rules match: no illegal move against a program that knows the game by itself") {
    const std::string fairy = "/usr/games/fairy-stockfish";
    if (!std::filesystem::exists(fairy)) {
        MESSAGE("skipped: " << fairy << " is not installed");
        return;
    }
    const std::string pairs = assay::test::is_long() ? "25" : "2";
    for (const std::string game : {"xiangqi", "breakthrough", "kingofthehill"}) {
        CAPTURE(game);
        RunFolder folder;
        folder.write("m.yaml", "programs:\n  ours: {command: [" + folder.program("gameplayer") +
                                   ", " + rules_file(game) + "]}\n  fairy: {command: [" + fairy +
                                   "], options: {Hash: 16, Threads: 1}}\nmatch: {between: [ours, "
                                   "fairy], game: " +
                                   rules_file(game) +
                                   ", openings: {random: 4}, seed: 7, time: {ours: {nodes: 500}, "
                                   "fairy: {depth: 2}}, pairs: " +
                                   pairs + ", adjudicate: {length: 120}}\n");
        const Finished finished = folder.assay({"run", "m.yaml", "--json"}, 280);
        CAPTURE(finished.err);
        check_faultless(finished);
        CHECK(parsed(finished.out).at("pairs").as_int64() == std::stoi(pairs));
    }
}

TEST_CASE(
    "Rules match: a killed run of draughts goes on without its files of rules, to the same end") {
    const auto config = [](RunFolder& folder) {
        const std::string player =
            "{command: [" + folder.program("gameplayer") + ", " + rules_file("checkers") + "]";
        folder.write("deep.mg", assay::read_file(rules_file("checkers")));
        folder.write("base.mg", "based on \"deep.mg\"\n");
        folder.write("my.mg", "based on \"base.mg\"\n");
        folder.write(
            "m.yaml",
            "programs:\n  a: " + player + "}\n  b: " + player +
                ", options: {Evaluation: result}}\nmatch: {between: [a, b], "
                "game: ./my.mg, openings: {random: 6}, seed: 9, time: {nodes: 100}, pairs: "
                "12, concurrency: 2, adjudicate: {length: 60}}\n");
    };
    RunFolder whole;
    config(whole);
    check_faultless(whole.assay({"run", "m.yaml", "--json"}));

    RunFolder cut;
    config(cut);
    Child child(cut.assay_argv({"run", "m.yaml", "--json"}), cut.root());
    (void)child.until([&] { return cut.games_stored() >= 4; });
    child.signal(SIGKILL);
    (void)child.wait();
    CHECK(cut.games_stored() < 24);
    for (const char* const file : {"/my.mg", "/base.mg", "/deep.mg"})
        CHECK(std::filesystem::remove(cut.root() + file));
    CHECK(cut.assay({"run", "m.yaml"}).code == 2);
    check_faultless(cut.assay({"run", "m.yaml", "--resume", "--json"}));
    CHECK(games_of(cut.root() + "/assay.db") == games_of(whole.root() + "/assay.db"));
}

}  // namespace rules_matches
