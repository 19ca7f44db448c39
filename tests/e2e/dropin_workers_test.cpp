#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/runner_folder.h"
#include "tests/support/contains.h"

using assay::test::Argv;
using assay::test::contains;
using assay::test::Finished;
using assay::test::fishtest_words;
using assay::test::openbench_words;
using assay::test::RunnerFolder;
using assay::test::times_in;
using assay::test::without_line;
using assay::test::operator+;

TEST_CASE("Drop-in: a worker of fishtest is content, and finds each lie") {
    RunnerFolder folder;
    Finished said = folder.run("fastchess", fishtest_words("instant", "20.000+0.200", 6));
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    const Argv flags{"--games", "12", "--batch", "4", "--pgn", "results.pgn"};
    const Finished read = folder.read_as("fishtest", flags, said);
    CHECK_MESSAGE(read.code == 0, read.out << said.out);
    CHECK(contains(read.out, "blocks=6"));
    CHECK(said.err.empty());
    CHECK(contains(said.out, "Indexing opening suite...\nStarted game 1 of 12 (New-"));
    CHECK(folder.folder().is_quiet());

    const std::string honest = said.out;
    said.out = without_line(honest, "Ptnml(0-2)", 2);
    CHECK(folder.read_as("fishtest", flags, said).code == 1);
    const std::size_t crc = honest.rfind("0x") + 2;
    said.out = honest.substr(0, crc) + "0" + honest.substr(crc);
    CHECK(folder.read_as("fishtest", flags, said).code == 1);
    said.out = honest + "Warning; Illegal PV move - move a1a1 from New\n";
    CHECK(folder.read_as("fishtest", flags, said).code == 1);
    said.out = "\xc3\xa9\n" + honest;
    CHECK(folder.read_as("fishtest", flags, said).code == 1);
    said.out = without_line(honest, "Finished match", 0);
    CHECK(folder.read_as("fishtest", flags, said).code == 1);
}

TEST_CASE("Drop-in: our own player says nothing that stops a test of fishtest") {
    RunnerFolder folder;
    folder.program("player");
    const Argv words = fishtest_words("player", "1.000+0.010", 3);
    const Finished said = folder.run("fastchess", words);
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    const Finished read =
        folder.read_as("fishtest", {"--games", "6", "--pgn", "results.pgn"}, said);
    CHECK_MESSAGE(read.code == 0, read.out << said.out);
}

TEST_CASE("Drop-in: a worker of OpenBench is content, and finds each lie") {
    RunnerFolder folder;
    Finished said = folder.run("fastchess-ob", openbench_words("instant", 5));
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    const Argv flags{"--games", "10", "--pgn", "games.pgn"};
    const Finished read = folder.read_as("openbench", flags, said);
    CHECK_MESSAGE(read.code == 0, read.out << said.out);

    const std::string honest = said.out;
    said.out = without_line(honest, "Finished game", 3);
    CHECK(folder.read_as("openbench", flags, said).code == 1);
    const std::size_t line = honest.find("Finished game");
    said.out = honest.substr(0, honest.find('\n', line) + 1) + honest.substr(line);
    CHECK(folder.read_as("openbench", flags, said).code == 1);
    said.out = "\n" + honest;
    CHECK(folder.read_as("openbench", flags, said).code == 1);
}

TEST_CASE("Drop-in: a single game of each opening, and an odd number of them") {
    RunnerFolder folder;
    Argv words = openbench_words("instant", 5);
    *(std::find(words.begin(), words.end(), "-games") + 1) = "1";
    Finished said = folder.run("fastchess-ob", words);
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    const Finished read =
        folder.read_as("openbench", {"--games", "5", "--one-game", "--pgn", "games.pgn"}, said);
    CHECK_MESSAGE(read.code == 0, read.out << said.out);
    // Colours alternate with the game's number.
    CHECK(contains(said.out, "Finished game 5 (engine-dev vs engine-base)"));
    CHECK(contains(said.out, "Finished game 4 (engine-base vs engine-dev)"));
    CHECK_FALSE(contains(said.out, "Ptnml"));
    const std::string pgn = assay::read_file(folder.root() + "/games.pgn");
    CHECK(times_in(pgn, "[FEN ") == 5);
}

TEST_CASE("Drop-in: the version is told as each worker asks for it") {
    RunnerFolder folder;
    const std::string script = ASSAY_SOURCE_DIR "/tests/support/worker_streams.py";
    const std::string sha = "58072f23a1b2c3d4";
    const auto accepted = [&](const std::string& worker, const Argv& argv) {
        const Finished said = assay::test::run(argv, folder.root());
        REQUIRE(said.code == 0);
        const std::string text = said.out.substr(0, said.out.size() - 1);
        const Argv words{"/usr/bin/env", "python3", script, "version", worker, sha, text};
        return assay::test::run(words, folder.root()).code == 0;
    };
    const Argv plain = folder.argv("fastchess-ob", {"--version"});
    CHECK(accepted("openbench", plain));
    CHECK_FALSE(accepted("fishtest", plain));
    const Argv with_sha =
        Argv{"/usr/bin/env", "ASSAY_FASTCHESS_SHA=58072f23"} + folder.argv("fastchess", {"-v"});
    CHECK(accepted("openbench", with_sha));
    CHECK(accepted("fishtest", with_sha));
    const Finished cute = folder.run("cutechess-cli", {"-version"});
    CHECK(cute.out.starts_with("cutechess-cli 1.5"));
}
