#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "harness/store/store.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

std::string instant_match(RunFolder& folder, const std::string& match) {
    const std::string instant = folder.program("instant");
    return "programs:\n  a: {command: [" + instant + "], options: {Seed: 1}}\n  b: {command: [" +
           instant + "], options: {Seed: 2}}\nmatch: {between: [a, b], seed: 3, " + match + "}\n";
}

}  // namespace

TEST_CASE("Match: pairs, W/D/L and pentanomial agree, and the report says the same again") {
    RunFolder folder;
    folder.write("m.yaml", instant_match(folder, "time: {depth: 1}, pairs: 20"));
    const Finished finished = folder.assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const auto run = parsed(finished.out);
    std::int64_t pairs = 0;
    std::int64_t half_points = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        const std::int64_t n = run.at("pentanomial").as_array().at(i).as_int64();
        pairs += n;
        half_points += static_cast<std::int64_t>(i) * n;
    }
    const auto& wdl = run.at("wdl").as_array();
    CHECK(pairs == 20);
    CHECK(wdl.at(0).as_int64() + wdl.at(1).as_int64() + wdl.at(2).as_int64() == 40);
    CHECK(2 * wdl.at(0).as_int64() + wdl.at(1).as_int64() == half_points);
    CHECK(folder.assay({"report", "--format", "json"}).out == finished.out);
    CHECK(folder.is_quiet());
}

TEST_CASE("Match: the same seed gives the same run at any concurrency") {
    RunFolder folder;
    folder.write("m.yaml", instant_match(folder, "time: {nodes: 10}, pairs: 16"));
    const Finished one = folder.assay({"run", "m.yaml", "--json", "--set", "match.concurrency=1"});
    const Finished four = folder.assay({"run", "m.yaml", "--json", "--set", "match.concurrency=4"});
    REQUIRE_MESSAGE(one.code == 0, one.err);
    REQUIRE_MESSAGE(four.code == 0, four.err);
    CHECK(parsed(one.out).at("pentanomial") == parsed(four.out).at("pentanomial"));
    CHECK(parsed(one.out).at("terminations") == parsed(four.out).at("terminations"));
}

TEST_CASE("Match: the store says who made each move, also where Black begins, in random order") {
    RunFolder folder;
    folder.write("book.epd",
                 "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n"
                 "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n"
                 "rnbqkbnr/pppppp1p/6p1/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2\n"
                 "rnbqkb1r/pppppppp/5n2/8/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 2 2\n");
    folder.write("m.yaml", "each: {command: [" + folder.program("player") +
                               "]}\nprograms: {a: {}, b: {}}\nmatch: {between: [a, b], seed: 3, "
                               "time: {a: {nodes: 200}, b: {nodes: 600}}, pairs: 4, "
                               "openings: {book: book.epd, order: random}, "
                               "adjudicate: {length: 3}}\n");
    const Finished finished = folder.assay({"run", "m.yaml"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    using assay::harness::Store;
    const Store store(folder.root() + "/assay.db", Store::Access::Read);
    const auto chess = assay::rules::make_game("chess");
    int black_began = 0;
    int long_searches = 0;
    int games = 0;
    store.for_each_game(1, 0, [&](const assay::harness::GameRecord& game) {
        const auto position = chess->parse(game.start);
        black_began += position->to_move();
        ++games;
        for (const auto& move : game.moves) {
            CHECK(move.player == position->to_move());
            if (move.nodes.value_or(0) > 200) {
                ++long_searches;
                CHECK(game.program_of(move.player) == 1);
            }
            position->make(*position->move_of(move.name, assay::rules::Notation::Canonical));
        }
    });
    CHECK(games == 8);
    CHECK(long_searches > 8);
    CHECK(black_began > 0);
    CHECK(black_began < 8);
}

TEST_CASE("Match: pairs begin with random moves, the same ones in both games and any run") {
    RunFolder folder;
    folder.write("m.yaml", instant_match(folder,
                                         "time: {nodes: 10}, pairs: 6, variant: chess960, "
                                         "openings: {random: 5}, adjudicate: {length: 3}"));
    for (const char* concurrency : {"match.concurrency=1", "match.concurrency=4"}) {
        const Finished finished = folder.assay({"run", "m.yaml", "--set", concurrency});
        REQUIRE_MESSAGE(finished.code == 0, finished.err);
    }
    using assay::harness::Store;
    const Store store(folder.root() + "/assay.db", Store::Access::Read);
    std::vector<std::string> openings;
    for (std::int64_t number = 1; number <= 12; ++number) {
        const auto game = store.game(1, 0, number).value();
        const auto again = store.game(2, 0, number).value();
        CHECK(game.opening.size() == 5);
        CHECK(again.start == game.start);
        CHECK(again.opening == game.opening);
        std::string text = game.start;
        for (const std::string& move : game.opening) text += " " + move;
        openings.push_back(std::move(text));
    }
    for (std::size_t i = 0; i < openings.size(); i += 2) {
        CHECK(openings[i] == openings[i + 1]);
        if (i > 0) CHECK(openings[i] != openings[i - 1]);
    }
}

TEST_CASE("Match: pgn-extract reads our PGN without a word") {
    if (!std::filesystem::exists("/usr/games/pgn-extract")) {
        MESSAGE("skipped: pgn-extract is not installed");
        return;
    }
    RunFolder folder;
    folder.write("m.yaml", instant_match(folder, "time: 1+0.1, pairs: 5, variant: chess960"));
    REQUIRE(folder.assay({"run", "m.yaml"}).code == 0);
    REQUIRE(folder.assay({"report", "--format", "pgn", "-o", "games.pgn"}).code == 0);
    const Finished extract = assay::test::run(
        {"/usr/games/pgn-extract", "-s", "--fixresulttags", "-o", "out.pgn", "games.pgn"},
        folder.root());
    CHECK(extract.err.empty());
    CHECK(extract.code == 0);
}

TEST_CASE("Match: without a config two programs are enough") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    const Finished finished = folder.assay({"run", "--program", instant, "--program", instant,
                                            "--time", "1+0.01", "--pairs", "2", "--json"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    CHECK(parsed(finished.out).at("pairs").as_int64() == 2);
}

TEST_CASE("Match: a wrong config starts nothing and leaves no store") {
    RunFolder folder;
    folder.write("m.yaml", instant_match(folder, "time: 1+0.1, rounds: 5"));
    const Finished finished = folder.assay({"run", "m.yaml"});
    CHECK(finished.code == 2);
    CHECK(finished.err.find("m.yaml:4:") != std::string::npos);
    CHECK(finished.err.find("assay says 'pairs'") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.root() + "/assay.db"));
}

TEST_CASE("Match: programs get the limit of files that assay was started with") {
    RunFolder folder;
    const std::string limits = folder.root() + "/limits";
    folder.write("limited.sh", "ulimit -n >>" + limits + "; exec \"$0\"\n");
    folder.write("m.yaml", "each: {command: [/bin/sh, -c, '. ./limited.sh', " +
                               folder.program("instant") +
                               "]}\nprograms: {a: {}, b: {}}\n"
                               "match: {between: [a, b], time: {depth: 1}, pairs: 1}\n");
    std::vector<std::string> argv{"/bin/sh", "-c", "ulimit -Sn 300; exec \"$0\" \"$@\""};
    for (const std::string& word : folder.assay_argv({"run", "m.yaml"})) argv.push_back(word);
    Child child(argv, folder.root());
    const Finished finished = child.wait();
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const std::string seen = assay::read_file(limits);
    CHECK(seen.starts_with("300\n300\n"));
}

TEST_CASE("Match: a program that is no file is exit 2 and named") {
    RunFolder folder;
    folder.write("m.yaml",
                 "programs: {a: {command: [/nowhere/engine]}, b: {command: [/bin/cat]}}\n"
                 "match: {between: [a, b], time: 1+0.1}\n");
    const Finished finished = folder.assay({"run", "m.yaml"});
    CHECK(finished.code == 2);
    CHECK(finished.err.find("/nowhere/engine") != std::string::npos);

    folder.write("plain", "no program");
    const std::string here = folder.root() + "/";
    const std::vector<std::vector<std::string>> wrong{
        {".", "'.' is not in PATH, and what is here is a folder, not a program"},
        {"plain", "'plain' is not in PATH; write ./plain for the file that is here"},
        {"./plain", "'" + here + "plain': it is not executable; try chmod +x"},
        {here, "'" + here + "': it is a folder, not a program"}};
    for (const auto& row : wrong) {
        const Finished refused = folder.assay(
            {"run", "--program", row[0], "--program", "/bin/cat", "--time", "1", "--pairs", "1"});
        CAPTURE(refused.err);
        CHECK(refused.code == 2);
        CHECK(refused.err.find(row[1]) != std::string::npos);
    }
}

TEST_CASE("Gate: the exit code is the verdict") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    const std::string misbehave = folder.program("misbehave");
    const std::string tail =
        "match: {time: 1+0.05, pairs: 40, seed: 5, adjudicate: {length: 30}, between: ";
    const std::string programs = "programs:\n  good: {command: [" + instant +
                                 "]}\n  bad: {command: [" + misbehave +
                                 ", --sin, exit, --at, '3']}\n";
    const std::string stop = "stop: {sprt: {elo: [0, 50]}}\n";
    folder.write("good.yaml", programs + tail + "[good, bad]}\n" + stop);
    folder.write("bad.yaml", programs + tail + "[bad, good]}\n" + stop);
    const Finished good = folder.assay({"gate", "good.yaml", "--set", "match.pairs=1000"});
    CAPTURE(good.out);
    CAPTURE(good.err);
    CHECK(good.code == 4);  // the second program keeps failing: no verdict about the first
    folder.write("better.yaml", "programs:\n  better: {command: [" + folder.program("player") +
                                    "]}\n  good: {command: [" + instant + "]}\nmatch: {time: " +
                                    "{depth: 2}, pairs: 1000, seed: 5, between: [better, good]}\n" +
                                    stop);
    const Finished accepted = folder.assay({"gate", "better.yaml", "--json"});
    CAPTURE(accepted.err);
    CHECK(accepted.code == 0);
    CHECK(parsed(accepted.out).at("verdict") == "accepted");
    const Finished bad =
        folder.assay({"gate", "bad.yaml", "--set", "require={crashes: 0}", "--out", "artefacts"});
    CHECK(bad.code == 1);  // the first keeps failing: rejected
    CHECK(bad.out.find("required: bad: ") != std::string::npos);
    const std::string artefacts = folder.root() + "/artefacts/";
    CHECK(assay::read_file(artefacts + "report.md").find("- required: bad: ") != std::string::npos);
    CHECK(parsed(assay::read_file(artefacts + "result.json"))
              .at("broken_requirements")
              .as_array()
              .size() == 1);
    CHECK(folder.assay({"report", "--format", "badge"}).out.find("rejected") != std::string::npos);
    for (const char* name : {"report.html", "games.pgn.zst"})
        CHECK(std::filesystem::exists(artefacts + name));
    const std::string log = assay::read_file(artefacts + "log.txt");
    CHECK(log.find("bad against good") != std::string::npos);
    CHECK(log.find("    again: assay replay ") != std::string::npos);
    CHECK(log.find('\x1b') == std::string::npos);
    CHECK(log.ends_with("\nexit 1\n"));
    CHECK(
        assay::read_file(artefacts + "junit.xml").find("[[ATTACHMENT|artefacts/report.html]]\n") !=
        std::string::npos);
}

TEST_CASE("Gate: --extend of a decided test says that it does nothing, and changes nothing") {
    RunFolder folder;
    folder.write("g.yaml", "programs:\n  better: {command: [" + folder.program("player") +
                               "]}\n  good: {command: [" + folder.program("instant") +
                               "]}\nmatch: {time: {depth: 2}, pairs: 1000, seed: 5, between: "
                               "[better, good]}\nstop: {sprt: {elo: [0, 50]}}\n");
    CHECK(folder.assay({"gate", "g.yaml"}).code == 0);
    const auto before = parsed(folder.assay({"report", "--format", "json"}).out);
    REQUIRE(before.at("verdict") == "accepted");
    const Finished again = folder.assay({"gate", "g.yaml", "--extend", "200"});
    CHECK_MESSAGE(again.code == 0, again.out, again.err);
    CHECK(contains(again.out,
                   "--extend does nothing for match 'g': its test was decided "
                   "(accepted) after "));
    const auto after = parsed(folder.assay({"report", "--format", "json"}).out);
    CHECK(after.at("run") == before.at("run"));
    CHECK(after.at("planned") == before.at("planned"));
    CHECK(after.at("pairs") == before.at("pairs"));
    CHECK(contains(again.out, " of at most 1,000 pairs"));
}

TEST_CASE("Gate: too few pairs are inconclusive, and --inconclusive says what that is to CI") {
    RunFolder folder;
    const std::string text =
        instant_match(folder, "time: {nodes: 10}, pairs: 4") + "stop: {sprt: {elo: [0, 2]}}\n";
    folder.write("g.yaml", text);
    CHECK(folder.assay({"gate", "g.yaml"}).code == 3);
    CHECK(folder.assay({"gate", "g.yaml", "--inconclusive", "pass"}).code == 0);
    CHECK(folder.assay({"gate", "g.yaml", "--inconclusive", "fail"}).code == 1);
}

TEST_CASE("Gate: a match that is not begun is skipped with its reason, and a full disk is 4") {
    RunFolder folder;
    const std::string text = instant_match(folder, "time: {nodes: 10}, pairs: 4");
    const std::size_t at = text.find("match: ");
    const std::string match = text.substr(at + 7, text.find('\n', at) - at - 7);
    const std::string keys = match.substr(1);  // behind the brace
    folder.write("g.yaml", text.substr(0, at) + "matches:\n- {name: first, " + keys +
                               "\n- {name: second, " + keys + "\nstop: {sprt: {elo: [0, 2]}}\n");
    const Finished gate = folder.assay({"gate", "g.yaml", "--out", "art", "--junit", "/dev/full"});
    CAPTURE(gate.err);
    CHECK(gate.code == 4);
    CHECK(gate.err.find("/dev/full: cannot write") != std::string::npos);
    const std::string junit = assay::read_file(folder.root() + "/art/junit.xml");
    CHECK(junit.find("<skipped message=\"it was not begun: the match before it was not accepted") !=
          std::string::npos);
    CHECK(assay::read_file(folder.root() + "/art/report.md")
              .find("**not played**: a against b: it was not begun") != std::string::npos);
    for (const std::string& json : {assay::read_file(folder.root() + "/art/result.json"),
                                    folder.assay({"runs", "--json"}).out}) {
        CHECK(parsed(json).at("exit_code") == 4);
        CHECK(parsed(json).at("outcome") == "no verdict");
    }
}

TEST_CASE("Match: two matches of three programs are one run, one report, and start each once") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    const auto program = [&](const std::string& name, const std::string& options) {
        return "  " + name + ": {command: [/bin/sh, -c, 'echo " + name + " >>" + folder.root() +
               "/starts; exec " + instant + "'], options: {" + options + "}}\n";
    };
    // However long a start takes, it is not tried again.
    folder.write("m.yaml",
                 "start_limit: 10min\nprograms:\n" + program("anna", "Seed: 1") +
                     program("berta", "Seed: 2") + program("clara", "Seed: 3") +
                     "matches:\n"
                     "- {name: left, between: [anna, berta], time: {depth: 1}, pairs: 3, "
                     "concurrency: 1}\n"
                     "- {name: right, between: [clara, berta], time: {depth: 1}, pairs: 4, "
                     "concurrency: 1}\n");
    const Finished finished = folder.assay({"run", "m.yaml"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    for (const char* word : {"left", "right", "anna", "berta", "clara"})
        CHECK_MESSAGE(finished.out.find(word) != std::string::npos, word);
    // The second match takes the first one's process of the program that plays in both.
    std::string starts = assay::read_file(folder.root() + "/starts");
    std::ranges::replace(starts, '\n', ' ');
    std::vector<std::string_view> started = assay::split_words(starts);
    std::ranges::sort(started);
    CHECK(started == std::vector<std::string_view>{"anna", "berta", "clara"});
    CHECK(folder.is_quiet());

    using assay::harness::Store;
    const Store store(folder.root() + "/assay.db", Store::Access::Read);
    CHECK(store.pairs(1, 0).size() == 3);
    CHECK(store.pairs(1, 1).size() == 4);
    const auto json = parsed(folder.assay({"report", "--format", "json"}).out);
    const auto& matches = json.at("matches").as_array();
    REQUIRE(matches.size() == 2);
    CHECK(matches[0].at("pairs").as_int64() == 3);
    CHECK(matches[1].at("pairs").as_int64() == 4);
    REQUIRE(folder.assay({"report", "--format", "html", "-o", "r.html"}).code == 0);
    const std::string page = assay::read_file(folder.root() + "/r.html");
    for (const char* word : {"left", "right", "anna", "berta", "clara"})
        CHECK_MESSAGE(page.find(word) != std::string::npos, word);
}
