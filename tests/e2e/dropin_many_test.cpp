// More than two engines under the names of fastchess and cutechess-cli.
#include <csignal>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/e2e/runner_folder.h"
#include "tests/support/contains.h"

using assay::test::Argv;
using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunnerFolder;
using assay::test::times_in;
using assay::test::operator+;

namespace {

/// Engines A, B and so on that play at once, each in its own way.
Argv engines(int count) {
    Argv words;
    for (int i = 0; i < count; ++i) {
        words = words + Argv{"-engine", "cmd=./instant",
                             "name=" + std::string(1, static_cast<char>('A' + i)),
                             "option.Seed=" + std::to_string(i + 1)};
    }
    return words;
}

/// Games of an even end.
const Argv kShort{"-each",     "tc=20+0.2",     "proto=uci",  "-maxmoves",        "10",
                  "-openings", "file=book.epd", "format=epd", "order=sequential", "-concurrency",
                  "1"};

/// "A-B B-A": who played whom, in the order in which the games began.
std::string pairings_of(const std::string& out) {
    std::string text;
    for (const std::string_view line : assay::split_at(out, '\n')) {
        if (!line.starts_with("Started game ")) continue;
        const std::size_t names = line.find('(') + 1;
        const std::string two(line.substr(names, line.find(')') - names));
        const std::size_t versus = two.find(" vs ");
        text += (text.empty() ? "" : " ") + two.substr(0, versus) + "-" + two.substr(versus + 4);
    }
    return text;
}

/// The values of a tag, game after game.
std::string tags_of(const std::string& pgn, const std::string& tag) {
    std::string text;
    const std::string lead = "[" + tag + " \"";
    for (std::size_t at = pgn.find(lead); at != std::string::npos; at = pgn.find(lead, at + 1)) {
        const std::size_t begin = at + lead.size();
        text += (text.empty() ? "" : " ") + pgn.substr(begin, pgn.find('"', begin) - begin);
    }
    return text;
}

void check_read(RunnerFolder& folder, const Argv& flags, const Finished& said) {
    const Finished read = folder.read_as("tournament", flags, said);
    CHECK_MESSAGE(read.code == 0, read.out << said.out << said.err);
}

}  // namespace

TEST_CASE("Drop-in: a tournament that goes on keeps the games that its files have") {
    RunnerFolder folder;
    const Argv words = engines(3) + kShort + Argv{"-rounds", "10", "-srand", "5", "-recover"} +
                       Argv{"-pgnout", "file=g.pgn", "append=false"} +
                       Argv{"-epdout", "file=g.epd", "append=false"};
    Child child(folder.argv("fastchess", words), folder.root());
    REQUIRE(child.says("Finished game 7"));
    child.signal(SIGINT);
    REQUIRE(child.wait().code == 1);
    const std::size_t before = times_in(assay::read_file(folder.root() + "/g.pgn"), "[Event ");
    const Finished rest = folder.run("fastchess", {"-config", "file=config.json"});
    CHECK_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK(contains(rest.out, "Resuming from " + std::to_string(before) +
                                 " games, ignoring -pgnout append=false.\n"));
    CHECK(contains(rest.out, " games, ignoring -epdout append=false.\n"));
    CHECK(times_in(assay::read_file(folder.root() + "/g.pgn"), "[Event ") == 60);
    CHECK(times_in(assay::read_file(folder.root() + "/g.epd"), "; fmvn ") == 60);
}

TEST_CASE("Drop-in: a round robin of fastchess, in its order, with a table and all its files") {
    RunnerFolder folder;
    const Argv words =
        engines(3) + kShort + Argv{"-rounds",    "2",      "-ratinginterval", "3",       "-pgnout",
                                   "file=g.pgn", "-crc32", "pgn=true",        "-recover"};
    Finished said = folder.run("fastchess", words);
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    CHECK(pairings_of(said.out) == "A-B B-A A-C C-A B-C C-B A-B B-A A-C C-A B-C C-B");
    CHECK(contains(said.out, "Started game 1 of 12 (A vs B)\n"));
    CHECK(contains(said.out,
                   "--------------------------------------------------\n"
                   "Rank Name                             Elo        +/-       nElo        +/-   "
                   "   Games      Score       Draw           Ptnml(0-2)\n   1 "));
    // After the third pair and after the sixth, which is the last.
    CHECK(times_in(said.out, "Rank Name") == 2);
    CHECK(times_in(said.out, "Results of") == 0);
    CHECK(contains(said.out, "Finished match\nTotal Time: "));
    CHECK(said.err.empty());
    const std::string pgn = assay::read_file(folder.root() + "/g.pgn");
    CHECK(tags_of(pgn, "Round") == "1 1 2 2 3 3 4 4 5 5 6 6");
    CHECK(tags_of(pgn, "White") == "A B A C B C A B A C B C");
    // A book of five openings is cut to the two rounds, and each pairing takes the next one.
    const std::vector<std::string_view> starts = assay::split_at(pgn, '\n');
    std::set<std::string_view> different;
    for (const std::string_view line : starts)
        if (line.starts_with("[FEN ")) different.insert(line);
    CHECK(different.size() == 2);
    check_read(folder, {"--games", "12", "--engines", "3", "--pgn", "g.pgn"}, said);
    const auto results = parsed(assay::read_file(folder.root() + "/config.json"));
    CHECK(results.at("stats").as_object().size() == 3);
    CHECK(results.at("stats").at("A vs C").at("draws").as_int64() == 4);
    CHECK(results.at("type").as_int64() == 0);
    CHECK(folder.folder().is_quiet());

    const std::string honest = said.out;
    said.out = assay::test::without_line(honest, "Finished game", 4);
    CHECK(folder.read_as("tournament", {"--games", "12", "--engines", "3"}, said).code == 1);
    said.out = assay::test::without_line(honest, "   3 ", 1);
    CHECK(folder.read_as("tournament", {"--games", "12", "--engines", "3"}, said).code == 1);
}

TEST_CASE("Drop-in: a gauntlet of fastchess with two seeds, single games, and cutechess's output") {
    RunnerFolder folder;
    const Argv gauntlet = engines(4) + kShort + Argv{"-tournament", "gauntlet", "-seeds", "2"};
    const Finished pairs = folder.run("fastchess", gauntlet + Argv{"-rounds", "1"});
    REQUIRE_MESSAGE(pairs.code == 0, pairs.out << pairs.err);
    CHECK(pairings_of(pairs.out) == "A-B B-A A-C C-A A-D D-A B-C C-B B-D D-B");
    const Argv all =
        engines(3) + kShort + Argv{"-tournament", "gauntlet", "-rounds", "1", "-seeds"};
    for (const char* const seeds : {"3", "4"})
        CHECK(pairings_of(folder.run("fastchess", all + Argv{seeds}).out) ==
              "A-B B-A A-C C-A B-C C-B");
    const Finished single = folder.run(
        "fastchess", gauntlet + Argv{"-rounds", "2", "-games", "1", "-output", "format=cutechess"});
    REQUIRE_MESSAGE(single.code == 0, single.out << single.err);
    CHECK(pairings_of(single.out) == "A-B C-A A-D C-B B-D B-A A-C D-A B-C D-B");
    CHECK(contains(single.out, "Score of A vs C: 0 - 0 - 2  [0.500] 2\n"));
    CHECK_FALSE(contains(single.out, "Ptnml"));
    CHECK_FALSE(contains(single.out, "-----"));
    check_read(folder, {"--games", "10", "--engines", "4"}, single);
}

TEST_CASE("Drop-in: games of many at once are each told once, and go on after a kill") {
    RunnerFolder folder;
    folder.write("twice.epd", std::string(assay::test::kRunnerBook) + assay::test::kRunnerBook);
    const Argv words = Argv{"match", "--db", "many.db"} + engines(5) +
                       Argv{"-each",
                            "tc=20+0.2",
                            "-maxmoves",
                            "10",
                            "-openings",
                            "file=twice.epd",
                            "order=random",
                            "-srand",
                            "7",
                            "-rounds",
                            "4",
                            "-concurrency",
                            "2",
                            "-recover"};
    Child child(folder.folder().assay_argv(words), folder.root());
    REQUIRE(child.says("Finished game 14 "));
    child.signal(SIGKILL);
    const std::string before = child.wait().out;
    const Argv resume = Argv{"match", "--resume"} + Argv(words.begin() + 1, words.end());
    const Finished rest = folder.folder().assay(resume);
    REQUIRE_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK(contains(rest.out, " of 80 ("));
    CHECK_FALSE(contains(rest.out, "Finished game 1 "));
    // The last table has the games of both sessions.
    const std::size_t last = rest.out.rfind("Rank Name");
    CHECK(times_in(rest.out.substr(last), "         32 ") == 5);
    const Finished report =
        folder.folder().assay({"report", "--db", "many.db", "--format", "json"});
    const auto run = parsed(report.out);
    CHECK(run.at("tournament").at("games").as_int64() == 80);
    CHECK(run.at("tournament").at("pairs").as_int64() == 40);
    CHECK(run.at("tournament").at("done").as_int64() == 40);
    const Finished pgn = folder.folder().assay({"report", "--db", "many.db", "--format", "pgn"});
    CHECK(times_in(pgn.out, "[White ") == 80);
    CHECK(
        folder.folder().assay({"report", "--db", "many.db", "--format", "html", "-o", "x"}).code ==
        0);
    CHECK(folder.folder().is_quiet());
}

TEST_CASE("Drop-in: a tournament of fastchess goes on by its file of results") {
    RunnerFolder folder;
    const Argv words = engines(3) + kShort + Argv{"-rounds", "20", "-autosaveinterval", "1"};
    Child child(folder.argv("fastchess", words), folder.root());
    REQUIRE(child.says("Finished game 5 "));
    child.signal(SIGINT);
    const Finished cut = child.wait();
    CHECK(cut.code == 1);
    CHECK(contains(cut.out, "Tournament was interrupted. To resume the tournament, run: "));
    const Finished rest = folder.run("fastchess", {"-config", "file=config.json"});
    REQUIRE_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK(rest.err.empty());
    CHECK_FALSE(contains(rest.out, "Finished game 1 "));
    CHECK(times_in(rest.out.substr(rest.out.rfind("Rank Name")), "         80 ") == 3);
}

TEST_CASE("Drop-in: cutechess-cli's round robin turns its circle, with its table and outcomes") {
    RunnerFolder folder;
    const Argv words = engines(4) + kShort + Argv{"-rounds", "2", "-pgnout", "g.pgn", "-recover"};
    const Finished said = folder.run("cutechess-cli", words);
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    CHECK(pairings_of(said.out) == "A-D B-C A-C D-B A-B C-D D-A C-B C-A B-D B-A D-C");
    CHECK(contains(said.out,
                   "Rank Name                          Elo     +/-   Games   Score    Draw \n"
                   "   1 D                              -0       0       6   50.0%  100.0% \n"
                   "   2 C "));
    CHECK(contains(said.out,
                   "\n\nSPRT: llr 0 (0.0%), lbound -inf, ubound inf\n\nPlayer: A\n"
                   "   \"Draw by adjudication\": 6\nPlayer: B\n"));
    CHECK(said.out.ends_with("Finished match\n"));
    CHECK_FALSE(contains(said.out, "Score of"));
    CHECK(tags_of(assay::read_file(folder.root() + "/g.pgn"), "Round") ==
          "1 1 2 2 3 3 4 4 5 5 6 6");
    check_read(folder, {"--games", "12", "--engines", "4"}, said);
    const Finished wide = folder.run(
        "cutechess-cli", engines(3) + kShort +
                             Argv{"-tournament", "gauntlet", "-games", "4", "-repeat", "4",
                                  "-resultformat", "Rank,Name,W,D,L", "-ratinginterval", "4"});
    REQUIRE_MESSAGE(wide.code == 0, wide.out << wide.err);
    CHECK(pairings_of(wide.out) == "A-B B-A A-B B-A A-C C-A A-C C-A");
    CHECK(times_in(wide.out, "   0 A                               0       8       0 \n") == 1);
    CHECK(times_in(wide.out, "Rank Name                         Wins   Draws  Losses \n") == 2);
}

TEST_CASE("Drop-in: a knockout of cutechess-cli plays until one is left, and draws its tree") {
    RunnerFolder folder;
    const Argv limits{
        "-each",  "tc=20+0.2", "proto=uci", "-tournament", "knockout", "-seeds",       "3",
        "-games", "2",         "-maxmoves", "10",          "-recover", "-concurrency", "1"};
    const Argv three{"-engine",          "cmd=./misbehave", "name=early",    "arg=--sin",
                     "arg=illegal-move", "-engine",         "cmd=./instant", "name=good",
                     "-engine",          "cmd=./misbehave", "name=late",     "arg=--sin",
                     "arg=illegal-move", "arg=--at",        "arg=3"};
    const Finished said = folder.run("cutechess-cli", three + limits);
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    CHECK(pairings_of(said.out) == "good-late late-good early-good good-early");
    CHECK(contains(said.out,
                   "early\n\t\tearly\nbye\n\t\t\t\tgood (0-2)\ngood\n\t\tgood (2-0)\nlate\n"));
    CHECK(contains(said.out, "\"Loss: White makes an illegal move: a1a1\": 1"));
    CHECK_FALSE(contains(said.out, "Rank Name"));
    const Finished rounds = folder.run("cutechess-cli", three + limits + Argv{"-rounds", "2"});
    CHECK(rounds.code == 1);
    CHECK(rounds.err ==
          "Warning: Tournament \"knockout\" does not support user-defined round multipliers\n"
          "Warning: Invalid value for option \"-rounds\": \"2\"\n");
}

TEST_CASE("Drop-in: a knockout in which every game is drawn ends by rank, with a warning") {
    RunnerFolder folder;
    const Finished said = folder.run(
        "cutechess-cli", engines(2) + Argv{"-each", "tc=20+0.2", "proto=uci", "-tournament",
                                           "knockout", "-seeds", "2", "-maxmoves", "1"});
    REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
    CHECK(times_in(said.out, "Finished game ") == 101);
    CHECK(contains(said.out,
                   "Warning: A and B were still level after 100 replays: A goes on by its rank\n"));
    CHECK(contains(said.out, "\t\tA (50.5-50.5)"));
}

TEST_CASE("Drop-in: -debug shows the lines of engines, and a test of three is refused") {
    RunnerFolder folder;
    const Argv two{"-engine",       "cmd=./instant", "name=A", "-engine",
                   "cmd=./instant", "name=B",        "-each",  "tc=20+0.2",
                   "proto=uci",     "-maxmoves",     "2"};
    const Finished said = folder.run("cutechess-cli", two + Argv{"-debug"});
    CHECK(said.code == 0);
    CHECK(contains(said.out, " >A(0): uci\n"));
    CHECK(contains(said.out, " <B(1): uciok\n"));
    CHECK(contains(said.out, " >A(0): position startpos\n"));
    const Argv sprt{"-sprt", "elo0=0", "elo1=5", "alpha=0.05", "beta=0.05"};
    const Finished fast = folder.run("fastchess", engines(3) + kShort + sprt);
    CHECK(fast.code == 1);
    CHECK(contains(fast.out, "Error: -sprt with more than two engines is not available in assay"));
    const Finished cute = folder.run("cutechess-cli", engines(3) + kShort + sprt);
    CHECK(cute.code == 1);
    CHECK(contains(cute.err, "Warning: -sprt with more than two engines is not available"));
    const Finished help = folder.run("cutechess-cli", two + Argv{"-resultformat", "help"});
    CHECK(help.code == 1);
    CHECK(contains(help.out, "\nField tokens:\n"));
    CHECK(help.err.empty());
    const Finished none = folder.run("cutechess-cli", two + Argv{"-resultformat", "Rank,Colour"});
    CHECK(none.code == 1);
    CHECK(contains(none.err, "-resultformat Rank,Colour is not available in assay"));
}
