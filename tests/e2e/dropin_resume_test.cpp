#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/file.h"
#include "base/packing.h"
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

TEST_CASE("Drop-in: a crash loses its game with -recover, and ends the match without") {
    RunnerFolder folder;
    const Argv words = two_engines("misbehave", "--sin abort --at 3", "nodes=10") +
                       Argv{"-rounds", "2", "-pgnout", "file=g.pgn"};
    const Finished kept = folder.run("fastchess", words + Argv{"-recover"});
    CHECK_MESSAGE(kept.code == 0, kept.out << kept.err);
    CHECK(times_in(kept.out, " disconnects}") == 4);
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
    CHECK(times_in(pgn, "[Event ") == 80);
}

TEST_CASE("Drop-in: a killed match and a resume that fails lose no game") {
    RunnerFolder folder;
    const Argv words =
        two_engines("instant", "", "tc=20+0.2") +
        Argv{"-rounds",           "40", "-srand", "5", "-pgnout", "file=g.pgn", "-recover",
             "-autosaveinterval", "1"};
    Child child(folder.argv("fastchess", words), folder.root());
    REQUIRE(child.says("Finished game 8 "));
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

TEST_CASE("Drop-in: --resume without -srand goes on with the seed of the stored run") {
    RunnerFolder folder;
    const Argv words = Argv{"--db", "x.db"} + two_engines("instant", "", "tc=20+0.2") +
                       Argv{"-rounds", "40", "-recover"};
    Child child(folder.folder().assay_argv(Argv{"match"} + words), folder.root());
    REQUIRE(child.says("Finished game 8 "));
    child.signal(SIGKILL);
    (void)child.wait();
    const Argv resume = Argv{"match", "--resume"} + words;
    const Finished other = folder.folder().assay(resume + Argv{"-rounds", "41"});
    CHECK(other.code == 1);
    CHECK(contains(other.out, "was started with another config or other flags:\n"));
    CHECK_FALSE(contains(other.out, "seed was "));
    const Finished rest = folder.folder().assay(resume);
    REQUIRE_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK_FALSE(contains(rest.out, "Finished game 1 "));
    CHECK(contains(rest.out, "Games: 80, "));
    const Finished pgn = folder.folder().assay({"report", "--db", "x.db", "--format", "pgn"});
    CHECK(times_in(pgn.out, "[White ") == 80);
}

TEST_CASE("Drop-in: files of games have each game once after a kill, and what was there before") {
    RunnerFolder folder;
    // Of the same engines, who played another match.
    const std::string old =
        "[Event \"Fastchess Tournament\"]\n[Site \"?\"]\n[Date \"2026.11.01\"]\n[Round \"40\"]\n"
        "[White \"first\"]\n[Black \"second\"]\n[Result \"1-0\"]\n\n1. e4 {book} 1-0\n\n";
    folder.write("g.pgn", old);
    const Argv words = Argv{"--db", "x.db"} + two_engines("instant", "", "tc=20+0.2") +
                       Argv{"-rounds",    "40",      "-srand",     "5",      "-recover", "-pgnout",
                            "file=g.pgn", "-epdout", "file=g.epd", "-crc32", "pgn=true"};
    Child child(folder.folder().assay_argv(Argv{"match"} + words), folder.root());
    REQUIRE(child.says("Finished game 6 "));
    child.signal(SIGKILL);
    (void)child.wait();
    // As if the kill had come between the files and the store, in the middle of a write.
    const std::string killed = assay::read_file(folder.root() + "/g.pgn");
    const std::string last = killed.substr(killed.rfind("[Event "));
    std::string lost = last;
    lost.replace(lost.find("[Round \""), 9, "[Round \"39");
    folder.write("g.pgn", killed + lost + lost.substr(0, lost.size() / 2));
    const std::string lines = assay::read_file(folder.root() + "/g.epd");
    const std::size_t last_line = lines.rfind('\n', lines.size() - 2) + 1;
    folder.write("g.epd", lines + lines.substr(last_line, 20));
    const Finished rest = folder.folder().assay(Argv{"match", "--resume"} + words);
    REQUIRE_MESSAGE(rest.code == 0, rest.out << rest.err);
    const std::string pgn = assay::read_file(folder.root() + "/g.pgn");
    CHECK(pgn.starts_with(old));
    CHECK(times_in(pgn, "[Event ") == 81);
    for (int round = 1; round <= 40; ++round)
        CHECK(times_in(pgn, "[Round \"" + std::to_string(round) + "\"]") == (round < 40 ? 2 : 3));
    const std::string epd = assay::read_file(folder.root() + "/g.epd");
    CHECK(times_in(epd, "\n") == 80);
    CHECK(times_in(epd, "; fmvn ") == 80);
    CHECK(contains(rest.out, "was cut from g.pgn and is played again ("));
    CHECK(contains(rest.out, "was cut from g.epd and is played again ("));
    CHECK_FALSE(contains(rest.out, "Warning: g."));
    const std::string crc = rest.out.substr(rest.out.rfind("has CRC32: ") + 11);
    CHECK(crc.substr(0, crc.find('\n')) == fmt::format("{:#x}", assay::crc32_of(pgn)));
}

TEST_CASE("Drop-in: the folder of a match that begins is not taken for one that was killed") {
    RunnerFolder folder;
    const std::filesystem::path begins = folder.root() + "/tmp/assay-match-abcdef";
    std::filesystem::create_directories(begins);
    // No store yet, and nobody has the lock for a moment.
    assay::write_file((begins / "open").string(), "");
    Argv argv{"/usr/bin/env", "TMPDIR=" + folder.root() + "/tmp"};
    for (const std::string& word :
         folder.argv("fastchess", two_engines("instant", "", "tc=20+0.2") + Argv{"-rounds", "1"}))
        argv.push_back(word);
    CHECK(assay::test::run(argv, folder.root()).code == 0);
    CHECK(std::filesystem::exists(begins / "open"));
    std::filesystem::last_write_time(
        begins, std::filesystem::file_time_type::clock::now() - std::chrono::hours(48));
    CHECK(assay::test::run(argv, folder.root()).code == 0);
    CHECK_FALSE(std::filesystem::exists(begins));
}

TEST_CASE("Drop-in: a resume leaves alone what others have written into its files of games") {
    RunnerFolder folder;
    const Argv words = Argv{"--db", "x.db"} + two_engines("instant", "", "tc=20+0.2") +
                       Argv{"-rounds", "150", "-srand", "5", "-recover", "-epdout", "file=g.epd"};
    const Argv san = words + Argv{"-pgnout", "file=g.pgn"};
    const Argv uci = words + Argv{"-pgnout", "file=g.pgn", "notation=uci"};
    const auto kill_after = [&](const Argv& flags, const std::string& line) {
        Child child(folder.folder().assay_argv(Argv{"match"} + flags), folder.root());
        REQUIRE(child.says(line));
        child.signal(SIGKILL);
        return child.wait().out;
    };
    (void)kill_after(san, "Finished game 6 ");
    const std::string begun = assay::read_file(folder.root() + "/g.pgn");
    // Another notation is no reason to cut. At most 5 games wait for the store, which has whole
    // pairs, so that it has more than the file had.
    const std::string later = std::to_string(2 * times_in(begun, "[Event ") + 8);
    const std::string second = kill_after(Argv{"--resume"} + uci, "Finished game " + later + " ");
    CHECK_FALSE(contains(second, "Warning: g."));
    CHECK(assay::read_file(folder.root() + "/g.pgn")
              .starts_with(begun.substr(0, begun.find("[Round \"2\"]"))));
    // The file is moved away, and another run of the same engines has one of that name. Its last
    // game is torn.
    const std::string others = begun + begun.substr(0, begun.size() / 2) + begun.substr(0, 300);
    folder.write("g.pgn", others);
    const std::string lines =
        assay::read_file(folder.root() + "/g.epd") + "8/8/8/8/8/8/8/k1K5 w - -\n8/8/8/8/8/8/8/k2K4";
    folder.write("g.epd", lines);
    const Finished rest = folder.folder().assay(Argv{"match", "--resume"} + uci);
    REQUIRE_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK(assay::read_file(folder.root() + "/g.pgn").starts_with(others + "\n\n[Event "));
    CHECK(assay::read_file(folder.root() + "/g.epd").starts_with(lines + "\n"));
    const std::string kept =
        " keeps what is behind the last stored game, which may stand there twice now: ";
    CHECK(contains(rest.out, "Warning: g.pgn" + kept + "the file lacks "));
    CHECK(contains(rest.out, "Warning: g.epd" + kept + "it may be somebody else's.\n"));
}

TEST_CASE("Drop-in: a resume leaves alone what another run of the same engines has written") {
    RunnerFolder folder;
    const Argv words = Argv{"--db", "x.db"} + two_engines("instant", "", "tc=20+0.2") +
                       Argv{"-recover", "-pgnout", "file=g.pgn", "-epdout", "file=g.epd"};
    const Argv first = words + Argv{"-rounds", "40", "-srand", "5"};
    Child child(folder.folder().assay_argv(Argv{"match"} + first), folder.root());
    REQUIRE(child.says("Finished game 6 "));
    child.signal(SIGKILL);
    (void)child.wait();
    const std::string begun = assay::read_file(folder.root() + "/g.pgn");
    const Finished second = folder.folder().assay(Argv{"match"} + words + Argv{"-rounds", "1"});
    REQUIRE_MESSAGE(second.code == 0, second.out << second.err);
    // Its games are as the first run could have written them.
    std::string both = assay::read_file(folder.root() + "/g.pgn");
    REQUIRE(both.starts_with(begun));
    const std::string round = "[Round \"1\"]";
    for (std::size_t at = begun.size(); (at = both.find(round, at)) != std::string::npos;)
        both.replace(at, round.size(), "[Round \"39\"]");
    folder.write("g.pgn", both);
    const std::string lines = assay::read_file(folder.root() + "/g.epd");
    const Finished rest = folder.folder().assay(Argv{"match", "--resume"} + first);
    REQUIRE_MESSAGE(rest.code == 0, rest.out << rest.err);
    CHECK(assay::read_file(folder.root() + "/g.pgn").starts_with(both));
    CHECK(assay::read_file(folder.root() + "/g.epd").starts_with(lines));
    CHECK(contains(rest.out,
                   "Warning: g.pgn keeps what is behind the last stored game, which may "
                   "stand there twice now: "));
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
    CHECK(times_in(assay::read_file(folder.root() + "/g.pgn"), "[Event ") == 6);
}
