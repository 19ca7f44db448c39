#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/syzygy_table.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// A book of one position in which the queen takes the rook: then the table decides.
constexpr const char* kBeforeTable = "7k/8/8/8/8/8/1r6/KQ6 w - - 0 1\n";

using Argv = std::vector<std::string>;

constexpr const char* kBook =
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n"
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n"
    "rnbqkbnr/pppppp1p/6p1/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2\n"
    "rnbqkb1r/pppppppp/5n2/8/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 2 2\n"
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";

Argv operator+(Argv words, const Argv& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// A folder in which the program can be called by the name of another runner.
class RunnerFolder {
public:
    RunnerFolder() {
        write("book.epd", kBook);
        for (const char* const name : {"fastchess", "fastchess-ob", "cutechess-cli"})
            std::filesystem::create_symlink(ASSAY_BINARY_DIR "/assay", root() + "/" + name);
        program("instant");
        program("misbehave");
    }

    void write(const std::string& name, const std::string& text) { folder_.write(name, text); }

    std::string program(const std::string& name) { return folder_.program(name); }

    [[nodiscard]] Argv argv(const std::string& name, const Argv& words) const {
        return Argv{root() + "/" + name} + words;
    }

    [[nodiscard]] Finished run(const std::string& name, const Argv& words) const {
        return assay::test::run(argv(name, words), root());
    }

    /// What the reader of a worker says of these streams; the code 0 where it is content.
    Finished read_as(const std::string& worker, const Argv& flags, const Finished& said) {
        write("out.txt", said.out);
        write("err.txt", said.err);
        Argv words{"/usr/bin/env", "python3", ASSAY_SOURCE_DIR "/tests/support/worker_streams.py",
                   worker};
        words = words + flags + Argv{"out.txt"};
        if (worker == "fishtest") words.emplace_back("err.txt");
        return assay::test::run(words, root());
    }

    [[nodiscard]] const std::string& root() const { return folder_.root(); }

    RunFolder& folder() { return folder_; }

private:
    RunFolder folder_;
};

/// As a worker of fishtest calls it, with shorter games.
Argv fishtest_words(const std::string& engine, const std::string& clock, int rounds) {
    const std::string option = engine == "instant" ? "option.Seed=" : "option.Hash=";
    return {"-testEnv",
            "-recover",
            "-repeat",
            "-games",
            "2",
            "-rounds",
            std::to_string(rounds),
            "-ratinginterval",
            "1",
            "-scoreinterval",
            "1",
            "-autosaveinterval",
            "0",
            "-report",
            "penta=true",
            "-pgnout",
            "file=results.pgn",
            "append=false",
            "-crc32",
            "pgn=true",
            "-site",
            "http://localhost/tests/view/1",
            "-event",
            "Batch 0: New vs Base",
            "-srand",
            "12345678901234567890",
            "-resign",
            "movecount=3",
            "score=600",
            "-draw",
            "movenumber=34",
            "movecount=8",
            "score=20",
            "-variant",
            "standard",
            "-concurrency",
            "2",
            "-openings",
            "file=book.epd",
            "format=epd",
            "order=random",
            "plies=16",
            "start=3",
            "-check-mate-pvs",
            "-engine",
            "name=New-0123456789abcdef",
            "tc=" + clock,
            "cmd=" + engine,
            "dir=.",
            option + "1",
            "-engine",
            "name=Base-fedcba9876543210",
            "tc=" + clock,
            "cmd=" + engine,
            "dir=.",
            option + "2",
            "-each",
            "proto=uci",
            "-maxmoves",
            "30"};
}

/// As a worker of OpenBench calls it, with shorter games.
Argv openbench_words(const std::string& dev, int rounds) {
    return {"-recover",
            "-variant",
            "standard",
            "-testEnv",
            "-concurrency",
            "2",
            "-rounds",
            std::to_string(rounds),
            "-games",
            "2",
            "-resign",
            "movecount=3",
            "score=400",
            "-engine",
            "dir=.",
            "cmd=./" + dev,
            "proto=uci",
            "tc=20.00+0.20",
            "timemargin=250",
            "option.Seed=1",
            "name=engine-dev",
            "-engine",
            "dir=.",
            "cmd=./instant",
            "proto=uci",
            "tc=20.00+0.20",
            "timemargin=250",
            "option.Seed=2",
            "name=engine-base",
            "-openings",
            "file=book.epd",
            "format=epd",
            "order=random",
            "start=1",
            "-srand",
            "42",
            "-pgnout",
            "file=games.pgn",
            "seldepth=true",
            "nodes=true",
            "match_line=^info string pgncomment .*",
            "-maxmoves",
            "30"};
}

Argv two_engines(const std::string& first, const std::string& args, const std::string& limit) {
    Argv words{"-engine", "cmd=./" + first, "name=first"};
    if (!args.empty()) words.push_back("args=" + args);
    return words + Argv{"-engine",   "cmd=./instant", "name=second", "-each", limit,
                        "-openings", "file=book.epd", "-maxmoves",   "20"};
}

std::string without_line(const std::string& text, const std::string& part, int which) {
    std::string kept;
    int seen = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string line = text.substr(at, end - at);
        if (!contains(line, part) || seen++ != which) kept += line;
        at = end;
    }
    return kept;
}

std::size_t parts_in(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace

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
    CHECK(parts_in(pgn, "[FEN ") == 5);
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

TEST_CASE("Drop-in: a crash loses its game with -recover, and ends the match without") {
    RunnerFolder folder;
    const Argv words = two_engines("misbehave", "--sin abort --at 3", "nodes=10") +
                       Argv{"-rounds", "2", "-pgnout", "file=g.pgn"};
    const Finished kept = folder.run("fastchess", words + Argv{"-recover"});
    CHECK_MESSAGE(kept.code == 0, kept.out << kept.err);
    CHECK(parts_in(kept.out, " disconnects}") == 4);
    CHECK(contains(kept.out, "\n\nPlayer: first\n  Timeouts: 0\n  Crashed: 4\n\n"));
    CHECK(contains(kept.out, "Finished match\nTotal Time: 00:"));
    std::filesystem::remove(folder.root() + "/g.pgn");

    const Finished ended = folder.run("fastchess", words);
    CHECK(ended.code == 1);
    CHECK(contains(ended.out,
                   "Game 1 stalled / disconnected and no recover option set for engine, stopping "
                   "tournament.\nFinished game 1 (first vs second): 0-1 {White disconnects}\n"));
    CHECK(contains(ended.out,
                   "Tournament was interrupted. To resume the tournament, run: " + folder.root() +
                       "/fastchess -config file=config.json\n" + "Finished match\n"));
    CHECK(assay::read_file(folder.root() + "/g.pgn").empty());
}

TEST_CASE("Drop-in: an interrupt with a deaf engine ends within fifteen seconds") {
    RunnerFolder folder;
    Child child(folder.argv("fastchess", two_engines("misbehave", "--sin deaf --at 2", "tc=1000") +
                                             Argv{"-recover"}),
                folder.root());
    REQUIRE(child.says("Started game 1"));
    child.signal(SIGINT);
    const Finished finished = child.wait();
    CHECK(finished.code == 1);
    CHECK(finished.seconds < 15);
    CHECK(contains(finished.out, "Tournament was interrupted."));
    CHECK(contains(finished.out, "Finished match"));
    CHECK_FALSE(contains(finished.out, ": *"));
    CHECK(folder.folder().is_quiet());
}

TEST_CASE("Drop-in: engines end when the runner and all that bears its name are killed") {
    RunnerFolder folder;
    Child child(
        folder.argv("fastchess-ob",
                    two_engines("misbehave", "--sin deaf --at 2", "tc=1000") + Argv{"-recover"}),
        folder.root());
    REQUIRE(child.says("Started game 1"));
    for (const pid_t pid : assay::test::processes_with(folder.root() + "/fastchess-ob"))
        ::kill(pid, SIGKILL);
    CHECK(child.wait().code == 137);
    CHECK(folder.folder().is_quiet());
}

TEST_CASE("Drop-in: an interrupted match goes on by its file of results, no game twice") {
    RunnerFolder folder;
    const Argv words = two_engines("instant", "", "tc=20+0.2") +
                       Argv{"-rounds", "40", "-srand", "5", "-pgnout", "file=g.pgn", "-recover"};
    Child child(folder.argv("fastchess", words), folder.root());
    REQUIRE(child.says("Finished game 6"));
    child.signal(SIGINT);
    REQUIRE(child.wait().code == 1);
    const Finished rest = folder.run("fastchess", {"-config", "file=config.json"});
    CHECK_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK(rest.out.starts_with("Loading config file: config.json\n"));
    CHECK(contains(rest.out, "Games: 80, "));
    CHECK_FALSE(contains(rest.out, "Finished game 1 "));
    const std::string pgn = assay::read_file(folder.root() + "/g.pgn");
    CHECK(parts_in(pgn, "[Event ") == 80);
}

TEST_CASE("Drop-in: a killed match and a resume that fails lose no game") {
    RunnerFolder folder;
    const Argv words =
        two_engines("instant", "", "tc=20+0.2") +
        Argv{"-rounds",           "40", "-srand", "5", "-pgnout", "file=g.pgn", "-recover",
             "-autosaveinterval", "1"};
    Child child(folder.argv("fastchess", words), folder.root());
    REQUIRE(child.says("Finished game 6"));
    child.signal(SIGKILL);
    (void)child.wait();
    const Argv resume{"-config", "file=config.json"};
    const Finished refused =
        folder.run("fastchess", resume + Argv{"-pgnout", "file=/nonexistent/x.pgn"});
    CHECK(refused.code == 1);
    CHECK_FALSE(contains(refused.out, "Finished game"));
    Child rest(folder.argv("fastchess", resume), folder.root());
    REQUIRE(rest.says("Finished game 20"));
    // A match that begins now may remove what others left behind, but nothing that is played in.
    CHECK(folder
              .run("fastchess",
                   two_engines("instant", "", "nodes=10") + Argv{"-config", "outname=o.json"})
              .code == 0);
    const Finished ended = rest.wait();
    CHECK_MESSAGE(ended.code == 0, ended.out << ended.err);
    CHECK(contains(ended.out, "Games: 80, "));
    CHECK_FALSE(contains(ended.out, "Finished game 1 "));
}

TEST_CASE("Drop-in: a run of assay match is a run like any other") {
    RunnerFolder folder;
    const Finished played = folder.folder().assay(
        Argv{"match", "--db", "x.db"} + two_engines("instant", "", "nodes=10") +
        Argv{"-rounds", "3", "-sprt", "elo0=0", "elo1=5", "alpha=0.05", "beta=0.05"});
    REQUIRE_MESSAGE(played.code == 0, played.out << played.err);
    CHECK(contains(played.out, "\nLLR: "));
    CHECK(contains(played.out, "Games: 6, "));
    const Finished report = folder.folder().assay({"report", "--db", "x.db", "--format", "json"});
    REQUIRE_MESSAGE(report.code == 0, report.err);
    CHECK(parsed(report.out).at("games").as_int64() == 6);
    CHECK(folder.folder().assay({"report", "--db", "x.db", "--format", "html"}).code == 0);
    CHECK(folder.folder().assay({"match", "--help"}).code == 0);
    CHECK(folder.folder().assay({"match", "-help"}).out.starts_with("assay with the command"));
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
    CHECK(parts_in(assay::read_file(folder.root() + "/g.pgn"), "[Event ") == 4);
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

TEST_CASE("Drop-in: an opening that is none ends the match, and says which") {
    RunnerFolder folder;
    folder.write("bad.epd",
                 std::string("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - "
                             "1 2\nno position at all\n"));
    Argv words = two_engines("instant", "", "nodes=10") + Argv{"-rounds", "2", "-recover"};
    std::ranges::replace(words, std::string("file=book.epd"), std::string("file=bad.epd"));
    const Finished said = folder.run("fastchess", words);
    CHECK(said.code == 1);
    CHECK(contains(said.out,
                   "Error while creating match: Failed to set position from opening book, invalid "
                   "FEN or EPD: no position at all\n"));
    CHECK(contains(said.out, "Tournament was interrupted."));
}

TEST_CASE("Drop-in: an engine that does not start is named, with exit code 1") {
    RunnerFolder folder;
    const Finished deaf =
        folder.run("fastchess", two_engines("misbehave", "--sin no-uciok", "nodes=10") +
                                    Argv{"-startup-ms", "500", "-recover"});
    CHECK(deaf.code == 1);
    CHECK(contains(deaf.out,
                   "Fatal; first engine startup failure: \"Engine didn't respond to uciok after "
                   "startup\"\n"));
    const Finished strict =
        folder.run("fastchess", two_engines("instant", "", "nodes=10") +
                                    Argv{"-each", "option.NoSuch=1", "-rounds", "50", "-strict"});
    CHECK(strict.code == 1);
    CHECK(contains(strict.out, " doesn't have option NoSuch\n"));
    CHECK(contains(strict.out, "Tournament was interrupted."));
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

TEST_CASE("Drop-in: a match that goes on counts the losses of all its sessions") {
    RunnerFolder folder;
    const Argv words = two_engines("misbehave", "--sin abort --at 3", "nodes=10") +
                       Argv{"-rounds", "20", "-srand", "5", "-recover"};
    Child child(folder.argv("fastchess", words), folder.root());
    REQUIRE(child.says("Finished game 6"));
    child.signal(SIGINT);
    REQUIRE(child.wait().code == 1);
    const Finished rest = folder.run("fastchess", {"-config", "file=config.json"});
    CHECK_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK_FALSE(contains(rest.out, "Finished game 1 "));
    CHECK(contains(rest.out, "\n\nPlayer: first\n  Timeouts: 0\n  Crashed: 40\n\n"));
}

TEST_CASE(
    "Drop-in: a file of results that is damaged, a folder or a FIFO is refused by its fault") {
    RunnerFolder folder;
    const auto said_of = [&folder](const std::string& file) {
        const Finished said = folder.run("fastchess", {"-config", "file=" + file});
        CHECK(said.code == 1);
        CHECK(said.err.empty());
        return said.out;
    };
    folder.write("cut.json", "{\n  \"engines\": [\n");
    CHECK(
        contains(said_of("cut.json"), "Reason: cut.json:3:1: error: the JSON text ends too early"));
    folder.write("bad.json", "{\n  \"engines\": [],\n  \"games\" 2\n}\n");
    CHECK(contains(said_of("bad.json"), "Reason: bad.json:3:11: error: this is no JSON\n"));
    folder.write("more.json", "{\"engines\": []} x\n");
    CHECK(contains(said_of("more.json"), "more.json:1:17: error: this is no JSON"));
    folder.write("key.json", R"({"engines": [{"name": "a", "limit": {"tc": {"time": "1s"}}}]})");
    CHECK(contains(said_of("key.json"),
                   "key.json: 'engines[0].limit.tc.time' must be a whole number"));
    folder.write("name.json", R"({"engine": []})");
    CHECK(contains(said_of("name.json"),
                   "name.json: there is no 'engines'; did you mean 'engine'?; correct it, or"));
    folder.write("list.json", "[]");
    CHECK(contains(said_of("list.json"), "list.json: a file of results is an object"));
    std::filesystem::create_directory(folder.root() + "/folder");
    CHECK(contains(said_of("folder"), "folder: cannot read: it is no regular file"));
    REQUIRE(::mkfifo((folder.root() + "/fifo").c_str(), 0600) == 0);
    CHECK(contains(said_of("fifo"), "fifo: cannot read: it is no regular file"));
    CHECK(contains(said_of("none.json"), "File not found: none.json"));
    std::filesystem::resize_file(folder.root() + "/list.json", 17U << 20U);
    CHECK(contains(said_of("list.json"), "a file of results has at most 16 MiB"));
}

TEST_CASE("Drop-in: each mistake is blamed on what is at fault, once") {
    RunnerFolder folder;
    const Finished hurried =
        folder.run("fastchess", two_engines("misbehave", "--sin no-uciok", "nodes=10") +
                                    Argv{"-startup-ms", "0", "-recover"});
    CHECK(hurried.code == 1);
    CHECK(contains(hurried.out,
                   " engine startup failure: \"Engine didn't respond to uciok after startup\"\n"));
    CHECK_FALSE(contains(hurried.out, "Match failed with exception"));

    const Finished few = folder.run(
        "fastchess", two_engines("instant", "", "nodes=10") + Argv{"-concurrency", "-9999"});
    CHECK(few.code == 1);
    CHECK(few.out.starts_with("Error: -concurrency -9999 leaves no thread of "));

    folder.write("empty.epd", "");
    Argv empty = two_engines("instant", "", "nodes=10");
    std::ranges::replace(empty, std::string("file=book.epd"), std::string("file=empty.epd"));
    const Finished bookless = folder.run("fastchess", empty);
    CHECK(bookless.code == 1);
    CHECK(contains(bookless.out, "Error"));
    CHECK_FALSE(contains(bookless.out, "error: "));

    const Finished unwritable =
        folder.run("fastchess", two_engines("instant", "", "nodes=10") +
                                    Argv{"-pgnout", "file=/no/such/folder/g.pgn"});
    CHECK(unwritable.code == 1);
    CHECK(contains(unwritable.out, "Error: /no/such/folder/g.pgn: "));

    const Finished cute =
        folder.run("cutechess-cli", {"-engine", "cmd=./none", "name=a", "-engine", "cmd=./instant",
                                     "name=b", "-each", "proto=uci", "tc=1", "-rounds", "1"});
    CHECK(cute.code == 0);
    CHECK(cute.err == "Warning: Cannot start engine a:\nCannot execute command: ./none\n");
    const Finished deaf =
        folder.run("cutechess-cli", {"-engine", "cmd=/bin/false", "name=a", "-engine",
                                     "cmd=./instant", "name=b", "-each", "proto=uci", "tc=1"});
    CHECK_FALSE(contains(deaf.err, "Fatal;"));
    CHECK(contains(deaf.err, "Warning: Could not initialize player a: "));
}

TEST_CASE("Drop-in: the log has what is printed, from a level on, and what engines say") {
    RunnerFolder folder;
    const Argv words = two_engines("instant", "", "nodes=10") + Argv{"-rounds", "1"};
    const auto log_of = [&](const Argv& flags) {
        std::filesystem::remove(folder.root() + "/log.txt");
        const Finished said = folder.run("fastchess", words + Argv{"-log"} + flags);
        CHECK_MESSAGE(said.code == 0, said.out);
        return assay::read_file(folder.root() + "/log.txt");
    };
    const std::string all = log_of({"file=log.txt", "level=info", "engine=true"});
    CHECK(contains(all, "[Engine] ["));
    CHECK(contains(all, "> first <--- uci\n"));
    CHECK(contains(all, "> second ---> uciok\n"));
    CHECK(contains(all, "[INFO  ] ["));
    CHECK(contains(all, "> fastchess --- Finished match\n\n"));
    CHECK(log_of({"file=log.txt"}).empty());  // warnings alone, and there are none
    CHECK(folder.run("fastchess", words + Argv{"-log", "file=log.txt", "compress=true"}).code == 1);
}

TEST_CASE("Drop-in: a log that cannot be written any more is told of once, and ends no match") {
    RunnerFolder folder;
    const Finished full =
        folder.run("fastchess", two_engines("instant", "", "nodes=10") +
                                    Argv{"-rounds", "1", "-log", "file=/dev/full", "engine=true"});
    CHECK(full.code == 0);
    const std::string told = "Warning: -log ends here, the match goes on: /dev/full: ";
    CHECK(contains(full.out, told));
    CHECK_FALSE(contains(full.out.substr(full.out.find(told) + 1), "Warning: -log"));
    CHECK(contains(full.out, "Finished match"));
}

TEST_CASE("Drop-in: a message that has an error's word in a name is printed as it is") {
    RunnerFolder folder;
    std::filesystem::create_directory(folder.root() + "/terror");
    const Finished said =
        folder.folder().assay(Argv{"match"} + two_engines("instant", "", "nodes=10") +
                              Argv{"-rounds", "1", "--db", "terror"});
    CHECK(said.code == 1);
    CHECK(contains(said.out, "Error: terror: "));
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
    CHECK(parts_in(said.out, ": 1-0 {White wins by adjudication: SyzygyTB}") == 2);
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
    CHECK(parts_in(cute.out, "{White wins by adjudication: TB position}") == 2);

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

TEST_CASE("Drop-in: a file of results that fastchess wrote is gone on with") {
    RunnerFolder folder;
    // As fastchess 1.8.2 writes it: no key of ours, and intervals that never come.
    folder.write("config.json", R"({
    "resign": {"move_count": 3, "score": 600, "twosided": false, "enabled": true},
    "draw": {"move_number": 34, "move_count": 8, "score": 20, "enabled": true},
    "maxmoves": {"move_count": 20, "enabled": true},
    "tb_adjudication": {"syzygy_dirs": "", "max_pieces": 0, "ignore_50_move_rule": false,
        "enabled": false},
    "opening": {"file": "book.epd", "format": 0, "order": 0, "plies": -1, "start": 1},
    "pgn": {"additional_lines_rgx": [], "event_name": "Fastchess Tournament", "site": "?",
        "file": "g.pgn", "notation": 0, "append_file": false, "track_nodes": true, "crc": true},
    "epd": {"file": "", "append_file": true},
    "sprt": {"alpha": 0.0, "beta": 0.0, "elo0": 0.0, "elo1": 0.0, "model": "normalized",
        "enabled": false},
    "config_name": "config.json", "output": 0, "seed": 18446744073709551615, "variant": 0,
    "type": 0, "gauntlet_seeds": 1, "ratinginterval": 2147483647, "scoreinterval": 1, "wait": 1,
    "autosaveinterval": 20, "games": 2, "rounds": 5, "concurrency": 1, "force_concurrency": false,
    "recover": true, "noswap": false, "reverse": false, "report_penta": true, "affinity": false,
    "check_mate_pvs": true, "show_latency": false,
    "log": {"file": "", "level": 3, "append_file": true, "compress": false, "realtime": true,
        "engine_coms": false},
    "engines": [
        {"name": "first", "dir": "", "cmd": "./instant", "args": "", "restart": false,
         "options": [["Seed", "1"]], "limit": {"tc": {"increment": 0, "fixed_time": 0, "time": 0,
         "moves": 0, "timemargin": 0}, "nodes": 10, "plies": 0}, "variant": 0},
        {"name": "second", "dir": "", "cmd": "./instant", "args": "", "restart": false,
         "options": [["Seed", "2"]], "limit": {"tc": {"increment": 0, "fixed_time": 0, "time": 0,
         "moves": 0, "timemargin": 0}, "nodes": 10, "plies": 0}, "variant": 0}],
    "stats": {"first vs second": {"wins": 3, "losses": 1, "draws": 0, "penta_WW": 1, "penta_WD": 0,
        "penta_WL": 1, "penta_DD": 0, "penta_LD": 0, "penta_LL": 0}}
}
)");
    const Finished said = folder.run("fastchess", {"-config", "file=config.json"});
    CHECK_MESSAGE(said.code == 0, said.out << said.err);
    CHECK(contains(said.out, "Resuming from 4 games, ignoring -pgnout append=false.\n"));
    CHECK(contains(said.out, "Started game 5 of 10 (first vs second)\n"));
    CHECK(contains(said.out, "Games: 10, "));
    CHECK(contains(said.out, "has CRC32: 0x"));
    CHECK(parts_in(assay::read_file(folder.root() + "/g.pgn"), "[Event ") == 6);
}
