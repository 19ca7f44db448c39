#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/runner_folder.h"
#include "tests/support/contains.h"
#include "tests/support/syzygy_table.h"

using assay::test::Argv;
using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunnerFolder;
using assay::test::times_in;
using assay::test::two_engines;
using assay::test::operator+;

namespace {

/// A book of one position in which the queen takes the rook: then the table decides.
constexpr const char* kBeforeTable = "7k/8/8/8/8/8/1r6/KQ6 w - - 0 1\n";

}  // namespace

TEST_CASE("Drop-in: refusals go to the runner's stream with its exit code") {
    RunnerFolder folder;
    const Finished fast = folder.run("fastchess", {"-engne", "cmd=a"});
    CHECK(fast.code == 1);
    CHECK(fast.out == "Unrecognized option: -engne parsing failed.: Did you mean \"-engine\"?\n");
    CHECK(fast.err.empty());
    const Finished cute = folder.run("cutechess-cli", {"-engne", "cmd=a"});
    CHECK(cute.code == 1);
    CHECK(cute.out.empty());
    CHECK(cute.err == "Warning: Unknown option: \"-engne\"\n");
    const Finished help = folder.run("fastchess", {});
    CHECK(help.code == 0);
    CHECK(contains(help.out, "-openings file=FILE"));
    CHECK(folder.run("fastchess", {"--compliance", "./instant"}).code == 0);
    CHECK(folder.run("fastchess", {"--compliance", "./misbehave", "--sin", "no-uciok"}).code == 1);
}

TEST_CASE("Drop-in: cutechess-cli's words, streams and end") {
    RunnerFolder folder;
    const Argv words{"-engine",
                     "cmd=./instant",
                     "name=first",
                     "proto=uci",
                     "option.Seed=1",
                     "-engine",
                     "cmd=./instant",
                     "name=second",
                     "proto=uci",
                     "-each",
                     "tc=40/20",
                     "-games",
                     "2",
                     "-rounds",
                     "2",
                     "-repeat",
                     "-openings",
                     "file=book.epd",
                     "format=epd",
                     "-maxmoves",
                     "20",
                     "-pgnout",
                     "g.pgn"};
    const Finished said = folder.run("cutechess-cli", words);
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    CHECK(said.err.empty());
    CHECK(said.out.starts_with("Started game 1 of 4 (first vs second)\nFinished game 1 "));
    CHECK(contains(said.out, "\nScore of first vs second: "));
    CHECK(contains(said.out, "\n...      White vs Black: "));
    CHECK(contains(said.out, "\nPlayer: second\n   \""));
    CHECK(said.out.ends_with("Finished match\n"));
    CHECK(times_in(assay::read_file(folder.root() + "/g.pgn"), "[Event ") == 4);
    // assay match sees whose words these are.
    CHECK(folder.folder().assay(Argv{"match"} + words).out.ends_with("Finished match\n"));
}

TEST_CASE("Drop-in: an SPRT ends with its block twice and the hypothesis") {
    RunnerFolder folder;
    folder.program("player");
    const Finished said = folder.run("fastchess", {"-engine",
                                                   "cmd=./player",
                                                   "name=strong",
                                                   "-engine",
                                                   "cmd=./instant",
                                                   "name=weak",
                                                   "-each",
                                                   "nodes=300",
                                                   "-openings",
                                                   "file=book.epd",
                                                   "-rounds",
                                                   "200",
                                                   "-sprt",
                                                   "elo0=0",
                                                   "elo1=100",
                                                   "alpha=0.05",
                                                   "beta=0.05",
                                                   "-resign",
                                                   "movecount=2",
                                                   "score=900",
                                                   "-recover",
                                                   "-ratinginterval",
                                                   "1"});
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    const std::size_t end = said.out.find("SPRT ([0.00, 100.00]) completed - H1 was accepted\n");
    REQUIRE(end != std::string::npos);
    const std::size_t last = said.out.rfind("Results of", end);
    const std::size_t before = said.out.rfind("Results of", last - 1);
    CHECK(said.out.substr(last, end - last) == said.out.substr(before, end - last));
    CHECK(contains(said.out.substr(end), "Finished match\n"));
}

TEST_CASE("Drop-in: a real engine plays, and the head of its results knows its options") {
    if (!std::filesystem::exists("/usr/games/stockfish")) return;
    RunnerFolder folder;
    const Finished said = folder.run(
        "fastchess", {"-engine", "cmd=/usr/games/stockfish", "name=sf", "option.Hash=32", "-engine",
                      "cmd=./instant", "name=other", "-each", "nodes=50", "-openings",
                      "file=book.epd", "-rounds", "1", "-recover", "-ratinginterval", "1"});
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    CHECK(
        contains(said.out, "Results of sf vs other (50 nodes, 1t - NULL, 32MB - NULL, book.epd):"));
}

TEST_CASE("Drop-in: a list of processors pins games, and one that is too short is an error") {
    RunnerFolder folder;
    const Argv words =
        two_engines("instant", "", "nodes=10") + Argv{"-rounds", "1", "-force-concurrency"};
    const Finished pinned = folder.run("fastchess", words + Argv{"-use-affinity", "0"});
    CHECK_MESSAGE(pinned.code == 0, pinned.out);
    const Finished few =
        folder.run("fastchess", words + Argv{"-use-affinity", "0", "-concurrency", "2"});
    CHECK(few.code == 1);
    CHECK(contains(few.out,
                   "affinity names 1 processor, and 2 games at once with 1 thread each need 2\n"));
    const Finished none = folder.run("fastchess", words + Argv{"-use-affinity", "4095"});
    CHECK(none.code == 1);
    CHECK(contains(none.out, "affinity names processor 4095, which this process may not use"));
    CHECK(contains(folder.run("fastchess", words + Argv{"-use-affinity", "3-1"}).out,
                   "Bad cpu list."));
}

TEST_CASE("Drop-in: tables adjudicate, and those that are missing or damaged are refused") {
    if (!std::filesystem::exists("/usr/games/stockfish")) return;
    RunnerFolder folder;
    folder.write("book.epd", kBeforeTable);
    std::filesystem::create_directory(folder.root() + "/tb");
    const std::string table = assay::test::queen_table(assay::test::QueenEnding());
    folder.write("tb/KQvK.rtbw", table);
    const Argv words{"-engine",
                     "cmd=/usr/games/stockfish",
                     "name=a",
                     "-engine",
                     "cmd=/usr/games/stockfish",
                     "name=b",
                     "-each",
                     "depth=6",
                     "-openings",
                     "file=book.epd",
                     "-rounds",
                     "1",
                     "-recover",
                     "-tb",
                     "tb"};
    const Finished said = folder.run("fastchess", words);
    if (contains(said.out, "libfathom")) {
        MESSAGE("skipped: " << said.out);
        return;
    }
    CHECK_MESSAGE(said.code == 0, said.out);
    CHECK(times_in(said.out, ": 1-0 {White wins by adjudication: SyzygyTB}") == 2);
    CHECK(contains(assay::read_file(folder.root() + "/config.json"),
                   "\"syzygy_dirs\": \"tb\",\n        \"max_pieces\": 0,"));
    // Only draws are adjudicated.
    CHECK_FALSE(
        contains(folder.run("fastchess", words + Argv{"-tbadjudicate", "DRAW"}).out, "SyzygyTB"));
    const Finished cute = folder.run("cutechess-cli", {"-engine",
                                                       "cmd=/usr/games/stockfish",
                                                       "name=a",
                                                       "-engine",
                                                       "cmd=/usr/games/stockfish",
                                                       "name=b",
                                                       "-each",
                                                       "proto=uci",
                                                       "tc=inf",
                                                       "depth=6",
                                                       "-openings",
                                                       "file=book.epd",
                                                       "format=epd",
                                                       "-games",
                                                       "2",
                                                       "-repeat",
                                                       "-tb",
                                                       "tb",
                                                       "-tbpieces",
                                                       "3"});
    CHECK(times_in(cute.out, "{White wins by adjudication: TB position}") == 2);

    folder.write("tb/KQvK.rtbw", table.substr(0, 100));
    const Finished damaged = folder.run("fastchess", words);
    CHECK(damaged.code == 1);
    CHECK(contains(damaged.out,
                   "Error: " + folder.root() + "/tb/KQvK.rtbw: the table is cut short or damaged"));
    std::filesystem::remove(folder.root() + "/tb/KQvK.rtbw");
    CHECK(contains(folder.run("fastchess", words).out, "Error: there is no table"));
    // And of our own mode, with exit code 2.
    folder.write("m.yaml",
                 "each: {command: /usr/games/stockfish}\nprograms: {a: {}, b: {}}\n"
                 "match: {time: {depth: 4}, openings: book.epd, pairs: 1, adjudicate: {tablebase: "
                 "{path: tb}}}\n");
    CHECK(folder.folder().assay({"run", "m.yaml"}).code == 2);
    folder.write("tb/KQvK.rtbw", table);
    const Finished ours = folder.folder().assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(ours.code == 0, ours.err);
    CHECK(parsed(ours.out).at("terminations").at("tablebase").as_int64() == 2);
    const Finished probed = folder.folder().assay(
        {"rules", "probe", "chess", "--fen", kBeforeTable, "--tablebase", "tb"});
    CHECK(probed.out.starts_with("unknown: no table has it\n"));
    CHECK(contains(probed.out, "\nb1b2   White wins\n"));
}

TEST_CASE("Drop-in: -quick, a book of games, and names of openings") {
    RunnerFolder folder;
    folder.write("book.pgn",
                 "[Event \"x\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *\n\n");
    Child quick(
        folder.argv("fastchess", {"-quick", "cmd=./instant", "cmd=./instant", "book=book.pgn",
                                  "-pgnout", "file=g.pgn", "-maxmoves", "8"}),
        folder.root());
    REQUIRE(quick.says("Score of ./instant1 vs ./instant2: "));
    quick.signal(SIGINT);
    const Finished said = quick.wait();
    CHECK(said.code == 1);
    CHECK(contains(said.out, "Started game 1 of 50000 (./instant1 vs ./instant2)\n"));
    const std::string pgn = assay::read_file(folder.root() + "/g.pgn");
    CHECK(contains(pgn, "[ECO \"B90\"]\n[Opening \"Sicilian Defense: Najdorf"));
    CHECK(contains(pgn, "1. e4 {book} c5 {book}"));
}
